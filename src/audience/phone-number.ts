/**
 * Converts phone numbers as operators write them to the gateway's chat ids, and finds the timezones of numbers.
 *
 * NUMBER-1 `+…` and `00…` are international. Anything else is a number of the default country, if there is one.
 * NUMBER-2 Without a default country, digits are international, as everywhere in everpost. A leading 0 marks a national
 *    number, so the country is missing.
 * NUMBER-3 With a default country, digits that begin with its prefix and form a valid number there are international
 *    too: 4915112345678 in a file for DE is not +49 4915112345678.
 * NUMBER-4 A number must be possible: a known country and a valid length. The network decides whether it is in use
 *    (`no_account`): new ranges open every month, and an outdated list would reject recipients.
 */
import { CHAT_ID, isTimezone, present, type RejectedLine } from '../contract/index.js';
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { countryTimezone } from '../domain/index.js';

export type ReadNumber = { readonly chatId: string } | { readonly reason: RejectedLine['reason'] };

/** A number as it is dialled inside a country. */
const NATIONAL = /^[\s().\-/]*0[\d\s().\-/]{4,}$/;
const WITH_ITS_PREFIX = /^1[2-9]\d{9}$/;
const AT_HOME = /^1?[2-9]\d{9}$/;
/** No number or chat id is longer in any notation. */
const MAX_CHARACTERS = 100;
const BAD: ReadNumber = { reason: 'bad_number' };

export function isKnownCountry(word: string): word is CountryCode {
  return isSupportedCountry(word);
}

/** @param written a phone number, or a chat id, which stays unchanged */
export function readNumber(written: string, defaultCountry?: CountryCode): ReadNumber {
  const text = written.trim();
  if (text === '') return { reason: 'number_missing' };
  if (text.length > MAX_CHARACTERS) return BAD;
  if (text.includes('@')) return CHAT_ID.test(text) ? { chatId: text } : BAD;
  if (text.startsWith('+')) return international(text);
  if (text.startsWith('00')) return international(`+${text.slice(2)}`);
  if (defaultCountry !== undefined) return inCountry(text, defaultCountry);
  return NATIONAL.test(text) ? { reason: 'country_missing' } : international(`+${text}`);
}

function international(text: string): ReadNumber {
  return northAmerican(text.slice(1), WITH_ITS_PREFIX) ?? chatOf(parse(text));
}

function inCountry(text: string, country: CountryCode): ReadNumber {
  const prefix = getCountryCallingCode(country);
  if (prefix === '1') return northAmerican(text, AT_HOME) ?? chatOf(parse(text, country));
  if (text.replaceAll(/\D/g, '').startsWith(prefix)) {
    const number = parse(`+${text}`);
    if (number?.isValid() === true) return chatOf(number);
  }
  return chatOf(parse(text, country));
}

/**
 * Two dozen countries share the prefix 1 and one form of numbers. The library determines the country, which takes
 * longer than the rest of an import and is not needed here. It handles only other forms.
 */
function northAmerican(text: string, shape: RegExp): ReadNumber | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '');
  return shape.test(digits) ? { chatId: `1${digits.slice(-10)}@c.us` } : undefined;
}

function parse(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, {
    extract: false,
    ...present({ defaultCountry }),
  });
}

/** Rejects an extension: it takes no messages, and the number without it may belong to another subscriber. */
function chatOf(number: PhoneNumber | undefined): ReadNumber {
  if (number === undefined || number.ext !== undefined || !number.isPossible()) return BAD;
  return { chatId: `${number.number.slice(1)}@c.us` };
}

/** The country of a chat's number; undefined for a group, and for a chat that shows no number. */
function countryOfChat(chatId: string): string | undefined {
  const [digits = '', server] = chatId.split('@');
  return server === 'c.us' ? parse(`+${digits}`)?.country : undefined;
}

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
