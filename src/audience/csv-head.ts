import { AppError } from '../contract/index.js';
import { CsvRecords, MAX_RECORD_CHARACTERS } from './csv-records.js';

/**
 * Names of the column with the number, in upper or lower case. If a file has several of them, the first in this
 * order is used.
 */
export const NUMBER_COLUMNS = ['phone', 'phone_number', 'mobile', 'number', 'chatId'] as const;

const DELIMITERS = [',', ';', '\t', '|'] as const;

export interface CsvHead {
  readonly delimiter: string;
  /** Every column by its name, in order. */
  readonly columns: readonly string[];
  readonly numberAt: number;
}

/** Returns the name of the column with the number. */
export function numberColumnOf(names: readonly string[]): string | undefined {
  for (const known of NUMBER_COLUMNS) {
    const found = names.find((name) => name.toLowerCase() === known.toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the header is complete: it ends outside of quotes, or exceeds the limit of a record. */
export function hasWholeHead(text: string): boolean {
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\n' && !isQuoted && !isBlank) return true;
    if (isBlank && character.trim() !== '') isBlank = false;
  }
  return text.length > MAX_RECORD_CHARACTERS;
}

/**
 * Reads the header, the first record of a text. Uses the delimiter that gives the most columns, among those that give a
 * column for the number.
 * @throws AppError INPUT_INVALID
 */
export function readHead(text: string, delimiter?: string): CsvHead {
  if (text.trim() === '') throw headInvalid('is missing: the source is empty');
  const heads = (delimiter === undefined ? DELIMITERS : [delimiter])
    .map((candidate) => ({ delimiter: candidate, columns: columnsOf(text, candidate) }))
    .toSorted((one, other) => other.columns.length - one.columns.length);
  for (const head of heads) {
    const numberColumn = numberColumnOf(head.columns);
    if (numberColumn === undefined) continue;
    refuseUnclearNames(head.columns);
    return { ...head, numberAt: head.columns.indexOf(numberColumn) };
  }
  throw headInvalid(`has no column ${NUMBER_COLUMNS.join(', ')}; one of them must have the number`);
}

function columnsOf(text: string, delimiter: string): string[] {
  const records = new CsvRecords(delimiter);
  const [head] = [...records.push(text), ...records.end()];
  return head !== undefined && 'fields' in head ? head.fields.map((name) => name.trim()) : [];
}

function refuseUnclearNames(columns: readonly string[]): void {
  const places = new Map<string, number>();
  for (const [at, name] of columns.entries()) {
    if (name === '') throw headInvalid(`has no name for column ${at + 1}`);
    const first = places.get(name);
    if (first !== undefined) throw headInvalid(`has the same name for columns ${first + 1} and ${at + 1}`);
    places.set(name, at);
  }
}

/** Does not quote the line: without a header, it contains a recipient's number. */
function headInvalid(problem: string): AppError {
  return new AppError(
    'INPUT_INVALID',
    `The recipients are refused: the header ${problem}. Correct the file and import it again; nothing was changed.`,
    { problems: [{ path: 'recipients', message: `The header ${problem}` }] },
  );
}
