import { AppError } from '../contract/index.js';
import { foldedName } from '../domain/index.js';
import { MAX_LINE_CHARACTERS, type TextLine } from './text-lines.js';

/**
 * Splits the lines of a CSV file (RFC 4180) into records, each with the number of its first line.
 *
 * CSV-1 A quote opens a quoted field only at the beginning of the field; inside the field, a quote is doubled, and line
 *    ends are part of the text. Anywhere else a quote is a plain character.
 * CSV-2 Every line with text on it is a record or part of one; none is lost. A broken record (a quote that is never
 *    closed, text after a closing quote, a record over the limit) loses only the line on which it begins, and reading
 *    continues with the next line. Other parsers continue inside such a record and lose every recipient after it.
 * CSV-3 Only one record and one piece of the source are in memory.
 */

export type CsvRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  /** `raw`: the line, or its beginning. */
  | { readonly line: number; readonly raw: string };

/** The longest record, in characters. A message's text has at most 20,000. */
const MAX_RECORD_CHARACTERS = MAX_LINE_CHARACTERS;

/**
 * @param isEnd  no more lines follow
 * @returns the records of these lines, and the lines from a record on that needs more of them
 */
export function csvRecords(lines: readonly TextLine[], delimiter: string, isEnd: boolean) {
  const records: CsvRecord[] = [];
  let at = 0;
  for (let first = lines[at]; first !== undefined; first = lines[at]) {
    const cut = cutRecord(lines, at, delimiter);
    if (cut === 'more' && !isEnd) break;
    if (typeof cut === 'object') {
      records.push({ line: first.line, fields: cut.fields });
      at += cut.lines;
    } else {
      if (first.text.trim() !== '') records.push({ line: first.line, raw: first.text });
      at += 1;
    }
  }
  return { records, rest: lines.slice(at) };
}

interface Cut {
  readonly fields: readonly string[];
  /** How many lines the record has. */
  readonly lines: number;
}

/** @returns `broken` also for a blank line; `more` if the record continues after these lines */
function cutRecord(lines: readonly TextLine[], first: number, delimiter: string): Cut | 'broken' | 'more' {
  let { text = '', isCut = true } = lines[first] ?? {};
  if (isCut || text.trim() === '') return 'broken';
  if (!text.includes('"')) return { fields: withoutReturn(text).split(delimiter), lines: 1 };
  const fields: string[] = [];
  let last = first;
  let characters = text.length;
  for (let at = 0; ;) {
    if (text[at] !== '"') {
      const next = text.indexOf(delimiter, at);
      if (next === -1) {
        fields.push(withoutReturn(text.slice(at)));
        return { fields, lines: last - first + 1 };
      }
      fields.push(text.slice(at, next));
      at = next + 1;
      continue;
    }
    let field = '';
    let close = closingQuote(text, ++at);
    for (; close === -1; close = closingQuote(text, at)) {
      field += `${text.slice(at)}\n`;
      const next = lines[++last];
      if (next === undefined) return 'more';
      ({ text, isCut } = next);
      characters += 1 + text.length;
      if (isCut || characters > MAX_RECORD_CHARACTERS) return 'broken';
      at = 0;
    }
    fields.push((field + text.slice(at, close)).replaceAll('""', '"'));
    at = close + 1;
    if (withoutReturn(text.slice(at)) === '') return { fields, lines: last - first + 1 };
    if (!text.startsWith(delimiter, at)) return 'broken';
    at += 1;
  }
}

/** The position of the closing quote of a field whose text continues at `from`; -1 if it is on a later line. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

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
  const folded = new Map(names.toReversed().map((name) => [foldedName(name), name]));
  return NUMBER_COLUMNS.map((known) => folded.get(foldedName(known))).find((name) => name !== undefined);
}

/**
 * Reads the header, the first record. Uses the delimiter that gives the most columns, among those that give a column for
 * the number.
 * @param isEnd  no more lines follow
 * @returns undefined while the header may continue after these lines
 * @throws AppError INPUT_INVALID
 */
export function readHead(
  lines: readonly TextLine[],
  delimiter: string | undefined,
  isEnd: boolean,
): CsvHead | undefined {
  const heads: Omit<CsvHead, 'numberAt'>[] = [];
  for (const candidate of delimiter === undefined ? DELIMITERS : [delimiter]) {
    const [head] = csvRecords(lines, candidate, isEnd).records;
    if (head === undefined && !isEnd) return undefined;
    if (head === undefined) throw headInvalid('is missing: the source is empty');
    const columns = 'fields' in head ? head.fields.map((name) => name.trim()) : [];
    heads.push({ delimiter: candidate, columns });
  }
  for (const head of heads.toSorted((one, other) => other.columns.length - one.columns.length)) {
    const numberColumn = numberColumnOf(head.columns);
    if (numberColumn === undefined) continue;
    refuseUnclearNames(head.columns);
    return { ...head, numberAt: head.columns.indexOf(numberColumn) };
  }
  throw headInvalid(`has no column ${NUMBER_COLUMNS.join(', ')}; one of them must have the number`);
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

/**
 * Escapes cells that a spreadsheet would run as a formula.
 *
 * A cell that begins with one of {@link FORMULA_SIGNS} gets an apostrophe before it. A cell that already has such an
 * apostrophe gets another one; reading removes one, so that values are read as they were written. A sign with digits
 * and blanks, as in +15551234567 and +49 1511 2345678, is a number or text for a spreadsheet and stays unchanged.
 */
const FORMULA_SIGNS: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);
const SIGNED_DIGITS = /^[+-]\d+(?: \d+)*$/;

export function neutralCell(text: string): string {
  const needsOne = (beginsFormula(text) && !SIGNED_DIGITS.test(text)) || hasApostrophe(text);
  return needsOne ? `'${text}` : text;
}

/** The inverse of {@link neutralCell}. */
export function plainCell(cell: string): string {
  return hasApostrophe(cell) ? cell.slice(1) : cell;
}

/** Matches `'=1` and its escaped form `''=1`. */
function hasApostrophe(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at += 1;
  return at > 0 && beginsFormula(text.slice(at));
}

function beginsFormula(text: string): boolean {
  return FORMULA_SIGNS.has(text.charAt(0));
}
