/**
 * Divides a span of time into the buckets of a chart, by the clocks of a timezone.
 *
 * BUCKET-1 Buckets are adjacent and cover the span. Each belongs to one local day, or begins and ends with local days.
 * BUCKET-2 There are {@link LEAST_BUCKETS} to {@link MOST_BUCKETS} of them; a short span is extended at its end.
 * BUCKET-3 Buckets of less than a day count from each local midnight. On a day on which a clock changes, the last one is
 *    shorter, or there is one more or less; the next day has the usual ones again.
 */
import { localDayAt } from './local-time.js';

export const LEAST_BUCKETS = 20;
export const MOST_BUCKETS = 80;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Each is at most 3.5 times the one before, so that the first one with few enough buckets has enough of them. */
const WIDTHS_MS = [
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
];

export interface TimeBuckets {
  /** When each bucket begins. */
  readonly startsMs: readonly number[];
  /** When the last one ends. */
  readonly endMs: number;
  /** The usual length of a bucket. */
  readonly widthMs: number;
}

/**
 * @param fromMs  the first moment of the span
 * @param untilMs  the last one
 * @param leastMs  no bucket is usually shorter
 */
export function timeBuckets(timezone: string, fromMs: number, untilMs: number, leastMs = MINUTE_MS): TimeBuckets {
  for (let at = 0; ; at += 1) {
    // A span of many years: twice as wide each time.
    const widthMs = WIDTHS_MS[at] ?? 28 * DAY_MS * 2 ** (at - WIDTHS_MS.length + 1);
    if (widthMs < leastMs || (untilMs - fromMs) / widthMs > MOST_BUCKETS) continue;
    const startsMs: number[] = [];
    const days = Math.max(1, widthMs / DAY_MS);
    let day = localDayAt(timezone, fromMs, days);
    // A local day is up to an hour longer than its usual length.
    const lengthMs = widthMs < DAY_MS ? widthMs : Infinity;
    let nextMs = day.startMs + (lengthMs < DAY_MS ? Math.floor((fromMs - day.startMs) / lengthMs) * lengthMs : 0);
    while (startsMs.length <= MOST_BUCKETS && (nextMs <= untilMs || startsMs.length < LEAST_BUCKETS)) {
      startsMs.push(nextMs);
      nextMs = Math.min(nextMs + lengthMs, day.endMs);
      if (nextMs === day.endMs) day = localDayAt(timezone, nextMs, days);
    }
    if (startsMs.length <= MOST_BUCKETS) return { startsMs, endMs: nextMs, widthMs };
  }
}
