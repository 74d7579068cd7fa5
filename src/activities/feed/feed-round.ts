import {
  MOST_UNKNOWN,
  isPause,
  type CampaignProgress,
  type CampaignWaiting,
  type ContentTemplate,
} from '../../contract/index.js';
import { templateContentSchema } from '../../contract/schemas.js';
import { ASSUMED_INTERVAL_MS, pauseText, type FeedingTurn, type NextRecipients } from '../../ledger/index.js';
import { AUTHORIZED, type InstanceStateReader } from '../instance-state.js';
import type { QueueDepth } from '../queue-depth.js';
import type { ProtocolDependencies } from '../send-protocol.js';
import { templateGate, type TemplateGate } from '../templates/index.js';
import { untilRecorded } from '../until-recorded.js';
import { BATCH, feedRoom, type TemplatePass } from './feed-room.js';
import { roomFor, untilFloorMs, UNKNOWN_PACE_POLL_MS } from './next-poll.js';
import { OUTCOMES_UNKNOWN, type Nerve, type Stop, type Unrecorded } from './post-batch.js';
import type { OpenQuestions } from './settle-open.js';

/** The turn of a worker that died is free again after so long. */
const TURN_MS = 30_000;
/** Later than it said by more than this a campaign no longer counts as waiting for its turn. */
const PATIENCE_MS = 3_000;
/**
 * What is seen of an instance's state holds for so long; while it is bad, for less, since feeding goes on soon after.
 */
const STATE_HOLDS_MS = 60_000;
const BAD_STATE_HOLDS_MS = 10_000;
/**
 * For a phone that has been off for long rarer: that it is on again the gateway tells, and this is for one that does
 * not.
 */
const STATE_POLL_MS = 15_000;
const LATEST_STATE_POLL_MS = 10 * 60_000;
/** There is a turn to read once a second; in between, the last reading and what was added since tell the depth. */
const READING = { maxAgeMs: 1_000, turnWithinMs: 3_000, wantsPace: true };
const LAST_READING = { maxAgeMs: Infinity, turnWithinMs: 0, wantsPace: false };
const OPEN_POLL_MS = 5_000;
const RETRY_POLL_MS = 2_000;
const SOON_MS = 200;
/** Resuming a campaign wakes it; this poll is for recipients who are still open. */
const PAUSED_POLL_MS = 30 * 60_000;
const LATEST_RECEIPT_POLL_MS = 5 * 60_000;
const SOONEST_RECEIPT_POLL_MS = 1_000;

const NOT_AUTHORIZED = 'INSTANCE_NOT_AUTHORIZED';
const INSTANCE_PAUSED = 'INSTANCE_PAUSED';

export interface FeedDependencies {
  readonly queueDepth: QueueDepth;
  readonly instanceStates: InstanceStateReader;
  readonly openQuestions: OpenQuestions;
}

export interface RoundResult {
  readonly fed: number;
  readonly notAccepted: number;
  readonly nextPollMs: number;
  /** The latest that may be, where it is another than usual. */
  readonly latestPollMs?: number;
  /** Why it fed nothing, or no more. */
  readonly waiting?: Pick<CampaignWaiting, 'code' | 'text'>;
  /** True when no recipient is left to be posted to. */
  readonly isAllFed?: boolean;
  readonly unrecorded: readonly Unrecorded[];
}

/** @returns one round of a poll; `before` is the campaign at the poll's beginning */
export function createFeedRound(
  deps: ProtocolDependencies,
  { queueDepth, instanceStates, openQuestions }: FeedDependencies,
): (before: CampaignProgress, nerve: Nerve) => Promise<RoundResult> {
  const { ledger, clock } = deps;

  /** So long it has waited for this and nothing else. */
  function waitedMs(waiting: CampaignWaiting | undefined, code: string): number {
    return waiting?.code === code ? clock.nowMs() - Date.parse(waiting.since) : 0;
  }

  /** What stands in the way of the whole instance. */
  async function whatBlocks({ instance, waiting }: CampaignProgress): Promise<RoundResult | undefined> {
    const pauses = await ledger.instances.pauses(instance);
    const reasons = pauses.map(({ reason }) => reason);
    if (reasons.length > 0)
      return waitsForPhone(waiting, { code: INSTANCE_PAUSED, text: pauseText(instance, reasons) });
    let { state } = await instanceStates.now(instance, STATE_HOLDS_MS);
    if (state !== undefined && state !== AUTHORIZED)
      ({ state } = await instanceStates.now(instance, BAD_STATE_HOLDS_MS));
    // One that does not tell its state is not kept waiting: the posts say what is wrong.
    if (state !== undefined && state !== AUTHORIZED) {
      return waitsForPhone(waiting, { code: NOT_AUTHORIZED, text: state });
    }
    const unknown = await ledger.feeding.unknownOutcomes(instance, MOST_UNKNOWN);
    return unknown < MOST_UNKNOWN ? undefined : nothing(OPEN_POLL_MS, { code: OUTCOMES_UNKNOWN });
  }

  /** Back off while waiting; a notification wakes the campaign early. */
  function waitsForPhone(before: CampaignWaiting | undefined, why: NonNullable<RoundResult['waiting']>): RoundResult {
    const pollMs = Math.max(STATE_POLL_MS, waitedMs(before, why.code) / 10);
    return { ...nothing(pollMs, why), latestPollMs: LATEST_STATE_POLL_MS };
  }

  /** No recipient is due: all were posted to, or the next try of some is still to come. */
  async function allFed(before: CampaignProgress, later: NextRecipients['later']): Promise<RoundResult> {
    const nowMs = clock.nowMs();
    if (later !== undefined) {
      const waiting = later.atMs === undefined ? { code: 'MESSAGE_CLAIMED_ELSEWHERE' } : before.waiting;
      return nothing(later.atMs === undefined ? RETRY_POLL_MS : Math.max(SOON_MS, later.atMs - nowMs), waiting);
    }
    const { depth = 0, intervalMs = 0 } = await queueDepth.now(before.instance, LAST_READING);
    const waiting = waitingAfterAll(before);
    const sinceMs = waitedMs(before.waiting, waiting.code);
    // The longer nothing has come, the rarer it is looked at.
    const nextPollMs = Math.max(SOONEST_RECEIPT_POLL_MS, (depth + 1) * intervalMs, sinceMs / 4);
    return { ...nothing(nextPollMs, waiting), latestPollMs: LATEST_RECEIPT_POLL_MS, isAllFed: true };
  }

  async function feedInTurn(
    turn: FeedingTurn,
    first: NextRecipients,
    isProbe: boolean,
    nerve: Nerve,
    pass: TemplatePass,
  ): Promise<RoundResult> {
    const begunAtMs = clock.nowMs();
    const queue = await queueDepth.now(turn.instance, READING);
    const { depth } = queue;
    if (depth === undefined) return afterTurn(turn, nothing(UNKNOWN_PACE_POLL_MS, { code: 'GATEWAY_BUSY' }));
    if (depth > turn.floor) {
      const waiting = { code: 'QUEUE_FULL', text: `${depth} in the queue` };
      return afterTurn(turn, nothing(untilFloorMs(turn, depth, queue.intervalMs), waiting), true);
    }
    const fed = await feedRoom(deps, turn, {
      first,
      room: roomFor(turn, depth, queue.isReadable),
      isProbe,
      nerve,
      pass,
    });
    // Meanwhile the queue went on.
    const untilNextMs = untilFloorMs(turn, depth + fed.accepted, queue.intervalMs) - (clock.nowMs() - begunAtMs);
    const isDone = fed.end === 'all_fed' || fed.end === 'refused' || fed.accepted === 0;
    const nextPollMs =
      fed.stop?.retryAfterMs ?? (isDone ? SOON_MS : fed.end === 'turn_over' ? 0 : Math.max(0, untilNextMs));
    const round: RoundResult = {
      fed: fed.accepted,
      notAccepted: fed.notAccepted,
      nextPollMs,
      unrecorded: fed.unrecorded,
      ...(fed.stop === undefined ? {} : { waiting: waitingFor(fed.stop) }),
    };
    const keptForMs =
      turn.isKeptItem && fed.accepted > 0 ? (depth + 1) * (queue.intervalMs ?? ASSUMED_INTERVAL_MS) : undefined;
    return afterTurn(turn, round, fed.end === 'full' || fed.end === 'turn_over', keptForMs);
  }

  async function afterTurn(
    turn: FeedingTurn,
    round: RoundResult,
    isHungry = false,
    keptForMs?: number,
  ): Promise<RoundResult> {
    const hungryForMs = isHungry ? round.nextPollMs + PATIENCE_MS : 0;
    const kept = keptForMs === undefined ? {} : { keptForMs };
    await untilRecorded(() => ledger.feeding.leave(turn, { hungryForMs, ...kept, nowMs: clock.nowMs() }));
    return round;
  }

  /** A template that is named by a column is each recipient's own, and checked by the gateway. */
  async function gateOf(instance: string, content: ContentTemplate): Promise<TemplateGate> {
    if (content.kind !== 'template') return { kind: 'open' };
    const read = templateContentSchema.safeParse(content);
    const isFixed = read.success && !`${read.data.elementName} ${read.data.templateId}`.includes('{{');
    return isFixed ? templateGate(deps, instance, read.data) : { kind: 'open' };
  }

  async function feedIfPossible(before: CampaignProgress, nerve: Nerve): Promise<RoundResult> {
    const state = await ledger.campaigns.state(before.id);
    if (state === 'cancelling') return allFed(before, undefined);
    if (state !== 'running') return PAUSED;
    const first = await ledger.feeding.next(before.id, BATCH, clock.nowMs());
    if (!first.isMore) return allFed(before, first.later);
    if (await ledger.campaigns.pauseIfFailing(before.id, clock.nowMs())) return PAUSED;
    const blocked = await whatBlocks(before);
    if (blocked !== undefined) return blocked;
    // A poll may go on for a while, and it is not paused meanwhile.
    if (before.waiting !== undefined && isPause(before.waiting)) {
      await ledger.campaigns.setWaiting(before.id, undefined, clock.nowMs());
    }
    const gate = await gateOf(before.instance, first.content);
    if (gate.kind === 'wait') {
      return nothing(gate.retryAfterMs, { code: 'TEMPLATE_NOT_APPROVED', text: gate.words });
    }
    const turn = { campaignId: before.id, forMs: TURN_MS, patienceMs: PATIENCE_MS, nowMs: clock.nowMs() };
    const response = await ledger.feeding.take(turn);
    if (!response.granted) {
      return nothing(response.retryAfterMs, response.why === 'FEEDING_TURN' ? { code: response.why } : undefined);
    }
    // Whatever stood in the way last time may still: one goes first.
    return feedInTurn(response.turn, first, before.waiting !== undefined, nerve, passOf(gate));
  }

  return async (before, nerve) => {
    const nextQuestionMs = await openQuestions.settle(before.id);
    const round = await feedIfPossible(before, nerve);
    if (nextQuestionMs === undefined) return round;
    return { ...round, nextPollMs: Math.min(round.nextPollMs, Math.max(0, nextQuestionMs - clock.nowMs())) };
  };
}

function passOf(gate: Exclude<TemplateGate, { kind: 'wait' }>): TemplatePass {
  if (gate.kind === 'never') return { never: gate.text === undefined ? gate.reason : `${gate.reason}: ${gate.text}` };
  return gate.templateId === undefined ? {} : { templateId: gate.templateId };
}

function nothing(nextPollMs: number, waiting?: RoundResult['waiting']): RoundResult {
  return { fed: 0, notAccepted: 0, nextPollMs, unrecorded: [], ...(waiting === undefined ? {} : { waiting }) };
}

/** By an operator or by its own automatic pause, which the row says. */
const PAUSED: RoundResult = { ...nothing(PAUSED_POLL_MS), latestPollMs: PAUSED_POLL_MS };

/** Every recipient was posted to. An unresolved recipient waits for an operator or for late evidence. */
function waitingAfterAll({ counts }: CampaignProgress): NonNullable<RoundResult['waiting']> {
  const { sending, unknown, accepted, unresolved } = counts;
  return unresolved > 0 && sending + unknown + accepted === 0
    ? { code: 'MESSAGES_UNRESOLVED', text: `${unresolved} unresolved` }
    : { code: 'RECEIPTS' };
}

function waitingFor({ code, text }: Stop): NonNullable<RoundResult['waiting']> {
  return { code, ...(text === undefined ? {} : { text }) };
}
