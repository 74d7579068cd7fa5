/**
 * Reads who a recipient is: a phone number or a chat id in any spelling becomes the gateway's chat id, and every chat id
 * of one recipient has one key. No other code parses a number.
 *
 * NUMBER-1 `+…` and `00…` are international. Anything else is a number of the default country, if there is one.
 * NUMBER-2 Without a default country, digits are international, as everywhere in everpost. A leading 0 marks a national
 *    number, so the country is missing.
 * NUMBER-3 With a default country, digits that begin with its prefix and form a valid number there are international
 *    too: 4915112345678 in a file for DE is not +49 4915112345678. Digits that are a mobile number abroad and no mobile
 *    number there are rejected, since either reading may be meant: 628123456789 in a file for DE.
 * NUMBER-4 A number must be possible: a known country and a valid length. The network decides whether it is in use
 *    (`no_account`): new ranges open every month, and an outdated list would reject recipients.
 * NUMBER-5 Digits are never added to a number. A fraction of zero, as spreadsheets write numbers, is removed; any other
 *    fraction, a rounded number, an extension and a second number in the same text are rejected.
 * NUMBER-6 Numbers that differ only in a digit that the network treats as optional belong to one recipient
 *    ({@link recipientKey}). The spelling that was written is the one that is posted to.
 * NUMBER-7 A chat id is read without its device part, in upper or lower case, and also as `…@s.whatsapp.net`.
 */
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import { present, type RejectedLine } from '../contract/index.js';

/** Why a text is not the number or chat id of one recipient. */
export type NotOneRecipient = Extract<
  RejectedLine['reason'],
  'number_missing' | 'country_missing' | 'country_unclear' | 'bad_number' | 'several_numbers' | 'lost_in_spreadsheet'
>;
export type ReadRecipient = { readonly chatId: string } | { readonly reason: NotOneRecipient };

/** No number has fewer digits, with or without its country. */
const LEAST_DIGITS = 5;
/** No number, link or chat id is longer in any notation. */
const MAX_CHARACTERS = 100;
const BAD: ReadRecipient = { reason: 'bad_number' };
const SEVERAL: ReadRecipient = { reason: 'several_numbers' };

export function isKnownCountry(word: string): word is CountryCode {
  return isSupportedCountry(word);
}

/**
 * @param written  a phone number as an operator or a spreadsheet writes it, a link with a number, or a chat id
 * @param defaultCountry  the country of numbers without a country code
 */
export function readRecipient(written: string, defaultCountry?: CountryCode): ReadRecipient {
  // Most numbers of a large file have this form.
  if (/^\+?[1-9]\d{6,14}$/.test(written)) return readPhone(written, defaultCountry);
  if (written.length > MAX_CHARACTERS) return written.trim() === '' ? { reason: 'number_missing' } : BAD;
  const text = withoutCover(plainCharacters(written));
  if (text === '') return { reason: 'number_missing' };
  if (LOST_DIGITS.test(text)) return { reason: 'lost_in_spreadsheet' };
  // The library takes long for a text that cannot be a number.
  if (text.replaceAll(/\D/g, '').length < LEAST_DIGITS) return BAD;
  if (text.includes('@')) {
    const chatId = readChatId(text);
    return chatId === undefined ? BAD : { chatId };
  }
  const number = text.replace(ZERO_FRACTION, '$1');
  if (FRACTION.test(number)) return BAD;
  const [first = '', ...others] = number.split(BETWEEN_NUMBERS);
  if (others.some((other) => /\d/.test(other)) && isWhole(first.trim(), defaultCountry)) return SEVERAL;
  return readPhone(number, defaultCountry);
}

/** Digits of other scripts become ASCII digits; characters that are not shown are removed. */
function plainCharacters(written: string): string {
  if (/^[\x20-\x7e]*$/.test(written)) return written.trim();
  return written
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF]/g, (digit) => {
      const zero = ZEROS.findLast((code) => code <= digit.charCodeAt(0)) ?? 0;
      return String(digit.charCodeAt(0) - zero);
    })
    .trim();
}

/** The zeros of Arabic, Persian, Devanagari and Bengali digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

/**
 * Removes what other tools write around a number: the apostrophe or formula by which a spreadsheet keeps it a text, the
 * scheme of a link, the mark of an export.
 */
function withoutCover(text: string): string {
  const cell = /^=?"([^"]*)"$/.exec(text)?.[1] ?? text.replace(/^'/, '');
  const link = LINKS.find((one) => one.test(cell));
  return (link === undefined ? cell : cell.replace(link, '$1')).trim();
}

const LINKS = [
  /^(?:tel|sms|whatsapp|p):(?:\/\/)?([^;?]*)$/i,
  /^(?:https?:\/\/)?(?:www\.)?wa\.me\/(\+?\d+)\/?(?:\?.*)?$/i,
  /^(?:https?:\/\/)?(?:api|web)\.whatsapp\.com\/send\/?\?phone=(?:%2B|\+)?(\d+)(?:&.*)?$/i,
] as const;

/** A spreadsheet showed a number in scientific notation, too narrow a column, or an error. */
const LOST_DIGITS = /^(?:#+|#[A-Z/0-9]+[!?]?|[+-]?\d+(?:[.,]\d+)?e[+-]?\d+)$/i;
const ZERO_FRACTION = /^(\+?\d+)[.,]0+$/;
const FRACTION = /^\+?\d{7,}[.,]\d+$/;
const BETWEEN_NUMBERS = /[;,|/&\n\r]|:::/;
/** A part with fewer digits after its country code is an area code, as in 030/1234567. */
const LEAST_NATIONAL_DIGITS = 7;

/** Whether the text is a number without the rest of the text that it was taken from. */
function isWhole(text: string, defaultCountry: CountryCode | undefined): boolean {
  const read = readPhone(text, defaultCountry);
  if (!('chatId' in read)) return false;
  const national = parse(`+${digitsOf(read.chatId)}`)?.nationalNumber ?? '';
  return national.length >= LEAST_NATIONAL_DIGITS;
}

/** A number as it is dialled inside a country. */
const NATIONAL = /^[\s().\-/]*0[\d\s().\-/]{4,}$/;
const WITH_ITS_PREFIX = /^1[2-9]\d{9}$/;
const AT_HOME = /^1?[2-9]\d{9}$/;
/** The prefixes of mobile numbers in Mexico until 2019, which the library does not know any more. */
const MEXICAN_PREFIX = /^(?:01|044|045|1)(?=[2-9]\d{9}$)/;

function readPhone(written: string, defaultCountry: CountryCode | undefined): ReadRecipient {
  const text = written.replace(/^\(\+(\d{1,3})\)/, '+$1 ');
  if (text.startsWith('+')) return international(text);
  if (text.startsWith('00')) return international(`+${text.slice(2)}`);
  if (defaultCountry !== undefined) return inCountry(text, defaultCountry);
  return NATIONAL.test(text) ? { reason: 'country_missing' } : international(`+${text}`);
}

function international(text: string): ReadRecipient {
  return northAmerican(text.slice(1), WITH_ITS_PREFIX) ?? chatOf(parse(text));
}

function inCountry(text: string, country: CountryCode): ReadRecipient {
  const prefix = getCountryCallingCode(country);
  if (prefix === '1') return northAmerican(text, AT_HOME) ?? chatOf(parse(text, country));
  const digits = text.replaceAll(/\D/g, '');
  if (digits.startsWith(prefix)) {
    const number = parse(`+${text}`);
    if (number !== undefined && spellings(number.number.slice(1)).some(isValid)) return chatOf(number);
  }
  const number = parse(country === 'MX' ? digits.replace(MEXICAN_PREFIX, '') : text, country);
  const isUnclear =
    !digits.startsWith('0') && !isMobile(number) && spellings(digits).some((one) => isMobile(parse(`+${one}`)));
  return isUnclear ? { reason: 'country_unclear' } : chatOf(number);
}

const MOBILE_TYPES: readonly (string | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

function isMobile(number: PhoneNumber | undefined): boolean {
  return MOBILE_TYPES.includes(number?.getType());
}

/**
 * Two dozen countries share the prefix 1 and one form of numbers. The library determines the country, which takes
 * longer than the rest of an import and is not needed here. It handles only other forms.
 */
function northAmerican(text: string, shape: RegExp): ReadRecipient | undefined {
  const digits = text.replaceAll(/[\s().-]/g, '');
  return shape.test(digits) ? { chatId: `1${digits.slice(-10)}${OF_A_NUMBER}` } : undefined;
}

function parse(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false, ...present({ defaultCountry }) });
}

function isValid(digits: string): boolean {
  return parse(`+${digits}`)?.isValid() === true;
}

/** Rejects an extension: it takes no messages, and the number without it may belong to another subscriber. */
function chatOf(number: PhoneNumber | undefined): ReadRecipient {
  if (number === undefined || number.ext !== undefined) return BAD;
  const digits = number.number.slice(1);
  if (digits.length > MOST_DIGITS) return BAD;
  if (!number.isPossible() && !otherSpellings(digits).some(isValid)) return BAD;
  return { chatId: `${digits}${OF_A_NUMBER}` };
}

const OF_A_NUMBER = '@c.us';
/** The longest international number (E.164). */
const MOST_DIGITS = 15;

const CHAT_IDS = [
  // A device part follows a colon, in older ids also a dot: 15550001001:3@c.us, 15550001001.0:3@s.whatsapp.net.
  { written: /^([1-9]\d{4,14})(?:[.:]\d+){0,2}@(?:c\.us|s\.whatsapp\.net)$/i, domain: OF_A_NUMBER },
  { written: /^(\d{5,32})(?:[.:]\d+){0,2}@lid$/i, domain: '@lid' },
  { written: /^(\d{5,32}(?:-\d{1,32})?)@g\.us$/i, domain: '@g.us' },
] as const;

/**
 * A chat id in the contract's form.
 * @param shown  an id as a gateway shows it; digits alone are a number
 * @returns undefined if it is the id of no recipient or group
 */
export function readChatId(shown: string | number): string | undefined {
  const text = String(shown).trim();
  if (text.length > MAX_CHARACTERS) return undefined;
  if (/^[1-9]\d{4,14}$/.test(text)) return `${text}${OF_A_NUMBER}`;
  for (const { written, domain } of CHAT_IDS) {
    const found = written.exec(text)?.[1];
    if (found !== undefined) return `${found}${domain}`;
  }
  return undefined;
}

/**
 * Countries that added a digit to their mobile numbers, or removed it, while accounts kept their original id: the
 * network may know a number with or without that digit. Gives the parts before and after the digit.
 */
const OPTIONAL_DIGIT = [
  // Mexico, until 2019.
  { digit: '1', with: /^(52)1([2-9]\d{9})$/, without: /^(52)([2-9]\d{9})$/ },
  // Argentina, when dialled from abroad.
  { digit: '9', with: /^(54)9([1-8]\d{9})$/, without: /^(54)([1-8]\d{9})$/ },
  // Brazil, since 2012, after the area code. A number that continues with 2 to 5 may be a landline, not a mobile number
  // without the digit.
  { digit: '9', with: /^(55[1-9]\d)9([6-9]\d{7})$/, without: /^(55[1-9]\d)([6-9]\d{7})$/ },
] as const;

/** The same number with and without an optional digit, the given spelling first. */
function spellings(digits: string): string[] {
  return [digits, ...otherSpellings(digits)];
}

function otherSpellings(digits: string): string[] {
  return OPTIONAL_DIGIT.flatMap((country) => {
    if (country.with.test(digits)) return [digits.replace(country.with, '$1$2')];
    const [, before, behind] = country.without.exec(digits) ?? [];
    return before === undefined ? [] : [`${before}${country.digit}${behind}`];
  });
}

/** Every chat id under which the network may know the same recipient, the given one first. */
export function chatForms(chatId: string): string[] {
  if (!chatId.endsWith(OF_A_NUMBER)) return [chatId];
  return spellings(digitsOf(chatId)).map((digits) => `${digits}${OF_A_NUMBER}`);
}

/**
 * The same for every chat id of {@link chatForms}: the shortest of them. A lid that is known to belong to a number has
 * the key of that number, which only the ledger knows.
 */
export function recipientKey(chatId: string): string {
  return chatForms(chatId).reduce((shortest, form) => (form.length < shortest.length ? form : shortest));
}

/** Whether an instance with this list may write to the chat. @param allowed  absent: every chat */
export function isAllowed(allowed: readonly string[] | undefined, chatId: string): boolean {
  return allowed === undefined || allowed.some((one) => recipientKey(one) === recipientKey(chatId));
}

/** The country of a chat's number; undefined for a group, and for a chat that shows no number. */
export function countryOfChat(chatId: string): CountryCode | undefined {
  return chatId.endsWith(OF_A_NUMBER) ? parse(`+${digitsOf(chatId)}`)?.country : undefined;
}

/** The number in its usual form, +49 1511 2345678; the chat id itself for a group, and if it shows no number. */
export function writtenNumber(chatId: string): string {
  if (!chatId.endsWith(OF_A_NUMBER)) return chatId;
  return parse(`+${digitsOf(chatId)}`)?.formatInternational() ?? `+${digitsOf(chatId)}`;
}

function digitsOf(chatId: string): string {
  return chatId.slice(0, chatId.indexOf('@'));
}
