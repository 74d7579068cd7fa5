/**
 * Tests of a campaign.
 *
 * TESTSEND-1 A test is a message of its own, marked with its campaign. It is in no count, report or limit of the
 *    campaign, its recipient gets no account of a pool by it, and the frequency cap neither counts nor stops it.
 * TESTSEND-2 It is urgent: it goes at once, also outside of sending hours. It has the campaign's category, by which the
 *    suppression list applies to it.
 * TESTSEND-3 Id and hash are those of the request, so that the same key gives the same test after a change of the
 *    campaign's content or audience, and after its end.
 */
import {
  AppError,
  CAMPAIGN_END_STATES,
  Priority,
  present,
  type CampaignId,
  type ContentTemplate,
  type RecipientValues,
  messageUnknown,
} from '../../contract/index.js';
import {
  inputInvalid,
  isAllowed,
  renderContent,
  requiredVariables,
  valueFor,
  variablesOf,
  variantFor,
} from '../../domain/index.js';
import { assertSameRequest, campaignEmpty, type CampaignView, type TestOf } from '../../ledger/index.js';
import { type AskedFor, beginMessage, readMessageRequest, requestHash, testMessageId } from '../../starter/index.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { sentBy, viewCampaign } from './campaigns.js';

interface AskedTest {
  readonly chatId: string;
  /** @default the first recipient */
  readonly line?: number;
  /** @default that of the recipient on the line */
  readonly variant?: string;
}

/**
 * Sends the campaign's content, with the values of one of its recipients, to any chat.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_ENDED | CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE | INPUT_INVALID |
 *   IDEMPOTENCY_MISMATCH
 */
export async function testCampaign(
  dependencies: RouteDependencies,
  campaignId: CampaignId,
  asked: AskedTest,
  by: AskedFor,
) {
  const id = testMessageId(campaignId, by.key);
  const hash = requestHash({ testOf: campaignId, ...asked });
  const isSame = await dependencies.ledger.messages.isRequestOf(id, hash);
  if (isSame !== undefined) {
    assertSameRequest(
      isSame,
      `Message ${id} was created by another request with the same key. Use a new Idempotency-Key for a new test.`,
    );
    const message = await dependencies.ledger.views.message(id, dependencies.clock.nowMs());
    if (message === undefined) throw messageUnknown(id);
    const { state, instance, content } = message;
    return { id, state, instance, kind: content.kind, isReplay: true };
  }
  const { request, test } = await composeTest(dependencies, campaignId, asked);
  const derived = { id, requestHash: hash, test };
  const { state, isReplay } = await beginMessage(dependencies, request, by, derived);
  return { id, state, instance: request.instance, kind: request.content.kind, isReplay };
}

async function composeTest(dependencies: RouteDependencies, id: CampaignId, asked: AskedTest) {
  const { chatId } = asked;
  const { ledger, instances, checkOperation } = dependencies;
  const campaign = await viewCampaign(dependencies, id);
  const { state, instance, definition } = campaign;
  if (CAMPAIGN_END_STATES.includes(state)) {
    throw new AppError(
      'CAMPAIGN_ENDED',
      `Campaign ${id} has ended: ${state}, so no test of it is sent. Import its file under another id, and test that one: everpost campaign import FILE`,
    );
  }
  await ledger.audiences.refuseUnknownVariables(id);
  if (!isAllowed(instances.get(instance).allowedRecipients, chatId)) {
    const message = `is not listed in allowedRecipients of instance ${instance}`;
    throw inputInvalid('The test', [{ path: 'to', message }]);
  }
  const { content, values, ...test } = await sampleOf(dependencies, campaign, asked);
  const { request } = readMessageRequest(
    {
      instance,
      to: chatId,
      content: renderContent(content, values),
      priority: Priority.urgent,
      category: definition.category ?? 'marketing',
    },
    { checkOperation, instances },
  );
  return { request, test };
}

/** A content with the values of a recipient; without recipients only a content without variables. */
async function sampleOf(
  { ledger }: RouteDependencies,
  campaign: CampaignView,
  asked: AskedTest,
): Promise<TestOf & { readonly content: ContentTemplate; readonly values: RecipientValues }> {
  const { id } = campaign;
  const { line } = asked;
  const [recipient] = await ledger.audiences.recipients(id, (line ?? 1) - 1, 1);
  if (line !== undefined && recipient?.line !== line) {
    throw inputInvalid('The test', [{ path: 'line', message: 'is not the line of a recipient in the audience' }]);
  }
  const { name: variant, content } = testedContent(campaign, asked.variant, recipient?.key);
  const of = { campaignId: id, content, ...present({ variant }) };
  if (recipient === undefined) {
    const [variable] = variablesOf(content);
    if (variable === undefined) return { ...of, values: {} };
    throw campaignEmpty(
      id,
      `, and its content has the variable {{${variable}}}: a test contains the values of a recipient`,
    );
  }
  const { line: sampled, values } = recipient;
  const missing = requiredVariables(content).filter((name) => valueFor(values, name) === undefined);
  if (missing.length === 0) return { ...of, line: sampled, values };
  const names = missing.map((name) => `{{${name}}}`).join(', ');
  const message = `${sampled} has no value for ${names}, which has no fallback. Name another line, or correct the file`;
  throw inputInvalid('The test', [{ path: 'line', message }]);
}

/** The named variant, else that of the recipient, else the first one. */
function testedContent(
  campaign: CampaignView,
  named: string | undefined,
  recipientKey: string | undefined,
): { readonly name?: string; readonly content: ContentTemplate } {
  const { content, variants } = sentBy(campaign);
  if (variants === null) {
    if (named === undefined) return { content };
    throw inputInvalid('The test', [{ path: 'variant', message: 'is only for a campaign with variants' }]);
  }
  const own = recipientKey === undefined ? variants[0] : variantFor(sentBy(campaign), recipientKey);
  const found = named === undefined ? own : variants.find(({ name }) => name === named);
  if (found !== undefined) return found;
  const names = variants.map(({ name }) => name).join(', ');
  throw inputInvalid('The test', [{ path: 'variant', message: `is none of the campaign's variants: ${names}` }]);
}
