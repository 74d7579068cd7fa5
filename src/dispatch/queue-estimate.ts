/** How many items a gateway's queue holds, estimated from its last reading. Pure rules. */

import { ASSUMED_INTERVAL_MS } from '../contract/index.js';

/** What is known of one instance's queue. Times are milliseconds since the epoch. */
export interface QueueEstimate {
  /** Items at the last reading, whatever their source. */
  readonly depth?: number;
  readonly begunAtMs?: number;
  /** When it had been answered: what left before may be missing from it already. @default begunAtMs */
  readonly readAtMs?: number;
  /**
   * Accepted of ours since that reading was begun; since the queue became unreadable where there is no reading. Only of
   * kinds that a reading shows.
   */
  readonly acceptedSince: number;
  /**
   * Ours of kinds that no reading shows, accepted and not seen leaving; at most as long as they can be in the queue.
   */
  readonly unlisted: number;
  /** Set while the queue cannot be read. */
  readonly unreadableSinceMs?: number;
  /** Between two releases, as seen, or as the account's settings say. */
  readonly releaseIntervalMs?: number;
  readonly largestIntervalMs?: number;
}

/**
 * Items in the queue now, rounded up: the last reading, and what we added since, less what was released since; and what
 * no reading shows. While the queue cannot be read the slowest pace ever seen counts. Undefined when it can be read and
 * never was.
 */
export function estimatedDepth(queue: QueueEstimate, nowMs: number): number | undefined {
  const {
    depth,
    begunAtMs,
    readAtMs = begunAtMs,
    acceptedSince,
    unlisted,
    unreadableSinceMs,
    releaseIntervalMs,
  } = queue;
  if (unreadableSinceMs !== undefined) {
    const slowestMs = queue.largestIntervalMs ?? releaseIntervalMs ?? ASSUMED_INTERVAL_MS;
    const sinceMs = readAtMs ?? unreadableSinceMs;
    return unlisted + left((depth ?? 0) + acceptedSince, nowMs - sinceMs, slowestMs);
  }
  if (depth === undefined || readAtMs === undefined) return undefined;
  if (releaseIntervalMs === undefined) return unlisted + depth + acceptedSince;
  return unlisted + left(depth + acceptedSince, nowMs - readAtMs, releaseIntervalMs);
}

function left(items: number, elapsedMs: number, intervalMs: number): number {
  return Math.max(0, items - Math.floor(Math.max(0, elapsedMs) / Math.max(1, intervalMs)));
}

/** What is learned of the pace; the base is the reading from which releases are counted. */
export interface Pace {
  readonly intervalMs?: number;
  readonly largestMs?: number;
  readonly base?: { readonly depth: number; readonly atMs: number };
}

/** The pace is learned from at least this many releases; with fewer it is mostly chance. */
const RELEASES_TO_LEARN = 3;
/** After this many releases a new base begins, so that a change of the pace shows soon. */
const RELEASES_IN_A_BASE = 60;
const BASE_FOR_MS = 10 * 60_000;
/** The longest delay that an account can be set to. A slower pace means that the phone is offline. */
const MOST_INTERVAL_MS = 600_000;
/**
 * A queue that is empty too soon may be much faster: this factor is tried, and the next reading that is not empty
 * corrects it.
 */
const EMPTY_TOO_SOON = 4;
/** By how much one reading may slow the pace: items that others add unseen make it look slower than it is. */
const SLOWER_BY = 0.3;

/**
 * Learns the pace from a reading. Released = items at the base + items added − items now. Others add items that are not
 * counted, so the real pace is never slower than the counted one: a faster pace is taken over at once, a slower one
 * gradually. A queue that is empty may have been empty for long: it shows only a lower bound of the pace.
 * @param added  accepted of ours between the base and this reading
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
