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
import { WEEKDAYS, type DailyWindow, type LocalHours, type Weekday } from '../contract/index.js';
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
      for (const { from, until } of closedDays.has(day) ? [] : (openOnDays[weekdayOf(day)] ?? [])) {
        const openAtMs = Math.max(fromMs, midnightMs + from * MINUTE_MS);
        const closesAtMs = Math.min(partEndMs, midnightMs + until * MINUTE_MS);
        if (openAtMs < closesAtMs) yield { openAtMs, closesAtMs };
      }
      fromMs = partEndMs;
    }
  }
}

/** 1970-01-01, day 0, was a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** For each weekday from Monday: the intervals of all windows, in order and without overlaps. */
function minutesByDay(windows: readonly DailyWindow[]): Minutes[][] {
  return WEEKDAYS.map((day, index) => {
    const yesterday = WEEKDAYS[(index + 6) % 7];
    const inWindow = windows.flatMap((window) => [
      ...(yesterday !== undefined && beginsOn(window, yesterday) ? [afterMidnight(window)] : []),
      ...(beginsOn(window, day) ? [untilMidnight(window)] : []),
    ]);
    return joined(inWindow.filter(({ from, until }) => from < until));
  });
}

function beginsOn({ days }: DailyWindow, day: Weekday): boolean {
  return days === undefined || days.includes(day);
}

function untilMidnight(window: DailyWindow): Minutes {
  const from = minuteOf(window.from);
  const until = minuteOf(window.until);
  return { from, until: until <= from ? DAY_MINUTES : until };
}

/** The part of a window after midnight. Empty if the window ends on the same day or at midnight. */
function afterMidnight(window: DailyWindow): Minutes {
  const until = minuteOf(window.until);
  return { from: 0, until: until <= minuteOf(window.from) ? until : 0 };
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

function joined(all: readonly Minutes[]): Minutes[] {
  const result: Minutes[] = [];
  for (const { from, until } of all.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || last.until < from) result.push({ from, until });
    else result[result.length - 1] = { from: last.from, until: Math.max(last.until, until) };
  }
  return result;
}

function otherMinutes(taken: readonly Minutes[]): Minutes[] {
  const starts = [0, ...taken.map(({ until }) => until)];
  const ends = [...taken.map(({ from }) => from), DAY_MINUTES];
  return starts
    .map((from, index) => ({ from, until: ends[index] ?? DAY_MINUTES }))
    .filter(({ from, until }) => from < until);
}
