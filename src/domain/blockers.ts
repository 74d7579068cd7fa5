/**
 * Whether the messages of a stream may be posted now, and if not: why, until when, and what ends it. Selection decides
 * the same in SQL (`claimableAt`); a property test compares both with what claims do.
 *
 * BLOCK-1 A stream is blocked by a pause of its instance, a clear of its queue, its campaign, an account that is away, its
 *    template, a cap, its hours, or the pause after its campaign's last message. The first of them is named.
 * BLOCK-2 `until` is when a claim takes its next message, as far as only time decides. It is absent if an event has to
 *    end one of the blockers. If the deadline of the campaign comes before, the remedy is a later one.
 * BLOCK-3 An account that is away blocks only messages that expire before the gateway's queue would forget them.
 */
import { type CampaignId, type CampaignState, present } from '../contract/index.js';
import { isPauseState } from './account-states.js';
import { dailyCaps, openTimes, type ClosedBy, type SendingRules } from './open-times.js';

/** Why something is not posted now. Times are ISO UTC. */
export interface Blocker {
  readonly code: BlockerCode;
  readonly text?: string;
  /** Absent if it is not known, as for hours that no tick has reached yet. */
  readonly since?: string;
  readonly until?: string;
  /** What an operator can do: a command. Absent if only time or the gateway ends it. */
  readonly remedy?: string;
}

type BlockerCode =
  | 'INSTANCE_PAUSED'
  | 'QUEUE_CLEARING'
  | 'CAMPAIGN_NOT_RUNNING'
  | 'CAMPAIGN_DEADLINE_PASSED'
  | 'TEMPLATE_NOT_APPROVED'
  | 'INSTANCE_NOT_AUTHORIZED'
  | 'DAILY_LIMIT_REACHED'
  | ClosedBy
  | 'PAUSE_BETWEEN_MESSAGES';

/** What the ledger knows of a stream. */
export interface StreamFacts {
  readonly rules: SendingRules;
  readonly needsPhone: boolean;
  /** The pauses that have not ended, oldest first. */
  readonly pauses: readonly { readonly reason: string; readonly since: string }[];
  readonly clearing?: { readonly until: Date; readonly since: Date } | undefined;
  readonly away?: { readonly state: string; readonly since: Date } | undefined;
  readonly campaign?:
    { readonly id: CampaignId; readonly state: CampaignState; readonly deadlineAt: Date | null } | undefined;
  /** Absent if the stream's messages name no template, or one that only the gateway knows. */
  readonly template?: TemplateFacts | undefined;
  readonly caps: readonly CapFacts[];
  /** When the stream closed; kept after it has opened. */
  readonly closedSince?: Date | undefined;
  /** The end of the pause after the campaign's last message. */
  readonly nextAt?: Date | undefined;
}

interface TemplateFacts {
  readonly name: string;
  /** The status of its review, or the state of its submission while there is none. */
  readonly status: string;
  /** Whether the gateway's id of the template is known. */
  readonly hasId: boolean;
  readonly since?: Date | undefined;
}

export interface CapFacts {
  readonly scope: string;
  readonly posted: number;
  readonly reached_at: Date | null;
  readonly day_ends_at: Date;
}

/** One blocker, with the time that ends it; Infinity if an event has to. */
type Block = Omit<Blocker, 'until'> & { readonly untilMs: number };

/** BLOCK-1, BLOCK-2. */
export function streamBlocker(facts: StreamFacts, nowMs: number): Blocker | undefined {
  const [first] = blocksAt(facts, nowMs);
  if (first === undefined) return undefined;
  const { untilMs: _, ...blocker } = first;
  const opens = claimableAt(facts, nowMs);
  if (typeof opens === 'number') return { ...blocker, until: new Date(opens).toISOString() };
  const isTooLate = opens.code === 'CAMPAIGN_DEADLINE_PASSED' && blocker.code !== opens.code;
  const remedy = isTooLate ? `everpost campaign update ${facts.campaign?.id} --deadline TIME` : undefined;
  return { ...present({ remedy }), ...blocker };
}

/**
 * When no blocker is left: after one has ended another may hold, as hours that close while a cap is reached.
 * @returns the first blocker that only an event ends, if there is one
 */
function claimableAt(facts: StreamFacts, nowMs: number): number | Block {
  let atMs = nowMs;
  for (let blocks = blocksAt(facts, atMs); blocks.length > 0; blocks = blocksAt(facts, atMs)) {
    const forEver = blocks.find(({ untilMs }) => untilMs === Infinity);
    if (forEver !== undefined) return forEver;
    atMs = Math.max(...blocks.map(({ untilMs }) => untilMs));
  }
  return atMs;
}

function blocksAt(facts: StreamFacts, atMs: number): Block[] {
  const blocks = [
    byPause(facts),
    byClear(facts, atMs),
    byCampaign(facts, atMs),
    byAccount(facts),
    byTemplate(facts),
    byCap(facts, atMs),
    byHours(facts, atMs),
    byPauseBetween(facts, atMs),
  ];
  return blocks.filter((block) => block !== undefined);
}

function byPause({ pauses, rules: { instance } }: StreamFacts): Block | undefined {
  const [first] = pauses;
  if (first === undefined) return undefined;
  const reasons = pauses.map(({ reason }) => reason);
  const how = reasons.some((reason) => isPauseState(reason)) ? '. Resume it once the account is authorized' : '';
  return {
    code: 'INSTANCE_PAUSED',
    text: `instance ${instance} is paused (${reasons.join(', ')})${how}`,
    since: first.since,
    remedy: `everpost instance resume ${instance}`,
    untilMs: Infinity,
  };
}

function byClear({ clearing, rules: { instance } }: StreamFacts, atMs: number): Block | undefined {
  if (clearing === undefined || clearing.until.getTime() <= atMs) return undefined;
  const text = `the gateway's queue of instance ${instance} is being cleared, until ${clearing.until.toISOString()} at the latest`;
  return { code: 'QUEUE_CLEARING', text, since: clearing.since.toISOString(), untilMs: clearing.until.getTime() };
}

function byCampaign({ campaign }: StreamFacts, atMs: number): Block | undefined {
  if (campaign === undefined) return undefined;
  const { id, state, deadlineAt } = campaign;
  if (state !== 'running') {
    const remedy = state === 'paused' ? `everpost campaign resume ${id}` : undefined;
    return {
      code: 'CAMPAIGN_NOT_RUNNING',
      text: `campaign ${id} is ${state}`,
      ...present({ remedy }),
      untilMs: Infinity,
    };
  }
  if (deadlineAt === null || deadlineAt.getTime() > atMs) return undefined;
  return { code: 'CAMPAIGN_DEADLINE_PASSED', since: deadlineAt.toISOString(), untilMs: Infinity };
}

function byTemplate({ template }: StreamFacts): Block | undefined {
  if (template === undefined) return undefined;
  const { name, status, hasId, since } = template;
  const isApproved = status === 'APPROVED';
  if (isApproved && hasId) return undefined;
  return {
    code: 'TEMPLATE_NOT_APPROVED',
    text: `template ${name} is ${isApproved ? 'approved, but its id is unknown' : status}`,
    ...present({
      since: since?.toISOString(),
      remedy: isApproved ? `everpost template set-review ${name} --status APPROVED --template-id ID` : undefined,
    }),
    untilMs: Infinity,
  };
}

/** BLOCK-3. */
function byAccount({ needsPhone, away }: StreamFacts): Block | undefined {
  if (!needsPhone || away === undefined) return undefined;
  const { state: text, since } = away;
  return { code: 'INSTANCE_NOT_AUTHORIZED', text, since: since.toISOString(), untilMs: Infinity };
}

/** By the cap of the settings, also if no tick has stored it yet. Urgent messages ignore their instance's (LIMIT-6). */
function byCap({ rules, caps }: StreamFacts, atMs: number): Block | undefined {
  const reached = dailyCaps(rules, atMs).flatMap(({ scope, cap }) => {
    const counted = caps.find((one) => one.scope === scope && one.day_ends_at.getTime() > atMs);
    const isIgnored = rules.isUrgent && scope.startsWith('instance:');
    return counted === undefined || counted.posted < cap || isIgnored ? [] : [{ ...counted, cap }];
  });
  const [first] = reached;
  if (first === undefined) return undefined;
  const { scope, posted, cap, reached_at } = first;
  return {
    code: 'DAILY_LIMIT_REACHED',
    text: `${posted} of ${cap} messages posted today by the ${scope.startsWith('campaign:') ? 'campaign' : 'instance'}`,
    ...present({ since: reached_at?.toISOString() }),
    untilMs: Math.max(...reached.map(({ day_ends_at }) => day_ends_at.getTime())),
  };
}

function byHours({ rules, closedSince }: StreamFacts, atMs: number): Block | undefined {
  const { opensAtMs, closedBy: code = 'SENDING_WINDOW_CLOSED', problem: text } = openTimes(rules, atMs);
  if (opensAtMs <= atMs) return undefined;
  return { code, ...present({ text, since: closedSince?.toISOString() }), untilMs: opensAtMs };
}

function byPauseBetween({ rules, nextAt }: StreamFacts, atMs: number): Block | undefined {
  const isJittered = rules.campaign?.limits?.jitter !== undefined;
  if (!isJittered || nextAt === undefined || nextAt.getTime() <= atMs) return undefined;
  return { code: 'PAUSE_BETWEEN_MESSAGES', untilMs: nextAt.getTime() };
}
