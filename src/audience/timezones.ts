import { isTimezone } from '../contract/index.js';
import { countryOfChat, countryTimezone } from '../domain/index.js';

/**
 * Determines the timezone of a recipient: its column, else that of its number's country if all clocks there agree, else
 * the campaign's default.
 * @param written  the value of the column or field; an invalid one gives undefined
 */
export type TimezoneOf = (chatId: string, written: string | undefined) => string | undefined;

/** @param nowMs  the time from which the clocks of a country are compared */
export function recipientTimezones(nowMs: number, defaultTimezone: string | undefined): TimezoneOf {
  const ofNumber = timezonesOfNumbers(nowMs);
  // A call of the runtime takes longer than the rest of a line's verdict.
  const known = new Map<string, string>();
  return (chatId, written) => {
    if (written === undefined) return ofNumber(chatId) ?? defaultTimezone;
    const found = known.get(written);
    if (found !== undefined || !isTimezone(written)) return found;
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: written }).resolvedOptions();
    known.set(written, timeZone);
    return timeZone;
  };
}

/**
 * Reads the timezone of numbers in countries where all clocks show the same.
 * @param nowMs  the time from which these clocks are compared
 * @returns undefined for a number of another country, a group, or a chat that shows no number
 */
export function timezonesOfNumbers(nowMs: number): (chatId: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (chatId) => {
    const country = countryOfChat(chatId);
    if (country === undefined) return undefined;
    if (!known.has(country)) known.set(country, countryTimezone(country, nowMs));
    return known.get(country);
  };
}
