/** Reads the recipients in a request. Every request gets the same answer for the same text. */
import { type MessageContent, type Problem, present } from '../contract/index.js';
import { isKnownCountry, readRecipient, type NotOneRecipient } from './recipients.js';

type Country = Parameters<typeof readRecipient>[1];

/** Why a text is no recipient, and the remedy. */
const UNREADABLE: Readonly<Record<NotOneRecipient, string>> = {
  number_missing: 'is empty: give a phone number or a chat id',
  country_missing:
    'is a number without its country: write it with the country code, e.g. +44 20 7946 0018, or give defaultCountry (--country)',
  country_unclear:
    'may be a mobile number of another country or a number of the default country: write + and the country code, or 0 before a number of the default country',
  several_numbers: 'contains several numbers, or an extension: give one number',
  lost_in_spreadsheet:
    'is not the whole number, since a spreadsheet replaced its digits: format the column as text, and copy the number again',
  bad_number:
    'is neither a phone number of any country (at most 15 digits) nor a chat id that ends in @c.us, @g.us or @lid: write the number with its country code, e.g. +44 20 7946 0018',
};

export function readRecipientField(
  path: string,
  written: string,
  defaultCountry?: Country,
): { readonly chatId: string } | { readonly problems: readonly Problem[] } {
  const read = readRecipient(written, defaultCountry);
  return 'chatId' in read ? read : { problems: [{ path, message: UNREADABLE[read.reason] }] };
}

/** The country of numbers without a country code. */
export function readCountryField(
  written: string | undefined,
): { readonly country: Country } | { readonly problems: readonly Problem[] } {
  if (written === undefined || isKnownCountry(written)) return { country: written };
  return { problems: [{ path: 'defaultCountry', message: 'is not a country with its own phone numbers' }] };
}

/** A message's content whose recipients are chat ids: the chat of a forwarded message, the contacts of a status. */
export function readContentRecipients(
  content: MessageContent,
  defaultCountry?: Country,
): { readonly content: MessageContent; readonly problems: readonly Problem[] } {
  if (content.kind !== 'forward' && content.kind !== 'status') return { content, problems: [] };
  const problems: Problem[] = [];
  const chatOf = (path: string, written: string): string => {
    const read = readRecipientField(path, written, defaultCountry);
    if ('chatId' in read) return read.chatId;
    problems.push(...read.problems);
    return written;
  };
  if (content.kind === 'forward') {
    const chatIdFrom = chatOf('content.chatIdFrom', content.chatIdFrom);
    return { content: { ...content, chatIdFrom }, problems };
  }
  const participants = content.participants?.map((one, at) => chatOf(`content.participants[${at}]`, one));
  return { content: { ...content, ...present({ participants }) }, problems };
}
