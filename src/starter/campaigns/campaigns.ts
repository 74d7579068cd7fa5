import {
  readRecipients,
  recipientTimezones,
  type ListFile,
  type VerdictRules,
  groupRecipients,
  type Participant,
  type RecipientBatch,
} from '../../audience/index.js';
import {
  AppError,
  RECIPIENT_TIMEZONE,
  canonicalJson,
  present,
  withPace,
  type CampaignDefinition,
  type CampaignId,
  type ListFacts,
  type MessageRequest,
  type PacedProgress,
  type Problem,
} from '../../contract/index.js';
import { inputInvalid, isAllowed, isKnownCountry, recipientKey, renderContent } from '../../domain/index.js';
import type { CampaignView } from '../../ledger/index.js';
import { beginMessage, type AskedFor, type BegunMessage, fileProblems } from '../messages/begin-message.js';
import type { AskGateway, RouteDependencies } from '../http/route-dependencies.js';
import { campaignId, requestHash } from '../ids.js';
import { problemIf, readCampaign } from './read-campaign.js';
import { readMessageRequest } from '../messages/message-request.js';
import { writeLines } from './write-lines.js';

export type RecipientsFrom =
  | (ListFile & Pick<VerdictRules, 'defaultCountry'>)
  /** A group's chat id. */
  | { readonly group: string; readonly signal: AbortSignal };

/** A campaign with its progress, rate and end as of now. */
export type ShownCampaign = PacedProgress<CampaignView>;

export interface WrittenCampaign {
  readonly campaign: ShownCampaign;
  readonly isNew: boolean;
}

/**
 * A plan's campaign is removed by its command; after this time also if the command was killed. The largest import takes
 * less.
 */
const PLAN_KEPT_MS = 6 * 60 * 60_000;

/**
 * Writes a campaign once for its id, which comes from the body or is derived from the key.
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
export async function beginCampaign(
  dependencies: RouteDependencies,
  body: unknown,
  key: string,
): Promise<WrittenCampaign> {
  const { id, definition } = readCampaign(body, dependencies);
  return write(dependencies, id ?? campaignId(definition.instance, key), definition, 'open');
}

/**
 * Writes a campaign, or replaces the definition of a draft.
 * @param how.isPlanOnly  the campaign exists only for a plan, and is removed after it
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | CAMPAIGN_FROZEN
 */
export async function defineCampaign(
  dependencies: RouteDependencies,
  id: CampaignId,
  body: unknown,
  how: { readonly isPlanOnly: boolean },
): Promise<WrittenCampaign> {
  const { id: named, definition } = readCampaign(body, dependencies);
  if (named !== undefined && named !== id) {
    throw inputInvalid('The campaign', [{ path: 'id', message: 'is not the id in the path' }]);
  }
  return write(dependencies, id, definition, 'define', how);
}

async function write(
  dependencies: RouteDependencies,
  id: CampaignId,
  definition: CampaignDefinition,
  how: 'open' | 'define',
  { isPlanOnly }: { readonly isPlanOnly: boolean } = { isPlanOnly: false },
): Promise<WrittenCampaign> {
  const { clock } = dependencies;
  const { audiences } = dependencies.ledger;
  const nowMs = clock.nowMs();
  const { startAt = '', deadline = '' } = definition;
  const lastMs = Math.max(nowMs, ...[startAt, deadline].map((time) => Date.parse(time) || 0));
  const problems = [...timeProblems(definition, nowMs), ...(await fileProblems(dependencies, definition, lastMs))];
  if (problems.length > 0) {
    const known = await audiences.view(id, clock.nowMs());
    // A repeated request returns the campaign, also after its times have passed and its file was deleted.
    if (known === undefined || canonicalJson(known.definition) !== canonicalJson(definition)) {
      throw inputInvalid('The campaign', problems);
    }
  }
  const { campaign, isNew } = await audiences[how]({
    id,
    requestHash: requestHash(definition),
    definition,
    nowMs,
    ...(isPlanOnly ? { planUntilMs: nowMs + PLAN_KEPT_MS } : {}),
  });
  return { campaign: withPace(campaign, nowMs), isNew };
}

/** @throws AppError CAMPAIGN_NOT_FOUND */
export async function viewCampaign({ ledger, clock }: RouteDependencies, id: CampaignId): Promise<ShownCampaign> {
  return withPace((await ledger.audiences.view(id, clock.nowMs())) ?? campaignUnknown(id), clock.nowMs());
}

/**
 * Sends the message of one recipient of the campaign to another number, as a single message.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE | INPUT_INVALID | IDEMPOTENCY_MISMATCH |
 *   TEMPORAL_UNAVAILABLE
 */
export async function testSend(
  dependencies: RouteDependencies,
  id: CampaignId,
  { chatId, line }: { readonly chatId: string; readonly line: number },
  asked: AskedFor,
): Promise<{ readonly request: MessageRequest; readonly begun: BegunMessage }> {
  const { ledger, instances, checkOperation } = dependencies;
  const { instance, content } = await viewCampaign(dependencies, id);
  await ledger.audiences.refuseUnknownVariables(id, content);
  if (!isAllowed(instances.get(instance).allowedRecipients, chatId)) {
    const message = `is not listed in allowedRecipients of instance ${instance}`;
    throw inputInvalid('The test', [{ path: 'to', message }]);
  }
  const [recipient] = await ledger.audiences.recipients(id, line - 1, 1);
  if (recipient?.line !== line) {
    throw inputInvalid('The test', [{ path: 'line', message: 'is not the line of a recipient in the audience' }]);
  }
  const { request } = readMessageRequest(
    {
      instance,
      to: chatId,
      content: renderContent(content, recipient.values),
      category: 'transactional',
      reference: `test of campaign ${id}, line ${line}`,
    },
    { checkOperation, instances },
  );
  return { request, begun: await beginMessage(dependencies, request, asked) };
}

function timeProblems({ startAt, deadline }: CampaignDefinition, nowMs: number): Problem[] {
  const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= nowMs;
  const isReversed = startAt !== undefined && deadline !== undefined && deadline <= startAt;
  return [
    ...problemIf(isPast(startAt), 'startAt', 'has passed'),
    ...problemIf(isPast(deadline), 'deadline', 'has passed'),
    ...problemIf(isReversed, 'startAt', 'is not before the deadline'),
  ];
}

/** A statement of this many lines takes less than 0.1 s, also in an embedded database on one slow core. */
const IMPORT_BATCH_LINES = 1_000;

/**
 * Imports a source and makes it the campaign's audience once its last line is written. If reading or writing fails, the
 * import is removed and the audience does not change.
 * @param how.isAddition  the source is added to the audience and does not replace it
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN | CAMPAIGN_EMPTY (nothing to add to) | CAMPAIGN_INCOMPLETE (a
 *   variable has no column) | IMPORT_SUPERSEDED | INPUT_INVALID (the source as a whole cannot be read) | OPERATION_FAILED
 *   | GATEWAY_UNREACHABLE
 */
export async function importAudience(
  { ledger, clock, instances, askGateway }: Pick<RouteDependencies, 'ledger' | 'clock' | 'instances' | 'askGateway'>,
  { id, definition }: Pick<CampaignView, 'id' | 'definition'>,
  from: RecipientsFrom,
  { isAddition = false }: { readonly isAddition?: boolean } = {},
) {
  const { audiences } = ledger;
  const { instance } = definition;
  const rules = verdictRules(instances.get(instance).allowedRecipients, definition, clock.nowMs());
  const facts: ListFacts = {};
  const batches =
    'group' in from
      ? groupSource(askGateway, { ...from, instance, rules })
      : readRecipients(
          { ...from, ...rules, ...present({ defaultCountry: from.defaultCountry }) },
          IMPORT_BATCH_LINES,
          facts,
        );
  const begun = isAddition
    ? await audiences.beginAddition(id, clock.nowMs())
    : { no: await audiences.beginImport(id, clock.nowMs()) };
  try {
    const { source, added } = await writeLines(audiences, begun, batches, !('group' in from));
    const finished = await audiences.finishImport(id, begun.no, source, clock.nowMs());
    return { ...finished, facts, ...(isAddition ? { added } : {}) };
  } catch (error) {
    // If this fails too, the first error is reported, and the next import removes the remaining rows.
    await audiences.abandonImport(begun.no).catch(() => undefined);
    throw error;
  }
}

function verdictRules(
  allowedRecipients: readonly string[] | undefined,
  { defaultCountry, defaultTimezone, sendingWindows }: CampaignDefinition,
  nowMs: number,
): VerdictRules {
  const isByTimezone = sendingWindows?.timezone === RECIPIENT_TIMEZONE;
  return {
    ...(allowedRecipients === undefined ? {} : { allowedRecipients: new Set(allowedRecipients.map(recipientKey)) }),
    ...(defaultCountry !== undefined && isKnownCountry(defaultCountry) ? { defaultCountry } : {}),
    ...(isByTimezone ? { timezoneOf: recipientTimezones(nowMs, defaultTimezone) } : {}),
  };
}

export function campaignUnknown(id: string): never {
  throw new AppError(
    'CAMPAIGN_NOT_FOUND',
    `There is no campaign ${id}. List campaigns: everpost campaign list. Create one from a file: everpost campaign import FILE`,
  );
}

/** Both requests have a rate limit of about one a second, and other requests may wait for the same bucket. */
const GROUP_WAIT_MS = 30_000;

/** The participants of a group as recipients. @throws AppError OPERATION_FAILED | GATEWAY_UNREACHABLE */
async function* groupSource(
  askGateway: AskGateway,
  { instance, group, rules, signal }: { instance: string; group: string; rules: VerdictRules; signal: AbortSignal },
): AsyncGenerator<RecipientBatch> {
  const wait = { timeoutMs: GROUP_WAIT_MS, signal };
  const [{ participants }, own] = await Promise.all([
    askGateway<{ participants?: Participant[] | null }>('getGroupData', instance, { groupId: group }, wait),
    ownChat(askGateway, instance, wait),
  ]);
  yield groupRecipients(participants ?? [], own, rules);
}

/** Undefined if the account does not show its chat id. Then its own number counts as a recipient. */
async function ownChat(
  askGateway: AskGateway,
  instance: string,
  wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const { wid } = await askGateway<{ wid?: string | null }>('getSettings', instance, {}, wait);
    return wid ?? undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'OPERATION_FAILED') return undefined;
    throw error;
  }
}
