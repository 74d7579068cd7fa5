/** Local times as the runtime alone gives them: slow, and independent of the rules under test. */
import { WEEKDAYS, type DailyWindow, type LocalHours, type Weekday } from '../../src/contract/index.js';

export interface WallClock {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly weekday: Weekday;
  /** `HH:MM` */
  readonly time: string;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
let latest: { readonly timezone: string; readonly atMs: number; readonly shown: WallClock } | undefined;

export function wallClock(timezone: string, atMs: number): WallClock {
  if (latest?.timezone === timezone && latest.atMs === atMs) return latest.shown;
  const shown = shownBy(clockOf(timezone).format(atMs));
  latest = { timezone, atMs, shown };
  return shown;
}

function clockOf(timezone: string): Intl.DateTimeFormat {
  const known = clocks.get(timezone);
  if (known !== undefined) return known;
  // Swedish dates are ISO dates, so that one text is read instead of a list of parts, which costs four times as much.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  clocks.set(timezone, clock);
  return clock;
}

function shownBy(text: string): WallClock {
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)$/.exec(text) ?? [];
  const weekday = WEEKDAYS[(new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7];
  if (date === undefined || time === undefined || weekday === undefined) throw new Error(`no local time in ${text}`);
  return { date, weekday, time };
}

/** A literal implementation of HOURS-1 to HOURS-3. */
export function isInWindow({ timezone, windows }: LocalHours, atMs: number): boolean {
  const { weekday, time } = wallClock(timezone, atMs);
  const yesterday = WEEKDAYS[(WEEKDAYS.indexOf(weekday) + 6) % 7];
  const begins = ({ days }: DailyWindow, day: Weekday | undefined) => days?.includes(day ?? weekday) ?? true;
  return windows.some((window) => {
    const { from, until } = window;
    if (from < until) return begins(window, weekday) && from <= time && time < until;
    return (begins(window, weekday) && from <= time) || (begins(window, yesterday) && time < until);
  });
}

export function isHoliday({ timezone, holidays = [] }: LocalHours, atMs: number): boolean {
  return holidays.includes(wallClock(timezone, atMs).date);
}
