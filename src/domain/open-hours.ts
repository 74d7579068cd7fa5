/**
 * Computes open times from sending windows and quiet hours.
 *
 * HOURS-1 A time is open if its local time is in a window. When the clock changes, a skipped hour has no open time, and
 *    an hour that occurs twice is open twice.
 * HOURS-2 A window that crosses midnight belongs to the day on which it begins; `days` refers to that day.
 * HOURS-3 A holiday closes exactly its date: a window that crosses into it ends at midnight, and a window that begins
 *    on it is open after midnight.
 * HOURS-4 Quiet hours are the inverse: a time is open if it is outside all windows and not on a holiday.
 */
import { WEEKDAYS, type DailyWindow, type LocalHours } from '../contract/index.js';
import { offsetAt } from './local-time.js';

/** Open from `openAtMs`, which is never before the requested time, until just before `closesAtMs`. */
export interface OpenSpan {
  readonly openAtMs: number;
  readonly closesAtMs: number;
}

/**
 * Returns the open time that contains `atMs`, else the next one; undefined if there is none within {@link HORIZON_MS}.
 * A longer open time ends at the horizon, and the caller asks again then.
 */
export type OpenHours = (atMs: number) => OpenSpan | undefined;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;
export const HORIZON_MS = 400 * DAY_MS;

export const ALWAYS_OPEN: OpenHours = (atMs) => ({ openAtMs: atMs, closesAtMs: atMs + HORIZON_MS });

/** Times inside the windows are open. */
export function sendingHours(hours: LocalHours): OpenHours {
  return openHours(hours, minutesByDay(hours.windows));
}

/** Times outside the windows are open. */
export function outsideQuietHours(hours: LocalHours): OpenHours {
  const otherMinutes = (taken: readonly Minutes[]) => {
    const starts = [0, ...taken.map(({ until }) => until)];
    const ends = [...taken.map(({ from }) => from), DAY_MINUTES];
    const between = starts.map((from, index) => ({ from, until: ends[index] ?? DAY_MINUTES }));
    return between.filter(({ from, until }) => from < until);
  };
  return openHours(hours, minutesByDay(hours.windows).map(otherMinutes));
}

/** Times that are open in both are open. */
export function bothOpen(one: OpenHours, other: OpenHours): OpenHours {
  return (atMs) => {
    let first = one(atMs);
    let second = other(atMs);
    while (first !== undefined && second !== undefined) {
      const openAtMs = Math.max(first.openAtMs, second.openAtMs);
      const closesAtMs = Math.min(first.closesAtMs, second.closesAtMs);
      if (openAtMs < closesAtMs) return { openAtMs, closesAtMs };
      if (openAtMs - atMs > HORIZON_MS) return undefined;
      if (first.closesAtMs <= openAtMs) first = one(openAtMs);
      else second = other(openAtMs);
    }
    return undefined;
  };
}

/** An interval of a day, in minutes since midnight. */
interface Minutes {
  readonly from: number;
  readonly until: number;
}

function openHours({ timezone, holidays = [] }: LocalHours, openOnDays: readonly Minutes[][]): OpenHours {
  const closedDays = new Set(holidays.map((date) => Date.parse(date) / DAY_MS));

  return (atMs) => {
    let span: OpenSpan | undefined;
    for (const open of openTimes(atMs)) {
      if (span !== undefined && span.closesAtMs !== open.openAtMs) return span;
      span = { openAtMs: span?.openAtMs ?? open.openAtMs, closesAtMs: open.closesAtMs };
    }
    return span;
  };

  /** Yields the open times in order, split at the end of a day and at a change of the offset. */
  function* openTimes(atMs: number): Generator<OpenSpan> {
    const endMs = atMs + HORIZON_MS;
    for (let fromMs = atMs; fromMs < endMs;) {
      const { offsetMs, untilMs } = offsetAt(timezone, fromMs);
      const day = Math.floor((fromMs + offsetMs) / DAY_MS);
      const midnightMs = day * DAY_MS - offsetMs;
      const partEndMs = Math.min(midnightMs + DAY_MS, untilMs, endMs);
      // 1970-01-01, day 0, was a Thursday.
      const weekday = (((day + 3) % 7) + 7) % 7;
      for (const { from, until } of closedDays.has(day) ? [] : (openOnDays[weekday] ?? [])) {
        const openAtMs = Math.max(fromMs, midnightMs + from * MINUTE_MS);
        const closesAtMs = Math.min(partEndMs, midnightMs + until * MINUTE_MS);
        if (openAtMs < closesAtMs) yield { openAtMs, closesAtMs };
      }
      fromMs = partEndMs;
    }
  }
}

/** For each weekday from Monday: the intervals of all windows, in order and without overlaps. */
function minutesByDay(windows: readonly DailyWindow[]): Minutes[][] {
  return WEEKDAYS.map((day, index) => {
    const yesterday = WEEKDAYS[(index + 6) % 7];
    const all = windows.flatMap(({ days = WEEKDAYS, ...window }): Minutes[] => {
      const [from, until] = [minuteOf(window.from), minuteOf(window.until)];
      if (until > from) return days.includes(day) ? [{ from, until }] : [];
      return [
        ...(yesterday !== undefined && days.includes(yesterday) ? [{ from: 0, until }] : []),
        ...(days.includes(day) ? [{ from, until: DAY_MINUTES }] : []),
      ];
    });
    const joined: Minutes[] = [];
    for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
      const last = joined.at(-1);
      if (from >= until) continue;
      if (last === undefined || last.until < from) joined.push({ from, until });
      else joined[joined.length - 1] = { from: last.from, until: Math.max(last.until, until) };
    }
    return joined;
  });
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
