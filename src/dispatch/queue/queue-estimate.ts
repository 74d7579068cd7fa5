/** Estimates the number of items in a gateway's queue, and its pace, from its readings. Pure rules. */

/** The learned pace. Releases are counted from the base reading. */
export interface Pace {
  readonly intervalMs?: number;
  readonly largestMs?: number;
  readonly base?: { readonly depth: number; readonly atMs: number };
}

/** The items of a queue that readings list, and the time until which their releases are subtracted. */
export interface Level {
  readonly items: number;
  readonly atMs: number;
}

/**
 * The level at a later time, rounded up. An empty queue releases nothing: the first item after an idle time begins a
 * new interval.
 * @param intervalMs  undefined: nothing is known to leave
 */
export function levelAt({ items, atMs }: Level, nowMs: number, intervalMs: number | undefined): Level {
  if (intervalMs === undefined) return { items, atMs };
  const released = Math.floor(Math.max(0, nowMs - atMs) / Math.max(1, intervalMs));
  if (released >= items) return { items: 0, atMs: Math.max(atMs, nowMs) };
  return { items: items - released, atMs: atMs + released * intervalMs };
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
 * unseen, so a faster pace counts at once, a slower one gradually. An empty queue gives a lower bound. Where in an
 * interval each reading falls is unknown, so one release more or less proves no change.
 * @param added  our items accepted between the base and this reading
 */
export function learnPace(pace: Pace, reading: { readonly depth: number; readonly atMs: number }, added: number): Pace {
  const { base, intervalMs } = pace;
  if (base === undefined) return { ...pace, base: reading };
  const elapsedMs = reading.atMs - base.atMs;
  if (elapsedMs <= 0) return pace;
  const released = base.depth + added - reading.depth;
  const seenMs = elapsedMs / released;
  const isFaster = intervalMs !== undefined && elapsedMs < intervalMs * (released - 1);
  if (reading.depth === 0) {
    const known = { ...pace, base: reading };
    const isFirst = intervalMs === undefined && released >= RELEASES_TO_LEARN && elapsedMs < BASE_FOR_MS;
    if (isFirst) return withInterval(known, seenMs);
    return released > 0 && isFaster ? withInterval(known, seenMs / EMPTY_TOO_SOON) : known;
  }
  const isOld = released >= RELEASES_IN_A_BASE || elapsedMs > BASE_FOR_MS;
  const known = isOld ? { ...pace, base: reading } : pace;
  if (released < RELEASES_TO_LEARN) return known;
  if (intervalMs === undefined || isFaster) return withInterval(known, seenMs);
  const isSlower = elapsedMs > intervalMs * (released + 1);
  return isSlower ? withInterval(known, intervalMs + SLOWER_BY * (seenMs - intervalMs)) : known;
}

function withInterval(pace: Pace, intervalMs: number): Pace {
  const rounded = Math.min(MOST_INTERVAL_MS, Math.max(1, Math.round(intervalMs)));
  return { ...pace, intervalMs: rounded, largestMs: Math.max(rounded, pace.largestMs ?? 0) };
}
