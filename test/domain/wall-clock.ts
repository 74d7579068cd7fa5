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

export function wallClock(timezone: string, atMs: number): WallClock {
  const clock =
    clocks.get(timezone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  clocks.set(timezone, clock);
  const part = Object.fromEntries(clock.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const weekday = WEEKDAYS.find((day) => part['weekday']?.toLowerCase().startsWith(day));
  if (weekday === undefined) throw new Error(`no weekday in ${JSON.stringify(part)}`);
  return {
    date: `${part['year']}-${part['month']}-${part['day']}`,
    weekday,
    time: `${part['hour']}:${part['minute']}`,
  };
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
