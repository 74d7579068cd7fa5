/** When messages may leave, by local time. Times are `HH:MM`, dates `YYYY-MM-DD`. */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Used instead of a timezone: the local time of each recipient. */
export const RECIPIENT_TIMEZONE = 'recipient';

/**
 * Whether the runtime knows this timezone. An offset such as `+02:00` has no daylight saving time and is not a
 * timezone.
 */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text }).format();
    return true;
  } catch {
    return false;
  }
}

/** An instance cannot send more in a day at 500 ms a message; a ramp ends here, too. */
export const MAX_PER_DAY = 1_000_000;
