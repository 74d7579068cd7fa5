import {
  RECIPIENT_VERDICTS,
  present,
  type RecipientValues,
  type Recipient,
  type RejectedLine,
  wellFormed,
} from '../contract/index.js';
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

/** A line of a source, before its verdict. */
export interface SourceRow {
  readonly line: number;
  /** The number as it is written. */
  readonly written: string;
  /** The values for variables, without empty ones. */
  readonly values: RecipientValues;
  /** The value of the column with the recipient's timezone, if it has one. */
  readonly timezone?: string | undefined;
  /** See {@link RejectedLine.columns}. Called only for a line that is not accepted. */
  readonly columns: () => RecipientValues;
  /** In a corrected file of rejected lines: the values of its {@link VERDICT_COLUMNS}. */
  readonly verdict?: readonly (string | undefined)[] | undefined;
}

/**
 * The last columns of a file of rejected lines, beside those of the source. A file whose last columns have these names
 * is read without them.
 */
export const VERDICT_COLUMNS = ['line', 'reason', 'remedy'] as const;

/** Part of a source, with a verdict for each of its lines. */
export class RecipientBatch {
  readonly recipients: Recipient[] = [];
  readonly rejects: RejectedLine[] = [];
  /** Every column of the source up to here, in its order. */
  readonly columns = new Set<string>();
  /** The columns of the source up to here that are variables. */
  readonly variables = new Set<string>();
  /** Only in a corrected file of rejected lines. */
  readonly corrected: { readonly line: number; readonly reason: RejectedLine['reason'] }[] = [];
  readonly #columnsOf = new Map<number, SourceRow['columns']>();

  get size(): number {
    return this.recipients.length + this.rejects.length;
  }

  accept(recipient: Recipient, columns: SourceRow['columns']): void {
    this.recipients.push(recipient);
    this.#columnsOf.set(recipient.line, columns);
  }

  /** The columns of a recipient that the ledger finds to be a duplicate. */
  columnsOf(line: number): RecipientValues {
    return this.#columnsOf.get(line)?.() ?? {};
  }
}

const MAX_REJECT_CHARACTERS = 200;
/** NUL, half a surrogate pair, and U+FFFD, with which the decoder replaces bytes that are not UTF-8. */
const UNSENDABLE = /[\0\uFFFD]|\p{Surrogate}/u;

export function classifyLine(batch: RecipientBatch, row: SourceRow, rules: VerdictRules): void {
  const { line, written, values, verdict: [formerLine = '', formerReason = ''] = [] } = row;
  const former = RECIPIENT_VERDICTS.find((one) => one === formerReason.split(' ', 1)[0]);
  if (/^\d{1,10}$/.test(formerLine) && former !== undefined && former !== 'accepted') {
    batch.corrected.push({ line: Number(formerLine), reason: former });
  }
  const number = readRecipient(written, rules.defaultCountry);
  if (!('chatId' in number)) return reject(batch, row, number.reason, written);
  const { chatId } = number;
  if (rules.allowedRecipients?.has(recipientKey(chatId)) === false) {
    return reject(batch, row, 'not_allowed', written, chatId);
  }
  const bad = Object.entries(values).find(([name, value]) => UNSENDABLE.test(name) || UNSENDABLE.test(value));
  if (bad !== undefined) return reject(batch, row, 'bad_value', `${bad[0]}: ${bad[1]}`, chatId);
  const { timezoneOf } = rules;
  const timezone = timezoneOf?.(chatId, row.timezone);
  if (timezoneOf !== undefined && timezone === undefined) {
    return reject(batch, row, 'timezone_unknown', row.timezone ?? written, chatId);
  }
  batch.accept({ line, chatId, values, ...present({ timezone }) }, row.columns);
}

export function reject(
  batch: RecipientBatch,
  { line, columns }: Pick<SourceRow, 'line' | 'columns'>,
  reason: RejectedLine['reason'],
  value: string,
  chatId?: string,
): void {
  batch.rejects.push({
    line,
    reason,
    value: wellFormed(value.slice(0, MAX_REJECT_CHARACTERS)),
    columns: columns(),
    ...present({ chatId }),
  });
}

/** A participant as getGroupData shows it. */
export interface Participant {
  /** The chat id, if the gateway shows the number. */
  readonly id?: string | null | undefined;
  /** The id of a participant whose number is not shown. */
  readonly lid?: string | null | undefined;
}

/** The column of a participant in a file of rejected lines. */
const PARTICIPANT_COLUMN = 'chatId';

/**
 * The participants of a group in their order; the position, from 1, is the line.
 * @param own  the account's own chat id, if known
 */
export function groupRecipients(
  participants: readonly Participant[],
  own: string | undefined,
  rules: VerdictRules,
): RecipientBatch {
  const batch = new RecipientBatch();
  batch.columns.add(PARTICIPANT_COLUMN);
  for (const [at, { id, lid }] of participants.entries()) {
    const isNumber = typeof id === 'string' && id !== '' && !id.endsWith('@lid');
    const written = isNumber ? id : (lid ?? id ?? '');
    const row: SourceRow = { line: at + 1, written, values: {}, columns: () => ({ [PARTICIPANT_COLUMN]: written }) };
    if (!isNumber) reject(batch, row, 'lid_only', written);
    else if (own !== undefined && recipientKey(id) === recipientKey(own)) reject(batch, row, 'own_account', id, id);
    else classifyLine(batch, row, rules);
  }
  return batch;
}
