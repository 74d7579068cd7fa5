import {
  isKnownCountry,
  readRecipients,
  recipientTimezones,
  type RecipientFormat,
  type VerdictRules,
  groupRecipients,
  type Participant,
  type RecipientBatch,
} from '../../audience/index.js';
import {
  AppError,
  RECIPIENT_TIMEZONE,
  canonicalJson,
  withPace,
  type CampaignDefinition,
  type CampaignId,
  type Clock,
  type InstanceDirectory,
  type MessageRequest,
  type PacedProgress,
  type Problem,
  type Recipient,
} from '../../contract/index.js';
import type { z } from 'zod';
import type { testSendSchema } from '../../contract/schemas.js';
import { renderContent, inputInvalid } from '../../domain/index.js';
import type { CampaignView, FinishedImport, Ledger } from '../../ledger/index.js';
import type { AskedFor, BeginMessage, BegunMessage } from '../begin-message.js';
import { campaignId, requestHash } from '../ids.js';
import { readMessageRequest, type CheckOperation } from '../message-request.js';
import type { AskGateway } from './ask-gateway.js';
import { IMPORT_BATCH_LINES, importRecipients } from './import-recipients.js';
import type { CampaignPlan } from './campaign-plan.js';
import { planCampaign, type PlanOptions } from './plan-campaign.js';
import { readCampaign } from './read-campaign.js';
import { refuseUnusableFile } from '../usable-file.js';

/** Where recipients come from. */
export type RecipientsFrom =
  | {
      readonly bytes: AsyncIterable<Uint8Array>;
      readonly format: RecipientFormat;
      readonly delimiter?: string | undefined;
    }
  /** A group's chat id. */
  | { readonly group: string; readonly signal: AbortSignal };

/** A campaign with its progress, rate and end as of now. */
export type ShownCampaign = PacedProgress<CampaignView>;

type CampaignFilter = Parameters<Ledger['audiences']['list']>[0];

/** Campaigns before they start: defined, filled, planned, tried out. */
export interface Campaigns {
  /**
   * Writes a campaign once for its id, which the body names or the key makes.
   * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
   */
  begin(body: unknown, key: string): Promise<{ readonly campaign: ShownCampaign; readonly isNew: boolean }>;
  /**
   * Writes a campaign, or gives a draft another definition.
   * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND | CAMPAIGN_FROZEN
   */
  define(
    id: CampaignId,
    body: unknown,
    how?: { /** Only for a plan, and removed after it. @default false */ readonly isPlanOnly: boolean },
  ): Promise<{ readonly campaign: ShownCampaign; readonly isNew: boolean }>;
  /** @throws AppError CAMPAIGN_NOT_FOUND */
  view(id: CampaignId): Promise<ShownCampaign>;
  /** Newest first. */
  list(filter: CampaignFilter): Promise<{ readonly items: ShownCampaign[]; readonly cursor?: string }>;
  /**
   * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN | IMPORT_SUPERSEDED | INPUT_INVALID (the source as a whole
   *   cannot be read)
   */
  importRecipients(id: CampaignId, from: RecipientsFrom): Promise<FinishedImport>;
  /** @throws AppError CAMPAIGN_NOT_FOUND */
  plan(id: CampaignId, options: PlanOptions): Promise<CampaignPlan>;
  /**
   * Sends one single message to one's own number with what a recipient of the campaign would get.
   * @throws AppError CAMPAIGN_NOT_FOUND | INPUT_INVALID | IDEMPOTENCY_MISMATCH | TEMPORAL_UNAVAILABLE
   */
  testSend(
    id: CampaignId,
    test: z.output<typeof testSendSchema>,
    asked: AskedFor,
  ): Promise<{ readonly request: MessageRequest; readonly begun: BegunMessage }>;
}

export interface CampaignsDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly beginMessage: BeginMessage;
  readonly askGateway: AskGateway;
}

/** The command removes its plan itself, unless it is killed. The largest import takes less. */
const PLAN_KEPT_MS = 6 * 60 * 60_000;

export function createCampaigns(dependencies: CampaignsDependencies): Campaigns {
  const { ledger, clock, instances, checkOperation, beginMessage, askGateway } = dependencies;
  const { audiences } = ledger;

  async function write(
    id: CampaignId,
    definition: CampaignDefinition,
    how: 'open' | 'define',
    { isPlanOnly }: { readonly isPlanOnly: boolean } = { isPlanOnly: false },
  ) {
    const nowMs = clock.nowMs();
    const problems = timeProblems(definition, nowMs);
    if (problems.length > 0) {
      const known = await audiences.view(id, clock.nowMs());
      // What was written in time is answered, however late it is asked for again.
      if (known === undefined || canonicalJson(known.definition) !== canonicalJson(definition)) {
        throw inputInvalid('The campaign', problems);
      }
    }
    const { startAt = '', deadline = '' } = definition;
    const lastMs = Math.max(nowMs, ...[startAt, deadline].map((time) => Date.parse(time) || 0));
    await refuseUnusableFile(dependencies, 'The campaign', definition, lastMs);
    const { campaign, isNew } = await audiences[how]({
      id,
      requestHash: requestHash(definition),
      definition,
      nowMs,
      ...(isPlanOnly ? { planUntilMs: nowMs + PLAN_KEPT_MS } : {}),
    });
    return { campaign: withPace(campaign, nowMs), isNew };
  }

  async function view(id: CampaignId): Promise<ShownCampaign> {
    return withPace((await audiences.view(id, clock.nowMs())) ?? campaignUnknown(id), clock.nowMs());
  }

  async function recipientOn(id: CampaignId, line: number): Promise<Recipient> {
    const [recipient] = await audiences.recipients(id, line - 1, 1);
    if (recipient?.line === line) return recipient;
    throw inputInvalid('The test', [{ path: 'line', message: 'is no line of a recipient in the audience' }]);
  }

  return {
    async begin(body, key) {
      const { id, definition } = readCampaign(body, { checkOperation, instances });
      return write(id ?? campaignId(definition.instance, key), definition, 'open');
    },

    async define(id, body, planOnly) {
      const { id: named, definition } = readCampaign(body, { checkOperation, instances });
      if (named !== undefined && named !== id) {
        throw inputInvalid('The campaign', [{ path: 'id', message: 'is not the id in the address' }]);
      }
      return write(id, definition, 'define', planOnly);
    },

    view,

    async list(filter) {
      const { items, ...page } = await audiences.list(filter, clock.nowMs());
      return { ...page, items: items.map((campaign) => withPace(campaign, clock.nowMs())) };
    },

    importRecipients: async (id, from) => importAudience(dependencies, await view(id), from),

    plan: async (id, options) =>
      planCampaign({ ledger, clock, instances, checkOperation, askGateway }, await view(id), options),

    async testSend(id, { to, line }, asked) {
      const { instance, content } = await view(id);
      const { allowedRecipients } = instances.get(instance);
      if (allowedRecipients?.includes(to) === false) {
        throw inputInvalid('The test', [
          { path: 'to', message: `is not listed in allowedRecipients of instance ${instance}` },
        ]);
      }
      const { values } = await recipientOn(id, line);
      const { request } = readMessageRequest(
        {
          instance,
          to,
          content: renderContent(content, values),
          category: 'transactional',
          reference: `test of campaign ${id}, line ${line}`,
        },
        { checkOperation, instances },
      );
      return { request, begun: await beginMessage(request, asked) };
    },
  };
}

function timeProblems({ startAt, deadline }: CampaignDefinition, nowMs: number): Problem[] {
  const isPast = (time: string | undefined): boolean => time !== undefined && Date.parse(time) <= nowMs;
  const isReversed = startAt !== undefined && deadline !== undefined && deadline <= startAt;
  return [
    ...(isPast(startAt) ? [{ path: 'startAt', message: 'has passed' }] : []),
    ...(isPast(deadline) ? [{ path: 'deadline', message: 'has passed' }] : []),
    ...(isReversed ? [{ path: 'startAt', message: 'is not before the deadline' }] : []),
  ];
}

/** See {@link Campaigns.importRecipients}. */
export async function importAudience(
  {
    ledger,
    clock,
    instances,
    askGateway,
  }: Pick<CampaignsDependencies, 'ledger' | 'clock' | 'instances' | 'askGateway'>,
  { id, definition }: Pick<CampaignView, 'id' | 'definition'>,
  from: RecipientsFrom,
): Promise<FinishedImport> {
  const { instance } = definition;
  const rules = verdictRules(instances.get(instance).allowedRecipients, definition, clock.nowMs());
  const batches =
    'group' in from
      ? groupSource(askGateway, { ...from, instance, rules })
      : readRecipients({ ...from, ...rules }, IMPORT_BATCH_LINES);
  return importRecipients({ ledger, clock }, id, batches);
}

function verdictRules(
  allowedRecipients: readonly string[] | undefined,
  { defaultCountry, defaultTimezone, sendingWindows }: CampaignDefinition,
  nowMs: number,
): VerdictRules {
  const isByTimezone = sendingWindows?.timezone === RECIPIENT_TIMEZONE;
  return {
    ...(allowedRecipients === undefined ? {} : { allowedRecipients: new Set(allowedRecipients) }),
    ...(defaultCountry !== undefined && isKnownCountry(defaultCountry) ? { defaultCountry } : {}),
    ...(isByTimezone ? { timezoneOf: recipientTimezones(nowMs, defaultTimezone) } : {}),
  };
}

export function campaignUnknown(id: string): never {
  throw new AppError(
    'CAMPAIGN_NOT_FOUND',
    `There is no campaign ${id}. Check the id: GET /v1/campaigns lists them; everpost campaign import makes one from a file.`,
  );
}

/** Both responses are asked for at about one a second, and a gate may be taken. */
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

/** Undefined where the account does not show it: then its own number gets a message like any other. */
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
