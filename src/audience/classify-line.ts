import { present, type RecipientValues, type Recipient, type RejectedLine } from '../contract/index.js';
import { readRecipient, recipientKey } from '../domain/index.js';
import type { TimezoneOf } from './timezones.js';

/** The settings that a verdict depends on. */
export interface VerdictRules {
  readonly defaultCountry?: Parameters<typeof readRecipient>[1];
  /** The keys of the recipients that may be written to. Absent: all. */
  readonly allowedRecipients?: ReadonlySet<string> | undefined;
  /** Only if the campaign uses its recipients' local times. */
  readonly timezoneOf?: TimezoneOf | undefined;
}

/** The column with the timezone of a recipient. */
const TIMEZONE_COLUMN = 'timezone';

/** Part of a source, with a verdict for each of its lines. */
export interface RecipientBatch {
  readonly recipients: Recipient[];
  readonly rejects: RejectedLine[];
}

const MAX_REJECT_CHARACTERS = 200;
/** NUL, half a surrogate pair, and U+FFFD, with which the decoder replaces bytes that are not UTF-8. */
const UNSENDABLE = /[\0\uFFFD]|\p{Surrogate}/u;

export function classifyLine(
  batch: RecipientBatch,
  line: number,
  written: string,
  values: RecipientValues,
  rules: VerdictRules,
): void {
  const number = readRecipient(written, rules.defaultCountry);
  if (!('chatId' in number)) return reject(batch, line, number.reason, written);
  if (rules.allowedRecipients?.has(recipientKey(number.chatId)) === false)
    return reject(batch, line, 'not_allowed', written);
  const bad = Object.entries(values).find(([name, value]) => UNSENDABLE.test(name) || UNSENDABLE.test(value));
  if (bad !== undefined) return reject(batch, line, 'bad_value', bad[1]);
  const { chatId } = number;
  const { timezoneOf } = rules;
  const timezone = timezoneOf?.(chatId, values[TIMEZONE_COLUMN]);
  if (timezoneOf !== undefined && timezone === undefined) {
    return reject(batch, line, 'timezone_unknown', values[TIMEZONE_COLUMN] ?? written);
  }
  batch.recipients.push({ line, chatId, values, ...present({ timezone }) });
}

export function reject(batch: RecipientBatch, line: number, reason: RejectedLine['reason'], value: string): void {
  // The ledger cannot store a NUL, and the cut may split a surrogate pair.
  const shown = value.slice(0, MAX_REJECT_CHARACTERS).replaceAll(/\0|\p{Surrogate}/gu, '\uFFFD');
  batch.rejects.push({ line, reason, value: shown });
}

/** A participant as getGroupData shows it. */
export interface Participant {
  /** The chat id, if the gateway shows the number. */
  readonly id?: string | null | undefined;
  /** The id of a participant whose number is not shown. */
  readonly lid?: string | null | undefined;
}

/**
 * The participants of a group in their order; the position, from 1, is the line.
 * @param own  the account's own chat id, if known
 */
export function groupRecipients(
  participants: readonly Participant[],
  own: string | undefined,
  rules: VerdictRules,
): RecipientBatch {
  const batch: RecipientBatch = { recipients: [], rejects: [] };
  for (const [at, { id, lid }] of participants.entries()) {
    const line = at + 1;
    const isNumber = typeof id === 'string' && id !== '' && !id.endsWith('@lid');
    if (!isNumber) reject(batch, line, 'lid_only', lid ?? id ?? '');
    else if (id === own) reject(batch, line, 'own_account', id);
    else classifyLine(batch, line, id, {}, rules);
  }
  return batch;
}
