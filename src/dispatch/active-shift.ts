/**
 * The ticker's state of one shift: what is in flight, what may be claimed, and when that can change. Times are
 * monotonic.
 *
 * SHIFT-1 A shift ends after 10 s without work, after 10 minutes, on request, when another shift has replaced it, or
 *    when its instance accepts no messages. It then stops claiming, finishes its POSTs, records their outcomes and
 *    returns.
 * SHIFT-2 After a claim that did not fill the room, the next claim waits for a reason: a wake, an outcome, room for a
 *    class that had none, or the next due time. After 5 s it claims anyway, in case a reason was missed.
 * SHIFT-3 A reason that arrives during a tick counts after it: the tick may have read before the write that the wake
 * announces.
 * SHIFT-4 Typing is shown before one message at a time, as the rate limit allows. If the gateway rejects it or does not
 *    answer, messages are sent without typing for the rest of the shift.
 */
import {
  PRIORITIES,
  Priority,
  SEND_OPERATION,
  present,
  type AttemptOutcome,
  type MessageId,
} from '../contract/index.js';
import { fillsWindow, type DueAttempt, type Shift, type ShiftStats, type Want } from '../ledger/index.js';
import { Caution, type Delays, type Refusals } from './caution.js';
import { InFlight } from './in-flight.js';
import { LowerShare } from './lower-share.js';
import { roomOf, type QueueDepth, type Room } from './queue-depth.js';
import type { Reconciler } from './reconciler.js';
import type { Latencies } from './window.js';

/** Its deadlines begin with the tick that claims. */
export type PlannedWant = Omit<Want, 'postingDeadlineMs' | 'reconcileAfterMs'>;

const IDLE_MS = 10_000;
const LONGEST_MS = 10 * 60_000;
const MISSED_REASON_MS = 5_000;
/** With more unanswered requests for typing than this, the gateway has a problem with them. */
const MOST_TYPING = 3;

export type ShiftEnd = 'idle' | 'time' | 'stopping' | 'superseded' | 'refused' | 'ledger_away';

/** The state of a shift, for operators. */
export interface ShiftView extends ShiftStats {
  /** Why nothing is posted: the code of a failure that concerns the whole instance. */
  readonly waitingFor?: string;
}

export interface ActiveShiftFacts {
  readonly shift: Shift;
  readonly unknown: readonly MessageId[];
  readonly queue: QueueDepth;
  readonly latencies: Latencies;
  readonly delays: Delays;
  readonly refusals: Refusals;
  readonly reconciler: Reconciler;
  /** Sends a second that the instance allows; Infinity if there is no limit. */
  readonly rateLimit: number;
  /** Time between two requests to show typing; undefined: the instance does not support it. */
  readonly typingEveryMs: number | undefined;
}

export class ActiveShift {
  readonly shift: Shift;
  readonly queue: QueueDepth;
  readonly caution: Caution;
  readonly inFlight: InFlight;
  readonly reconciler: Reconciler;
  /** When {@link plan} may return another result; the ticker sleeps until the earliest time of all shifts. */
  nextAtMs = 0;
  /** Why the shift ends; it stops claiming. */
  end: ShiftEnd | undefined;
  /** Since when nothing is in flight after the end began. */
  finishedAtMs: number | undefined;
  /** The response to a commit of claims was lost: some claims may be durable that the shift does not know of. */
  hasLostCommit = false;
  readonly #rateLimit: number;
  readonly #endsAtMs: number;
  readonly #lowerShare = new LowerShare();
  readonly #unknownTokens = new Set<string>();
  #idleAtMs: number;
  #dueAtMs = 0;
  /** By how much a campaign's own water mark exceeds that of its class, for campaigns with due messages. */
  #extraRoom = 0;
  /** The room that the last claim left, while due messages do not fit into it. */
  #blocked: { readonly left: Room; readonly untilMs: number } | undefined;
  #hasReason = false;
  #typingEveryMs: number | undefined;
  #typingAtMs = 0;
  #typing = 0;

  constructor(facts: ActiveShiftFacts, nowMs: number) {
    const { shift, unknown, queue, latencies, delays, refusals, reconciler, rateLimit, typingEveryMs } = facts;
    this.shift = shift;
    this.queue = queue;
    this.caution = new Caution(unknown, delays, refusals);
    this.inFlight = new InFlight(latencies);
    this.reconciler = reconciler;
    for (const messageId of unknown) reconciler.watch(messageId);
    this.#rateLimit = rateLimit;
    this.#typingEveryMs = typingEveryMs;
    this.#endsAtMs = nowMs + LONGEST_MS;
    this.#idleAtMs = nowMs + IDLE_MS;
  }

  wake(): void {
    this.#dueNow();
  }

  close(end: ShiftEnd): void {
    this.end ??= end;
    this.reconciler.close();
    this.nextAtMs = 0;
  }

  /** @returns what to claim now; undefined: nothing before `nextAtMs` */
  plan(nowMs: number): PlannedWant | undefined {
    this.#closeWhenOver(nowMs);
    if (this.end !== undefined) {
      this.nextAtMs = Infinity;
      return undefined;
    }
    const readyAtMs = Math.max(this.#dueAtMs, this.caution.pausedUntilMs);
    const want = readyAtMs > nowMs ? undefined : this.#want(nowMs);
    this.nextAtMs = want === undefined ? this.#nextAtMs(readyAtMs, nowMs) : Infinity;
    this.#hasReason &&= want === undefined;
    return want;
  }

  /** A message is due, and the queue's depth is not known well enough. */
  needsReading(nowMs: number): boolean {
    return this.end === undefined && this.#dueAtMs <= nowMs && this.queue.isReadingDue(nowMs, this.inFlight.size);
  }

  /**
   * @param next  the next due message; undefined: none
   * @param hasHidden  a message was set aside that hid due messages behind it
   */
  claimed(
    want: PlannedWant,
    count: number,
    next: { readonly atMs: number; readonly extraRoom: number } | undefined,
    hasHidden: boolean,
    nowMs: number,
  ): void {
    if (hasHidden) this.#hasReason = true;
    this.#extraRoom = next?.extraRoom ?? this.#extraRoom;
    this.#lowerShare.claimed(count, want.lowerFirst);
    this.#blocked = undefined;
    this.nextAtMs = 0;
    if (count > 0) this.#idleAtMs = nowMs + IDLE_MS;
    if (this.#hasReason || count >= want.free) return;
    // A message delayed by a 429 is not among the next due ones.
    const dueAtMs = Math.min(next?.atMs ?? Infinity, this.caution.nextDelayEndMs(nowMs));
    // The last free slot is for an urgent message, which wakes the shift.
    this.#dueAtMs = fillsWindow(want, count) ? 0 : dueAtMs;
    if (this.#dueAtMs > nowMs) return;
    const left = roomOf((priority) => want.room[priority] - count);
    // A due message may be waiting for its turn to show typing.
    const typingAtMs = this.#typingAtMs > nowMs ? this.#typingAtMs : Infinity;
    this.#blocked = { left, untilMs: Math.min(nowMs + MISSED_REASON_MS, typingAtMs) };
  }

  /** Typing is requested before a message (SHIFT-4). */
  typing(typingMs: number, nowMs: number): void {
    this.#typing += 1;
    this.#typingAtMs = nowMs + (this.#typingEveryMs ?? 0);
    this.queue.typing(typingMs, nowMs);
  }

  /** @returns true if the shift stops showing typing because of this */
  typingEnded(isTaken: boolean): boolean {
    this.#typing -= 1;
    this.#dueNow();
    if (isTaken || this.#typingEveryMs === undefined) return false;
    this.#typingEveryMs = undefined;
    return true;
  }

  /** For how many messages typing may be requested now; undefined: messages are sent without it. */
  #typings(nowMs: number): number | undefined {
    if (this.#typingEveryMs === undefined || this.#typing >= MOST_TYPING) return undefined;
    return nowMs < this.#typingAtMs ? 0 : 1;
  }

  /** The ledger could not be reached for the planned claim. */
  notClaimed(nowMs: number): void {
    this.#dueNow();
    if (this.inFlight.size === 0 && nowMs >= this.#idleAtMs) this.close('ledger_away');
  }

  posting(due: DueAttempt, claimedAtMs: number): void {
    this.inFlight.add(due, claimedAtMs);
  }

  /** Whether a claim can still be used when it returns. */
  canPost({ content }: DueAttempt, nowMs: number): boolean {
    const operation = SEND_OPERATION[content.kind];
    return this.end === undefined && this.caution.limit() > 0 && !this.caution.isDelayed(operation, nowMs);
  }

  /** A claim is returned unposted. @returns the pause before its next try */
  returned({ content }: DueAttempt, nowMs: number): number {
    return this.caution.waitFor(SEND_OPERATION[content.kind], nowMs);
  }

  /** Whether this shift has posted the attempt; an attempt with a recorded outcome is not reconciled. */
  hasPosted(token: string): boolean {
    return this.inFlight.has(token) || this.#unknownTokens.has(token);
  }

  resolved(messageId: MessageId): void {
    this.caution.resolved(messageId);
    this.nextAtMs = 0;
  }

  /** With monotonic times. */
  view(nowMs: number): ShiftView {
    const perSecond = Math.min(this.#rateLimit, this.queue.perSecond());
    return {
      inFlight: this.inFlight.size,
      window: this.inFlight.window(perSecond),
      ...this.queue.stats(nowMs),
      ...(this.caution.refusal === undefined ? {} : { waitingFor: this.caution.refusal.code }),
    };
  }

  /** A POST has ended. @param askedMs  the pause that the failure asks for */
  posted(
    { token, messageId, content, priority }: DueAttempt,
    outcome: AttemptOutcome,
    nowMs: number,
    askedMs?: number,
  ): void {
    this.inFlight.remove(token, nowMs);
    if (outcome.kind === 'unknown') this.#unknownTokens.add(token);
    if (outcome.kind === 'accepted') this.queue.accepted(content.kind, nowMs);
    this.caution.outcome(messageId, SEND_OPERATION[content.kind], outcome, nowMs, askedMs);
    this.#idleAtMs = nowMs + IDLE_MS;
    // Its end may free an identical message or the next message of its chat, usually of the same class.
    this.#dueNow();
    const left = this.queue.room(nowMs, this.inFlight.size);
    if (left[priority] <= 0) this.#blocked = { left, untilMs: nowMs + MISSED_REASON_MS };
  }

  #dueNow(): void {
    this.#hasReason = true;
    this.#dueAtMs = 0;
    this.#blocked = undefined;
    this.nextAtMs = 0;
  }

  #closeWhenOver(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.close('time');
    if (this.inFlight.size > 0) return;
    if (this.caution.refusal !== undefined) this.close('refused');
    if (nowMs >= this.#idleAtMs && this.#dueAtMs > nowMs && !this.caution.isInDoubt) this.close('idle');
  }

  #want(nowMs: number): PlannedWant | undefined {
    const perSecond = Math.min(this.#rateLimit, this.queue.perSecond());
    const slots = this.inFlight.slots(perSecond, this.caution.limit(), nowMs);
    const queued = this.queue.room(nowMs, this.inFlight.size);
    const most = this.queue.atOnce();
    const free = slots.urgent;
    if (free <= 0) return undefined;
    const lowerFirst = this.#lowerShare.isDue(slots.any);
    const room = lowerFirst ? this.#lowerShare.room(queued, slots.any) : queued;
    if (!this.#hasRoom(room)) return undefined;
    if (this.#blocked !== undefined && !this.#gives(room, this.#blocked.left) && nowMs < this.#blocked.untilMs)
      return undefined;
    return {
      shift: this.shift,
      free,
      slots: roomOf((priority) => Math.min(most, priority === Priority.urgent ? free : slots.any)),
      room,
      busyChats: this.inFlight.chats(),
      delayed: this.caution.delayed(nowMs),
      leavesInMs: this.queue.leavesInMs(nowMs, this.inFlight.size),
      lowerFirst,
      ...present({ typings: this.#typings(nowMs) }),
    };
  }

  #hasRoom(room: Room): boolean {
    return PRIORITIES.some((priority) => room[priority] + Math.max(0, this.#extraRoom) > 0);
  }

  /** Whether a class, or a campaign with its own water mark, that had no room has room now. */
  #gives(room: Room, left: Room): boolean {
    return [0, this.#extraRoom].some((extra) =>
      PRIORITIES.some((priority) => left[priority] + extra <= 0 && room[priority] + extra > 0),
    );
  }

  /** When the plan may change only because time passes. */
  #nextAtMs(readyAtMs: number, nowMs: number): number {
    if (readyAtMs > nowMs) {
      const idleAtMs = this.#dueAtMs > nowMs && this.inFlight.size === 0 ? this.#idleAtMs : Infinity;
      return Math.min(this.#endsAtMs, idleAtMs, readyAtMs);
    }
    const missedAtMs = this.#blocked?.untilMs ?? nowMs + MISSED_REASON_MS;
    const changeAtMs = Math.min(
      this.queue.nextChangeAtMs(nowMs),
      this.inFlight.nextOldAtMs(nowMs),
      this.caution.nextDelayEndMs(nowMs),
    );
    return Math.min(this.#endsAtMs, missedAtMs, changeAtMs);
  }
}
