import { randomUUID } from 'node:crypto';
import type { CampaignProgress, CampaignWaiting } from '../../contract/index.js';
import { ASSUMED_INTERVAL_MS, type FeedingTurn, type NextPeople } from '../../ledger/index.js';
import { AUTHORIZED, type InstanceStateReader } from '../instance-state.js';
import type { QueueDepth, QueueNow } from '../queue-depth.js';
import { claimTimes, type ProtocolDependencies } from '../send-protocol.js';
import { untilLedgerTakesIt } from '../until-ledger-takes-it.js';
import { composeContent } from './compose-content.js';
import { MOST_UNKNOWN, OUTCOMES_OPEN, postBatch, type Nerve, type Stop, type Unrecorded } from './post-batch.js';
import type { OpenQuestions } from './settle-open.js';

/** All of a batch leave within the posting deadline, at the slowest rate that a kind of message has. */
const BATCH = 20;
/** The turn of a worker that died is free again after so long. */
const TURN_MS = 30_000;
/** A turn used for so long is taken anew. */
const RENEW_TURN_MS = 10_000;
/** Later than it said by more than this a campaign no longer counts as waiting for its turn. */
const PATIENCE_MS = 3_000;
/** What is seen of an instance's state holds for so long; while it is bad, for less, since feeding goes on soon after. */
const STATE_HOLDS_MS = 60_000;
const BAD_STATE_HOLDS_MS = 10_000;
const STATE_LOOK_MS = 15_000;
/** A reading is for one round; where no turn to read is free so soon, the last one has to do. */
const READING = { maxAgeMs: 0, turnWithinMs: 300, wantsPace: true };
const LAST_READING = { maxAgeMs: Infinity, turnWithinMs: 0, wantsPace: false };
/** While nobody knows the pace it is looked at often, to learn it. */
const UNKNOWN_PACE_LOOK_MS = 1_000;
const OPEN_LOOK_MS = 5_000;
const RETRY_LOOK_MS = 2_000;
const SOON_MS = 200;
const NOT_RUNNING_LOOK_MS = 60_000;
const SOONEST_RECEIPT_LOOK_MS = 1_000;

export interface FeedParts {
  readonly queueDepth: QueueDepth;
  readonly instanceStates: InstanceStateReader;
  readonly openQuestions: OpenQuestions;
}

export interface RoundResult {
  readonly fed: number;
  readonly notAccepted: number;
  readonly nextLookMs: number;
  /** Why it fed nothing, or no more. */
  readonly waiting?: Pick<CampaignWaiting, 'code' | 'text'>;
  /** True when nobody is left to be posted to. */
  readonly isAllFed?: boolean;
  readonly unrecorded: readonly Unrecorded[];
}

/** What was put into the queue in one turn. */
interface Fed {
  accepted: number;
  notAccepted: number;
  isMore: boolean;
  stop?: Stop;
  readonly unrecorded: Unrecorded[];
}

/** @returns one round of a look; `before` is the campaign at the look's beginning */
export function createFeedRound(
  deps: ProtocolDependencies,
  { queueDepth, instanceStates, openQuestions }: FeedParts,
): (before: CampaignProgress, nerve: Nerve) => Promise<RoundResult> {
  const { ledger, clock } = deps;

  /** What stands in the way of the whole instance. */
  async function whatBlocks(instance: string): Promise<RoundResult | undefined> {
    let { state } = await instanceStates.now(instance, STATE_HOLDS_MS);
    if (state !== undefined && state !== AUTHORIZED)
      ({ state } = await instanceStates.now(instance, BAD_STATE_HOLDS_MS));
    // One that does not tell its state is not kept waiting: the posts say what is wrong.
    if (state !== undefined && state !== AUTHORIZED) {
      return nothing(STATE_LOOK_MS, { code: 'INSTANCE_NOT_AUTHORIZED', text: state });
    }
    const unknown = await ledger.feeding.unknownOutcomes(instance, MOST_UNKNOWN);
    return unknown < MOST_UNKNOWN ? undefined : nothing(OPEN_LOOK_MS, { code: OUTCOMES_OPEN });
  }

  /** Nobody is due: all were posted to, or the next try of some is still to come. */
  async function allFed(before: CampaignProgress, later: NextPeople['later']): Promise<RoundResult> {
    const nowMs = clock.nowMs();
    if (later !== undefined) {
      const waiting = later.atMs === undefined ? { code: 'MESSAGE_CLAIMED_ELSEWHERE' } : before.waiting;
      return nothing(later.atMs === undefined ? RETRY_LOOK_MS : Math.max(SOON_MS, later.atMs - nowMs), waiting);
    }
    const { depth = 0, intervalMs = 0 } = await queueDepth.now(before.instance, LAST_READING);
    const sinceMs = before.waiting?.code === 'RECEIPTS' ? nowMs - Date.parse(before.waiting.since) : 0;
    // The longer nothing has come, the rarer it is looked at.
    const nextLookMs = Math.max(SOONEST_RECEIPT_LOOK_MS, (depth + 1) * intervalMs, sinceMs / 4);
    return { ...nothing(nextLookMs, { code: 'RECEIPTS' }), isAllFed: true };
  }

  async function feedInTurn(
    turn: FeedingTurn,
    first: NextPeople,
    isProbe: boolean,
    nerve: Nerve,
  ): Promise<RoundResult> {
    const queue = await queueDepth.now(turn.instance, READING);
    const { depth } = queue;
    if (depth === undefined) return afterTurn(turn, nothing(UNKNOWN_PACE_LOOK_MS, { code: 'GATEWAY_BUSY' }));
    if (depth > turn.floor) {
      const waiting = { code: 'QUEUE_FULL', text: `${depth} in the queue` };
      return afterTurn(turn, nothing(untilFloorMs(turn, depth, queue), waiting), true);
    }
    const fed = await feedRoom(turn, first, roomFor(turn, depth, queue.isReadable), isProbe, nerve);
    const nextLookMs = fed.stop?.retryAfterMs ?? untilFloorMs(turn, depth + fed.accepted, queue);
    const round: RoundResult = {
      fed: fed.accepted,
      notAccepted: fed.notAccepted,
      nextLookMs: fed.stop === undefined && !fed.isMore ? SOON_MS : nextLookMs,
      unrecorded: fed.unrecorded,
      ...(fed.stop === undefined ? {} : { waiting: waitingFor(fed.stop) }),
    };
    const keptForMs =
      turn.isKeptItem && fed.accepted > 0 ? (depth + 1) * (queue.intervalMs ?? ASSUMED_INTERVAL_MS) : undefined;
    return afterTurn(turn, round, fed.isMore && fed.stop === undefined, keptForMs);
  }

  /** Batch after batch, as long as there is room, and the claims find the campaign running and the turn its own. */
  async function feedRoom(
    turn: FeedingTurn,
    first: NextPeople,
    room: number,
    isProbe: boolean,
    nerve: Nerve,
  ): Promise<Fed> {
    const fed: Fed = { accepted: 0, notAccepted: 0, isMore: true, unrecorded: [] };
    let next = firstOf(first, Math.min(room, isProbe ? 1 : BATCH));
    let left = room;
    const untilMs = performance.now() + RENEW_TURN_MS;
    while (fed.stop === undefined && performance.now() < untilMs) {
      deps.reached?.('claim.before');
      const batch = {
        turn,
        contentVersion: next.contentVersion,
        throughLine: next.throughLine,
        entries: next.people.map((person) => ({
          person,
          token: randomUUID(),
          ...composeContent(deps.gateway, turn.instance, next.content, person),
        })),
        ...claimTimes(deps),
      };
      const { claimed, isOpen } = await untilLedgerTakesIt(() => ledger.feeding.claim(batch));
      if (!isOpen) return fed;
      deps.reached?.('claim.after');
      const posted = await postBatch(deps, claimed, nerve);
      fed.accepted += posted.accepted;
      fed.notAccepted += posted.notAccepted;
      fed.unrecorded.push(...posted.unrecorded);
      if (posted.stop !== undefined) return { ...fed, stop: posted.stop };
      left -= claimed.length;
      if (left <= 0) return fed;
      next = await ledger.feeding.next(turn.campaignId, Math.min(left, BATCH), clock.nowMs());
      if (!next.isMore) return { ...fed, isMore: false };
    }
    return fed;
  }

  async function afterTurn(
    turn: FeedingTurn,
    round: RoundResult,
    isHungry = false,
    keptForMs?: number,
  ): Promise<RoundResult> {
    const hungryForMs = isHungry ? round.nextLookMs + PATIENCE_MS : 0;
    const kept = keptForMs === undefined ? {} : { keptForMs };
    await untilLedgerTakesIt(() => ledger.feeding.leave(turn, { hungryForMs, ...kept, nowMs: clock.nowMs() }));
    return round;
  }

  async function feedIfPossible(before: CampaignProgress, nerve: Nerve): Promise<RoundResult> {
    const state = await ledger.campaigns.state(before.id);
    if (state !== 'running') return nothing(NOT_RUNNING_LOOK_MS);
    const first = await ledger.feeding.next(before.id, BATCH, clock.nowMs());
    if (!first.isMore) return allFed(before, first.later);
    const blocked = await whatBlocks(before.instance);
    if (blocked !== undefined) return blocked;
    const turn = { campaignId: before.id, forMs: TURN_MS, patienceMs: PATIENCE_MS, nowMs: clock.nowMs() };
    const answer = await ledger.feeding.take(turn);
    if (!answer.granted) {
      return nothing(answer.retryAfterMs, answer.why === 'FEEDING_TURN' ? { code: answer.why } : undefined);
    }
    // Whatever stood in the way last time may still: one goes first.
    return feedInTurn(answer.turn, first, before.waiting !== undefined, nerve);
  }

  return async (before, nerve) => {
    const nextQuestionMs = await openQuestions.settle(before.id);
    const round = await feedIfPossible(before, nerve);
    if (nextQuestionMs === undefined) return round;
    return { ...round, nextLookMs: Math.min(round.nextLookMs, Math.max(0, nextQuestionMs - clock.nowMs())) };
  };
}

function nothing(nextLookMs: number, waiting?: RoundResult['waiting']): RoundResult {
  return { fed: 0, notAccepted: 0, nextLookMs, unrecorded: [], ...(waiting === undefined ? {} : { waiting }) };
}

function waitingFor({ code, text }: Stop): NonNullable<RoundResult['waiting']> {
  return { code, ...(text === undefined ? {} : { text }) };
}

/** While the queue cannot be read, half of what is worked out is risked. */
function roomFor({ most, ceiling }: FeedingTurn, depth: number, isReadable: boolean): number {
  const room = Math.max(0, Math.min(most, ceiling - depth));
  return isReadable ? room : Math.ceil(room / 2);
}

/** Until the queue is down to where it is fed again, and half a release more, so as not to come a moment too early. */
function untilFloorMs({ floor }: FeedingTurn, depth: number, { intervalMs }: QueueNow): number {
  if (intervalMs === undefined) return UNKNOWN_PACE_LOOK_MS;
  return Math.max(0, depth - floor + 0.5) * intervalMs;
}

/** The first so many of them; the others stay where they are. */
function firstOf(next: NextPeople, count: number): NextPeople {
  const people = next.people.slice(0, count);
  const last = people.at(-1);
  return people.length === next.people.length || last === undefined
    ? next
    : { ...next, people, throughLine: last.line };
}
