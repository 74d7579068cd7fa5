import { CAMPAIGN_END_STATES, MESSAGE_STATES, isInPhase, present, type MessageState } from '../../contract/index.js';
import { timeBuckets, type TimeBuckets } from '../../domain/index.js';
import {
  SUMMARY_EVENTS,
  type CampaignView,
  type Ledger,
  type ReasonCount,
  type SummaryEvent,
} from '../../ledger/index.js';

export interface CampaignSummary {
  readonly campaign: CampaignView;
  readonly timezone: string;
  readonly generatedAtMs: number;
  /** How many recipients are in each state, for each reason. They add up to `recipients`. */
  readonly outcomes: readonly ReasonCount[];
  readonly recipients: number;
  /** Absent once the recipients were removed, and while nothing has happened. */
  readonly overTime?: OverTime;
}

export interface OverTime {
  readonly buckets: TimeBuckets;
  /** For each event the messages in each bucket. */
  readonly messages: Readonly<Record<SummaryEvent, readonly number[]>>;
}

const MINUTE_MS = 60_000;
/** The offsets of all timezones are multiples of it. */
const QUARTER_MS = 15 * MINUTE_MS;
/** The longest run of a campaign whose buckets can be shorter than a quarter of an hour. */
const SHORT_RUN_MS = 6 * 60 * MINUTE_MS;

/**
 * Counts the recipients of a campaign. A million take some ten seconds, in parts between which other work runs.
 * @param signal  ends it when the caller has gone
 */
export async function summarizeCampaign(
  ledger: Ledger,
  campaign: CampaignView,
  { timezone, nowMs, signal }: { readonly timezone: string; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<CampaignSummary> {
  const head = { campaign, timezone, generatedAtMs: nowMs };
  if (campaign.recipientsRemovedAt !== undefined) {
    const outcomes = MESSAGE_STATES.map((state) => ({ state, reason: null, recipients: campaign.counts[state] }));
    return { ...head, outcomes, recipients: campaign.audience };
  }
  const counted = await countCampaign(ledger, campaign, { nowMs, signal });
  const { outcomes } = counted;
  const recipients = outcomes.reduce((sum, outcome) => sum + outcome.recipients, 0);
  return { ...head, outcomes, recipients, ...present({ overTime: overTime(counted, timezone) }) };
}

/** What is counted of the recipients of a campaign, in no timezone. */
export interface CountedCampaign {
  readonly outcomes: readonly ReasonCount[];
  /** How many messages each event happened to, by the begin of each slot. */
  readonly slots: ReadonlyMap<number, Readonly<Record<SummaryEvent, number>>>;
  readonly slotMs: number;
}

/** @throws AppError CAMPAIGN_RECIPIENTS_REMOVED */
export async function countCampaign(
  ledger: Ledger,
  { id, startedAt, endedAt }: Pick<CampaignView, 'id' | 'startedAt' | 'endedAt'>,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal },
): Promise<CountedCampaign> {
  const endMs = endedAt === undefined ? nowMs : Date.parse(endedAt);
  const startMs = startedAt === undefined ? endMs : Date.parse(startedAt);
  const slotMs = endMs - startMs > SHORT_RUN_MS ? QUARTER_MS : MINUTE_MS;
  const outcomes = new Map<string, ReasonCount>();
  const slots = new Map<number, Record<SummaryEvent, number>>();
  for (let block = 0, isLast = false; !isLast; block += 1) {
    signal.throwIfAborted();
    const part = await ledger.campaigns.summaryPart(id, { block, slotMs });
    for (const outcome of part.outcomes) {
      const key = `${outcome.state} ${outcome.reason ?? ''}`;
      const recipients = (outcomes.get(key)?.recipients ?? 0) + outcome.recipients;
      if (recipients > 0) outcomes.set(key, { ...outcome, recipients });
    }
    for (const { event, slotMs: at, messages } of part.events) {
      const slot = slots.get(at) ?? { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
      slot[event] += messages;
      slots.set(at, slot);
    }
    ({ isLast } = part);
  }
  return { outcomes: [...outcomes.values()], slots, slotMs };
}

/** @returns undefined if nothing has happened */
export function overTime({ slots, slotMs }: CountedCampaign, timezone: string): OverTime | undefined {
  if (slots.size === 0) return undefined;
  const times = [...slots.keys()].toSorted((one, other) => one - other);
  const buckets = timeBuckets(timezone, times.at(0) ?? 0, times.at(-1) ?? 0, slotMs);
  const none = () => buckets.startsMs.map(() => 0);
  const messages = { accepted: none(), sent: none(), delivered: none(), read: none(), failed: none() };
  let bucket = 0;
  for (const at of times) {
    while (at >= (buckets.startsMs[bucket + 1] ?? Infinity)) bucket += 1;
    for (const event of SUMMARY_EVENTS) {
      messages[event][bucket] = (messages[event][bucket] ?? 0) + (slots.get(at)?.[event] ?? 0);
    }
  }
  return { buckets, messages };
}

export function hasEnded({ campaign }: CampaignSummary): boolean {
  return CAMPAIGN_END_STATES.includes(campaign.state);
}

/** How many messages reached each step. A later step implies the earlier ones. */
export function stepsOf({ outcomes, overTime: times }: CampaignSummary) {
  const inStates = (...states: readonly MessageState[]) =>
    outcomes.reduce((sum, { state, recipients }) => sum + (states.includes(state) ? recipients : 0), 0);
  const total = (event: SummaryEvent) => times?.messages[event].reduce((sum, one) => sum + one, 0);
  return {
    sent: total('sent') ?? inStates('sent', 'delivered', 'read'),
    delivered: total('delivered') ?? inStates('delivered', 'read'),
    read: total('read') ?? inStates('read'),
    notReached: outcomes.reduce((sum, { state, recipients }) => sum + (isNotReached(state) ? recipients : 0), 0),
  };
}

/** True for recipients who surely did not get the message and are not about to. */
export function isNotReached(state: MessageState): boolean {
  return isInPhase(state, 'undeliverable', 'unsent');
}
