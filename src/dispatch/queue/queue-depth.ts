/**
 * Estimates the number of items in the gateway's queue of one instance between readings, in memory.
 *
 * DEPTH-1 A class has room up to its high water mark. Items from all sources and POSTs in flight count. While the queue
 *    is empty nothing leaves, so a burst after an idle time has no more room than the mark.
 * DEPTH-2 A message of an idle instance does not wait for a reading: before its first reading a shift posts two
 *    messages, one after the other. It posts none above the marks if the queue was full when any worker read it last;
 *    then its first reading comes at once.
 * DEPTH-3 A reading is trusted until half of its items should have left, for 1 to 10 seconds, and for 10 seconds if the
 *    queue is almost empty. A reading is taken only while a message is due. While the pace is being learned (DEPTH-7),
 *    the next reading is taken as soon as it can show the pace and the rate limit allows it.
 * DEPTH-4 If the queue cannot be read, only half of the estimated room is used.
 * DEPTH-5 An item that no reading lists is assumed to leave in its order, at the queue's pace.
 * DEPTH-6 The pace is learned only from two readings between which the number of released items is large compared with
 *    the POSTs in flight, which may or may not be listed. If a reading finds an empty queue in place of the expected
 *    items, the pace is multiplied by four.
 * DEPTH-8 A message posted now is expected to leave after all items that are queued or in flight, plus a tenth of that
 *    time, since the pace varies. If there is no such item, it leaves at once.
 * DEPTH-7 A queue has no pace if consecutive readings find it empty until its learned interval is a millisecond. Then
 *    only the window limits the POSTs.
 * DEPTH-9 The typing of a message delays the items behind it. From its POST it counts as the number of items that leave
 *    in that time. A queue without a pace accepts as much typing as its high water mark allows at the shortest interval.
 *    No pace is learned during typing.
 */
import { ASSUMED_INTERVAL_MS, DEFAULT_HIGH_WATER, Priority, type MessageKind, present } from '../../contract/index.js';
import { isListedKind } from '../../domain/index.js';
import { learnPace, type Level, levelAt, type Pace } from './queue-estimate.js';

export type Room = Readonly<Record<Priority, number>>;

const TRUSTED_AT_LEAST_MS = 1_000;
/** The least time between readings that learn the pace of a queue that is always empty. */
const LEARNED_AT_LEAST_MS = 50;
const TRUSTED_AT_MOST_MS = 10_000;
const UNREADABLE_RETRY_MS = 5_000;
/** The least number of releases for each POST in flight (DEPTH-6). */
const CLEAR_BY = 5;
/** The least number of items expected in a queue that was found empty (DEPTH-6), and the factor of the pace. */
const EXPECTED = 4;
const FASTER_BY = 4;
/** A queue with fewer items counts as almost empty. */
const FEW = 2;
/** How many messages are posted before the first reading. */
const MOST_UNREAD = 2;
/** The shortest interval that a gateway's settings allow. */
const SHORTEST_INTERVAL_MS = 500;
/** The fastest interval that {@link learnPace} returns. */
const UNPACED_INTERVAL_MS = 1;

export function roomOf(room: (priority: Priority) => number): Room {
  return {
    urgent: room(Priority.urgent),
    high: room(Priority.high),
    normal: room(Priority.normal),
    low: room(Priority.low),
  };
}

const LEAVES_LATER_BY = 1.1;
/** More than the high water mark of any class or campaign. */
const MUCH_ROOM = 1_000_000;

/** The estimated depth of one queue. Times are monotonic milliseconds. */
export class QueueDepth {
  /** The last reading of this shift: items from all sources, and when the response had arrived. */
  #reading: { readonly depth: number; readonly readAtMs: number } | undefined;
  /** The estimate between readings; undefined while the queue can be read and was never read. */
  #level: Level | undefined;
  /** The depth of the last reading before this shift. */
  #lastDepth = 0;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #unreadableSinceMs: number | undefined;
  #pace: Pace = {};
  /** Our accepted items of listed kinds: in total, before this shift, and before the base of the pace. */
  #accepted = 0;
  #acceptedBefore = 0;
  #acceptedAtBase = 0;
  #inFlightAtBase = 0;
  /** The estimated release time of each unlisted item. */
  #unlistedUntilMs: number[] = [];
  /** The estimated end of the last typing. */
  #typingUntilMs = Number.NEGATIVE_INFINITY;
  readonly #readEveryMs: number;

  /** @param readEveryMs  the interval that the rate limit of readings allows */
  constructor(readEveryMs = TRUSTED_AT_LEAST_MS) {
    this.#readEveryMs = Math.max(LEARNED_AT_LEAST_MS, readEveryMs);
  }

  /** The time between two releases; undefined while unknown. */
  get intervalMs(): number | undefined {
    return this.#pace.intervalMs;
  }

  /** Releases per second; Infinity if they do not limit the sends. */
  perSecond(): number {
    return this.#isUnpaced() ? Infinity : 1_000 / (this.intervalMs ?? ASSUMED_INTERVAL_MS);
  }

  /** Keeps only the pace, since another worker may have posted meanwhile. @param lastDepth  by any worker's reading */
  forgetReading(lastDepth = this.#reading?.depth ?? this.#lastDepth): void {
    this.#lastDepth = lastDepth;
    this.#reading = undefined;
    this.#level = undefined;
    this.#triedAtMs = Number.NEGATIVE_INFINITY;
    this.#unreadableSinceMs = undefined;
    this.#acceptedBefore = this.#accepted;
    const { base: _, ...pace } = this.#pace;
    this.#pace = pace;
    this.#unlistedUntilMs = [];
  }

  accepted(kind: MessageKind, nowMs: number): void {
    if (!isListedKind(kind)) {
      this.#addUnlisted(1, nowMs);
      return;
    }
    const level = this.#levelAt(nowMs);
    if (level?.items === 0 && this.#pace.base !== undefined) {
      // An idle time says nothing about the pace: it is measured from the first item after it.
      this.#pace = { ...this.#pace, base: { depth: 0, atMs: nowMs } };
      this.#acceptedAtBase = this.#accepted;
    }
    this.#level = level && { ...level, items: level.items + 1 };
    this.#accepted += 1;
  }

  /** Called when a message is posted that shows typing for this time (DEPTH-9). */
  typing(typingMs: number, nowMs: number): void {
    if (typingMs === 0) return;
    if (this.#isUnpaced()) {
      this.#typingUntilMs = Math.max(nowMs, this.#typingUntilMs) + typingMs;
      return;
    }
    this.#addUnlisted(Math.ceil(typingMs / (this.intervalMs ?? ASSUMED_INTERVAL_MS)), nowMs);
    this.#typingUntilMs = Math.max(this.#typingUntilMs, ...this.#unlistedUntilMs);
  }

  #addUnlisted(count: number, nowMs: number): void {
    const intervalMs = this.intervalMs ?? ASSUMED_INTERVAL_MS;
    const ahead = this.#depth(nowMs) ?? 0;
    for (let item = 1; item <= count; item += 1) this.#unlistedUntilMs.push(nowMs + (ahead + item) * intervalMs);
  }

  /** Starts a reading. @returns a function for its result, which is undefined if the queue could not be read */
  beginReading(begunAtMs: number, inFlight: number): (depth: number | undefined, readAtMs: number) => void {
    this.#triedAtMs = begunAtMs;
    const accepted = this.#accepted;
    const expected = this.#levelAt(begunAtMs)?.items ?? 0;
    return (depth, readAtMs) => {
      if (depth === undefined) {
        this.#unreadableSinceMs ??= readAtMs;
        this.#level ??= { items: this.#accepted - this.#acceptedBefore, atMs: readAtMs };
        return;
      }
      if (depth === 0 && expected >= EXPECTED) this.#speedUp();
      this.#learnPace({ depth, atMs: begunAtMs }, accepted, inFlight);
      this.#reading = { depth, readAtMs };
      // Items that were accepted during the reading may be missing from it.
      this.#level = { items: depth + this.#accepted - accepted, atMs: readAtMs };
      this.#unreadableSinceMs = undefined;
    };
  }

  #speedUp(): void {
    if (this.intervalMs === undefined) return;
    const intervalMs = Math.max(UNPACED_INTERVAL_MS, Math.round(this.intervalMs / FASTER_BY));
    this.#pace = { ...this.#pace, intervalMs };
  }

  #learnPace(reading: { readonly depth: number; readonly atMs: number }, accepted: number, inFlight: number): void {
    const { base } = this.#pace;
    const added = accepted - this.#acceptedAtBase;
    const unclear = inFlight + this.#inFlightAtBase;
    const isHeldUp = base !== undefined && this.#typingUntilMs > base.atMs;
    if (isHeldUp) this.#pace = { ...this.#pace, base: reading };
    else if (base !== undefined && base.depth + added - reading.depth < CLEAR_BY * unclear) return;
    else this.#pace = learnPace(this.#pace, reading, added);
    if (this.#pace.base === base) return;
    this.#acceptedAtBase = accepted;
    this.#inFlightAtBase = inFlight;
  }

  /** Sets the interval of the account's settings, which is used until readings have shown the pace. */
  startInterval(intervalMs: number): void {
    if (this.intervalMs === undefined) this.#pace = { ...this.#pace, intervalMs, largestMs: intervalMs };
  }

  /** Whether a due message needs a reading. */
  isReadingDue(nowMs: number, inFlight: number): boolean {
    const agoMs = nowMs - this.#triedAtMs;
    if (this.#unreadableSinceMs !== undefined) return agoMs >= UNREADABLE_RETRY_MS;
    if (this.#reading === undefined) {
      const isFull = this.#lastDepth > 0 || this.room(nowMs, inFlight)[Priority.urgent] <= 0;
      return isFull && agoMs >= TRUSTED_AT_LEAST_MS;
    }
    if (this.#isLearning(inFlight)) return agoMs >= this.#readEveryMs;
    return agoMs >= this.#trustedMs((this.#depth(nowMs) ?? 0) + inFlight);
  }

  /** Whether the last reading was empty and the next one can show a faster pace (DEPTH-6). */
  #isLearning(inFlight: number): boolean {
    if (this.#reading?.depth !== 0 || this.#isUnpaced()) return false;
    return this.#accepted - this.#acceptedAtBase >= Math.max(EXPECTED, CLEAR_BY * (inFlight + this.#inFlightAtBase));
  }

  #trustedMs(depth: number): number {
    if (depth < FEW) return TRUSTED_AT_MOST_MS;
    const halfMs = ((this.#reading?.depth ?? 0) * (this.intervalMs ?? 0)) / 2;
    return Math.min(TRUSTED_AT_MOST_MS, Math.max(TRUSTED_AT_LEAST_MS, halfMs));
  }

  stats(nowMs: number) {
    const depth = this.#depth(nowMs);
    const reading = this.#reading;
    return present({
      reading: reading && { items: reading.depth, atMs: reading.readAtMs },
      estimatedDepth: depth && Math.round(depth),
      releaseIntervalMs: this.intervalMs && Math.round(this.intervalMs),
    });
  }

  /** When a message that is posted now leaves the queue (DEPTH-8). */
  leavesInMs(nowMs: number, inFlight: number): number {
    const ahead = (this.#depth(nowMs) ?? this.#lastDepth) + inFlight;
    if (ahead === 0 || this.#isUnpaced()) return 0;
    return Math.round((ahead + 1) * (this.intervalMs ?? ASSUMED_INTERVAL_MS) * LEAVES_LATER_BY);
  }

  /** Whether the last reading found almost no items. */
  get isAlmostEmpty(): boolean {
    return (this.#reading?.depth ?? 0) < FEW;
  }

  /** How many messages may be claimed at once, apart from the room. */
  atOnce(): number {
    return this.#isKnown() ? Infinity : 1;
  }

  /** Whether the queue was read, or cannot be read. */
  #isKnown(): boolean {
    return this.#reading !== undefined || this.#unreadableSinceMs !== undefined;
  }

  /** The room of each class. It is negative above the high water mark, since a campaign may have a higher mark. */
  room(nowMs: number, inFlight: number): Room {
    if (this.#isUnpaced() && this.#isKnown()) {
      const typing = Math.max(0, this.#typingUntilMs - nowMs) / SHORTEST_INTERVAL_MS;
      const full = Math.max(this.#reading?.depth ?? 0, typing);
      return roomOf((priority) => (full < DEFAULT_HIGH_WATER[priority] ? MUCH_ROOM : -MUCH_ROOM));
    }
    const depth = this.#depth(nowMs);
    if (depth === undefined) {
      const unread = this.#accepted - this.#acceptedBefore + this.#unlistedUntilMs.length;
      const mayPost = inFlight === 0 && unread < MOST_UNREAD;
      return roomOf((priority) =>
        mayPost && this.#lastDepth + unread < DEFAULT_HIGH_WATER[priority] ? MUCH_ROOM : -MUCH_ROOM,
      );
    }
    const share = this.#unreadableSinceMs === undefined ? 1 : 2;
    return roomOf((priority) => Math.ceil((DEFAULT_HIGH_WATER[priority] - depth - inFlight) / share));
  }

  /** When room or a reading becomes possible by the passing of time alone. */
  nextChangeAtMs(nowMs: number): number {
    const sinceMs = this.#level?.atMs;
    if (sinceMs === undefined) return Math.max(nowMs, this.#triedAtMs) + TRUSTED_AT_LEAST_MS;
    const intervalMs = this.intervalMs ?? TRUSTED_AT_LEAST_MS;
    return sinceMs + (Math.floor((nowMs - sinceMs) / intervalMs) + 1) * intervalMs;
  }

  #isUnpaced(): boolean {
    return this.intervalMs !== undefined && this.intervalMs <= UNPACED_INTERVAL_MS;
  }

  /** Our unlisted items count for as long as they can be in the queue. */
  #depth(nowMs: number): number | undefined {
    this.#unlistedUntilMs = this.#unlistedUntilMs.filter((untilMs) => untilMs > nowMs);
    const level = this.#levelAt(nowMs);
    return level && level.items + this.#unlistedUntilMs.length;
  }

  /** While the queue cannot be read, items leave at the slowest pace that was observed. */
  #levelAt(nowMs: number): Level | undefined {
    const { intervalMs, largestMs } = this.#pace;
    const isUnreadable = this.#unreadableSinceMs !== undefined;
    return (
      this.#level &&
      levelAt(this.#level, nowMs, isUnreadable ? (largestMs ?? intervalMs ?? ASSUMED_INTERVAL_MS) : intervalMs)
    );
  }
}
