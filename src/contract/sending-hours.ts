/** When messages may leave, by the clock of a place. Times are `HH:MM`, dates `YYYY-MM-DD`, both of that clock. */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** From `from` until just before `until`; with `until` at or before `from` it ends on the next day. */
export interface DailyWindow {
  /** On which days it begins. @default every day */
  readonly days?: readonly Weekday[];
  readonly from: string;
  readonly until: string;
}

/** Of an instance: open times as its `sendingWindows`, closed times as its `quietHours`. */
export interface LocalHours {
  /** IANA name, e.g. `Europe/Lisbon`. */
  readonly timezone: string;
  readonly windows: readonly DailyWindow[];
  /** Whole dates on which nothing is open. */
  readonly holidays?: readonly string[];
}

/** In place of a timezone: the clock of each recipient. */
export const RECIPIENT_TIMEZONE = 'recipient';

/** Whether the runtime knows it by this name; an offset such as `+02:00` has no summer time and is no timezone. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format();
    return true;
  } catch {
    return false;
  }
}
