/** Estimates the number of items in a gateway's queue from its last reading. Pure rules. */

import { ASSUMED_INTERVAL_MS } from '../../contract/index.js';

/** The learned pace. Releases are counted from the base reading. */
export interface Pace {
  readonly intervalMs?: number;
  readonly largestMs?: number;
  readonly base?: { readonly depth: number; readonly atMs: number };
}

export interface QueueReading {
  /** Items from all sources. */
  readonly depth: number;
  /** When the response had arrived. Items that left before that may be missing from it. */
  readonly readAtMs: number;
}

/** The known facts about one instance's queue. Times are monotonic milliseconds. */
export interface QueueEstimate {
  readonly reading?: QueueReading | undefined;
  /**
   * Our accepted items of listed kinds since that reading began or, without a reading, since the queue became
   * unreadable.
   */
  readonly acceptedSince: number;
  /**
   * Our accepted items of unlisted kinds that have not been seen leaving. They count for as long as they can be in the
   * queue.
   */
  readonly unlisted: number;
  /** Set while the queue cannot be read. */
  readonly unreadableSinceMs?: number | undefined;
  /** Observed or from the account's settings. */
  readonly pace: Pace;
}

/**
 * The items in the queue now, rounded up: last reading + our items since − releases since + unlisted items. If the
 * queue cannot be read, the slowest observed pace counts.
 * @returns undefined if the queue can be read and was never read
 */
export function estimatedDepth(queue: QueueEstimate, nowMs: number): number | undefined {
  const { reading, acceptedSince, unlisted, unreadableSinceMs, pace } = queue;
  if (unreadableSinceMs !== undefined) {
    const slowestMs = pace.largestMs ?? pace.intervalMs ?? ASSUMED_INTERVAL_MS;
    const sinceMs = reading?.readAtMs ?? unreadableSinceMs;
    return unlisted + left((reading?.depth ?? 0) + acceptedSince, nowMs - sinceMs, slowestMs);
  }
  if (reading === undefined) return undefined;
  const items = reading.depth + acceptedSince;
  return unlisted + (pace.intervalMs === undefined ? items : left(items, nowMs - reading.readAtMs, pace.intervalMs));
}

function left(items: number, elapsedMs: number, intervalMs: number): number {
  return Math.max(0, items - Math.floor(Math.max(0, elapsedMs) / Math.max(1, intervalMs)));
}

/** The pace is learned from at least this many releases, since fewer depend on chance. */
const RELEASES_TO_LEARN = 3;
/** A new base begins after this many releases, so that a change of the pace shows soon. */
const RELEASES_IN_A_BASE = 60;
const BASE_FOR_MS = 10 * 60_000;
/** The longest delay that an account's settings allow. A slower pace means that the phone is offline. */
const MOST_INTERVAL_MS = 600_000;
/**
 * The factor of the pace after a queue is empty too early, since the real pace may be much faster. The next reading
 * with items corrects it.
 */
const EMPTY_TOO_SOON = 4;
/** How much one reading may slow the pace: items of other senders make it appear slower than it is. */
const SLOWER_BY = 0.3;

/**
 * Learns the pace from a reading: released = items at the base + items added − items now. Items of other senders are
 * unseen, so a faster pace counts at once, a slower one gradually. An empty queue gives a lower bound.
 * @param added  our items accepted between the base and this reading
 */
export function learnPace(pace: Pace, reading: { readonly depth: number; readonly atMs: number }, added: number): Pace {
  const { base, intervalMs } = pace;
  if (base === undefined) return { ...pace, base: reading };
  const elapsedMs = reading.atMs - base.atMs;
  if (elapsedMs <= 0) return pace;
  const released = base.depth + added - reading.depth;
  const seenMs = elapsedMs / released;
  const isFaster = intervalMs !== undefined && seenMs < intervalMs;
  if (reading.depth === 0) {
    const known = { ...pace, base: reading };
    const isFirst = intervalMs === undefined && released >= RELEASES_TO_LEARN && elapsedMs < BASE_FOR_MS;
    if (isFirst) return withInterval(known, seenMs);
    return released > 0 && isFaster ? withInterval(known, seenMs / EMPTY_TOO_SOON) : known;
  }
  const isOld = released >= RELEASES_IN_A_BASE || elapsedMs > BASE_FOR_MS;
  const known = isOld ? { ...pace, base: reading } : pace;
  if (released < RELEASES_TO_LEARN) return known;
  const isNew = intervalMs === undefined || isFaster;
  return withInterval(known, isNew ? seenMs : intervalMs + SLOWER_BY * (seenMs - intervalMs));
}

function withInterval(pace: Pace, intervalMs: number): Pace {
  const rounded = Math.min(MOST_INTERVAL_MS, Math.max(1, Math.round(intervalMs)));
  return { ...pace, intervalMs: rounded, largestMs: Math.max(rounded, pace.largestMs ?? 0) };
}
