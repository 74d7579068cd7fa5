/**
 * The ticker's state of one shift: the POSTs in flight, what may be claimed, and when that may change. Times are
 * monotonic.
 *
 * SHIFT-1 A shift ends after 10 s without work, after 10 minutes, on request, when another shift has replaced it, or
 *    when its instance accepts no messages. It then stops claiming, finishes its POSTs, records their outcomes and
 *    returns.
 * SHIFT-2 If a claim left room, the next claim waits for a reason: a wake, an outcome, room for a class that had none,
 *    or the next due time. After 5 s the shift claims without a reason, in case it missed one.
 * SHIFT-3 A reason that arrives during a tick also counts after the tick, which may have read the ledger before the
 *    change.
 * SHIFT-4 A full queue is refilled by two messages at once, and by half of its mark if that is less, since a round for
 *    one message costs as much as a round for many. An urgent message takes the first room.
 */
import {
  DEFAULT_HIGH_WATER,
  PRIORITIES,
  Priority,
  SEND_OPERATION,
  present,
  type AttemptOutcome,
  type MessageId,
} from '../../contract/index.js';
import { fillsWindow, type DueAttempt, type Shift, type ShiftStats, type Want } from '../../ledger/index.js';
import { Caution, type Delays, type Refusals } from './caution.js';
import { roomOf, type QueueDepth, type Room } from '../queue/queue-depth.js';
import type { Reconciler } from './reconciler.js';
import type { EditTurns, PlannedEdits } from './edit-turns.js';
import { InFlight, type Latencies } from './window.js';

/** Its deadlines begin with the tick that claims. */
export type PlannedWant = Omit<Want, 'postingDeadlineMs' | 'reconcileAfterMs'>;

const IDLE_MS = 10_000;
const LONGEST_MS = 10 * 60_000;
const MISSED_REASON_MS = 5_000;
/** SHIFT-4. */
const REFILL = 2;
/** DISPATCH-7: of this number of POSTs one is for a lower class with due messages. */
const LOWER_EVERY = 8;
/** Every class except the highest. */
const LOWER = PRIORITIES.slice(1);

export type ShiftEnd = 'idle' | 'time' | 'stopping' | 'superseded' | 'refused' | 'ledger_unavailable';

/** The state of a shift, for operators. */
export interface ShiftView extends ShiftStats {
  /** The last reading of the queue. */
  readonly reading?: { readonly items: number; readonly atMs: number };
  /** Why nothing is posted: the code of the failure of the whole instance. */
  readonly waitingFor?: string;
  /** Temporal gets to know it by heartbeats (RETURN-1). */
  readonly mark: string;
}

export interface ActiveShiftFacts {
  readonly shift: Shift;
  /** The larger one is the later shift (DISPATCH-1). */
  readonly epoch: string;
  readonly unknown: readonly MessageId[];
  readonly queue: QueueDepth;
  readonly latencies: Latencies;
  readonly delays: Delays;
  readonly refusals: Refusals;
  readonly reconciler: Reconciler;
  readonly edits: EditTurns;
  /** The time between two edits; 0 without a limit. */
  readonly editSpacingMs: number;
  /** How many sends per second the instance allows; Infinity without a limit. */
  readonly rateLimit: number;
}

export class ActiveShift {
  readonly shift: Shift;
  readonly epoch: string;
  readonly queue: QueueDepth;
  readonly caution: Caution;
  readonly inFlight: InFlight;
  readonly reconciler: Reconciler;
  readonly edits: EditTurns;
  /** When {@link plan} may return a different result. The ticker sleeps until the earliest time of all shifts. */
  nextAtMs = 0;
  /** Why the shift ends. Once it is set, the shift claims nothing. */
  end: ShiftEnd | undefined;
  /** The time since which no POST is in flight, after the end of the shift began. */
  finishedAtMs: number | undefined;
  /** Whether the response to a commit was lost, so that the shift does not know which claims are durable. */
  hasLostCommit = false;
  /** The last attempt that it has claimed. */
  last: string | undefined;
  /** A place in the ledger's sequence at which it worked (RETURN-1). */
  place: string;
  readonly #rateLimit: number;
  readonly #endsAtMs: number;
  readonly #editSpacingMs: number;
  /** POSTs since the last one for a lower class. */
  #postedInARow = 0;
  readonly #unknownTokens = new Set<string>();
  #idleAtMs: number;
  #dueAtMs = 0;
  /** How far the high water marks of campaigns with due messages exceed those of their classes. */
  #extraRoom = 0;
  /** The room after the last claim, if due messages did not fit into it. */
  #blocked: { readonly left: Room; readonly untilMs: number } | undefined;
  #hasReason = false;
  #hasClaimed = false;

  constructor(facts: ActiveShiftFacts, nowMs: number) {
    this.shift = facts.shift;
    this.epoch = facts.epoch;
    this.place = facts.epoch;
    this.queue = facts.queue;
    this.caution = new Caution(facts.unknown, facts.delays, facts.refusals);
    this.inFlight = new InFlight(facts.latencies);
    this.reconciler = facts.reconciler;
    this.edits = facts.edits;
    this.edits.wake();
    this.#editSpacingMs = facts.editSpacingMs;
    for (const messageId of facts.unknown) this.reconciler.watch(messageId);
    this.#rateLimit = facts.rateLimit;
    this.#endsAtMs = nowMs + LONGEST_MS;
    this.#idleAtMs = nowMs + IDLE_MS;
  }

  /** A message may be due. */
  wake(): void {
    this.#hasReason = true;
    this.#dueAtMs = 0;
    this.#blocked = undefined;
    this.nextAtMs = 0;
  }

  close(end: ShiftEnd): void {
    this.end ??= end;
    this.reconciler.close();
    this.nextAtMs = 0;
  }

  /** @returns what to claim now; undefined if nothing may be claimed before `nextAtMs` */
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

  /** When {@link planEdits} may return something. */
  get editsAtMs(): number {
    return this.end === undefined ? this.edits.nextAtMs() : Infinity;
  }

  /** @returns which edits to claim now; undefined if none is known to be due */
  planEdits(nowMs: number): PlannedEdits | undefined {
    const planned = this.end === undefined ? this.edits.plan(this.#editSpacingMs, nowMs) : undefined;
    const own = { shift: this.shift, ...present({ last: this.last }) };
    return planned && { ...own, spacingMs: this.#editSpacingMs, ...planned };
  }

  /** Whether a message is due and the estimate of the queue depth needs a reading. */
  needsReading(nowMs: number): boolean {
    if (this.end !== undefined || this.#dueAtMs > nowMs) return false;
    // The first claim shows whether a message is due.
    const isFirst = !this.#hasClaimed && this.#hasRoom(this.queue.room(nowMs, this.inFlight.size));
    return !isFirst && this.queue.isReadingDue(nowMs, this.inFlight.size);
  }

  /**
   * @param next  the next due message; undefined if there is none
   * @param hasHidden  whether messages that cannot be claimed now may have hidden due messages behind them
   */
  claimed(
    want: PlannedWant,
    count: number,
    next: { readonly atMs: number; readonly extraRoom: number } | undefined,
    hasHidden: boolean,
    nowMs: number,
  ): void {
    this.#hasClaimed = true;
    if (hasHidden) this.#hasReason = true;
    this.#extraRoom = next?.extraRoom ?? this.#extraRoom;
    if (count > 0) this.#postedInARow = want.lowerFirst ? (count - 1) % LOWER_EVERY : this.#postedInARow + count;
    this.#blocked = undefined;
    this.nextAtMs = 0;
    if (count > 0) this.#idleAtMs = nowMs + IDLE_MS;
    if (this.#hasReason || count >= want.free) return;
    // The next due message does not include messages that a 429 delays.
    const dueAtMs = Math.min(next?.atMs ?? Infinity, this.caution.nextDelayEndMs(nowMs));
    // The last free slot is reserved for an urgent message, which wakes the shift.
    this.#dueAtMs = fillsWindow(want, count) ? 0 : dueAtMs;
    if (this.#dueAtMs > nowMs) return;
    const left = roomOf((priority) => want.room[priority] - count);
    this.#blocked = { left, untilMs: nowMs + MISSED_REASON_MS };
  }

  /** Called if the ledger could not be reached for the planned claim. */
  notClaimed(nowMs: number): void {
    this.wake();
    this.edits.wake();
    if (this.inFlight.size === 0 && nowMs >= this.#idleAtMs) this.close('ledger_unavailable');
  }

  /** Whether a claim that the tick has made may still be posted. */
  canPost({ content }: DueAttempt, nowMs: number): boolean {
    const operation = SEND_OPERATION[content.kind];
    return this.end === undefined && this.caution.limit() > 0 && !this.caution.isDelayed(operation, nowMs);
  }

  /** Whether this shift has posted the attempt, which then needs no reconciling. */
  hasPosted(token: string): boolean {
    return this.inFlight.has(token) || this.#unknownTokens.has(token);
  }

  /** Called when a message leaves the state unknown. */
  noLongerUnknown(messageId: MessageId): void {
    this.caution.noLongerUnknown(messageId);
    this.nextAtMs = 0;
  }

  /** Whether nothing can be claimed before the gateway's queue has room. */
  get isBlocked(): boolean {
    return this.#blocked !== undefined;
  }

  /** What Temporal gets to know of it (RETURN-1). */
  get mark(): string {
    return this.last === undefined ? this.place : `${this.place}/${this.last}`;
  }

  /** The state for operators, with monotonic times. */
  view(nowMs: number): ShiftView {
    const perSecond = Math.min(this.#rateLimit, this.queue.perSecond());
    const delays = this.caution.delays(nowMs);
    return {
      inFlight: this.inFlight.size,
      window: this.inFlight.window(perSecond),
      mark: this.mark,
      ...this.queue.stats(nowMs),
      ...present({ waitingFor: this.caution.refusal?.code }),
      ...(Object.keys(delays).length === 0 ? {} : { delays }),
    };
  }

  /** Called when a POST has ended. @param askedMs  the pause that the failure asks for */
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
    // The end may unblock an identical message or the next message of the chat, usually of the same class.
    this.wake();
    const left = this.queue.room(nowMs, this.inFlight.size);
    if (left[priority] < refillOf(priority)) this.#blocked = { left, untilMs: nowMs + MISSED_REASON_MS };
  }

  #closeWhenOver(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.close('time');
    if (this.inFlight.size > 0) return;
    if (this.caution.refusal !== undefined) this.close('refused');
    if (nowMs < this.#idleAtMs || this.#dueAtMs <= nowMs || this.caution.hasUnknown) return;
    if (!this.edits.isDueSoon(nowMs)) this.close('idle');
  }

  #want(nowMs: number): PlannedWant | undefined {
    const perSecond = Math.min(this.#rateLimit, this.queue.perSecond());
    const slots = this.inFlight.slots(perSecond, this.caution.limit(), nowMs);
    const queued = this.queue.room(nowMs, this.inFlight.size);
    const most = this.queue.atOnce();
    const free = slots.urgent;
    if (free <= 0) return undefined;
    const lowerFirst = this.#postedInARow + 1 >= LOWER_EVERY || slots.any >= LOWER_EVERY;
    const room = lowerFirst ? roomWithLower(queued, slots.any) : queued;
    if (!this.#hasRoom(room)) return undefined;
    if (this.#blocked !== undefined && !this.#gives(room, this.#blocked.left) && nowMs < this.#blocked.untilMs)
      return undefined;
    return {
      shift: this.shift,
      free,
      slots: roomOf((priority) => Math.min(most, priority === Priority.urgent ? free : slots.any)),
      room,
      busyRecipients: this.inFlight.recipients(),
      delayed: this.caution.delayed(nowMs),
      leavesInMs: this.queue.leavesInMs(nowMs, this.inFlight.size),
      lowerFirst,
      ...present({ last: this.last }),
    };
  }

  #hasRoom(room: Room): boolean {
    return PRIORITIES.some((priority) => room[priority] + Math.max(0, this.#extraRoom) > 0);
  }

  /** Whether a class, or a campaign with its own high water mark, has enough room now and had not before (SHIFT-4). */
  #gives(room: Room, left: Room): boolean {
    return [0, this.#extraRoom].some((extra) =>
      PRIORITIES.some((priority) => {
        const enough = refillOf(priority, extra);
        return left[priority] + extra < enough && room[priority] + extra >= enough;
      }),
    );
  }

  /** When the plan changes by the passing of time alone. A time that has passed changes nothing more. */
  #nextAtMs(readyAtMs: number, nowMs: number): number {
    const isIdle = this.#dueAtMs > nowMs && this.inFlight.size === 0;
    const changes =
      readyAtMs > nowMs
        ? [isIdle ? Math.max(this.#idleAtMs, this.edits.isDueSoon(nowMs) ? nowMs + IDLE_MS : 0) : Infinity, readyAtMs]
        : [
            this.#blocked?.untilMs ?? nowMs + MISSED_REASON_MS,
            this.queue.nextChangeAtMs(nowMs),
            this.inFlight.nextOldAtMs(nowMs),
            this.caution.nextDelayEndMs(nowMs),
          ];
    return Math.min(this.#endsAtMs, ...changes.filter((atMs) => atMs > nowMs));
  }
}

/** SHIFT-4. @param extra  how far the mark of a campaign exceeds that of its class */
function refillOf(priority: Priority, extra = 0): number {
  if (priority === Priority.urgent) return 1;
  return Math.max(1, Math.min(REFILL, Math.floor((DEFAULT_HIGH_WATER[priority] + extra) / 2)));
}

/** A lower class may exceed its high water mark by one, since it takes the turn of a higher class. */
function roomWithLower(room: Room, any: number): Room {
  const most = Math.min(1, any, Math.max(...PRIORITIES.map((priority) => room[priority])));
  return roomOf((priority) => (LOWER.includes(priority) ? Math.max(room[priority], most) : room[priority]));
}
