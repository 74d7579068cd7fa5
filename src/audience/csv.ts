import { AppError } from '../contract/index.js';

/**
 * Splits CSV (RFC 4180) into records, each with the number of its first line, piece by piece.
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
export const MAX_RECORD_CHARACTERS = 64 * 1024;

interface Cut {
  readonly fields: string[] | undefined;
  /** The position of the next record. */
  readonly next: number;
}

export class CsvRecords {
  readonly #delimiter: string;
  #text = '';
  #at = 0;
  #line = 1;
  /** True while the rest of a line over the limit is skipped. */
  #skipping = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The records that end in this piece of text. */
  push(text: string): CsvRecord[] {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    return this.#records(false);
  }

  /** The remaining records, when there is no more text. */
  end(): CsvRecord[] {
    return this.#records(true);
  }

  #records(isEnd: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.#at < this.#text.length) {
      const lineEnd = this.#text.indexOf('\n', this.#at);
      if (lineEnd === -1 && !isEnd && (this.#skipping || this.#text.length - this.#at <= MAX_RECORD_CHARACTERS)) {
        if (this.#skipping) this.#at = this.#text.length;
        break;
      }
      const end = lineEnd === -1 ? this.#text.length : lineEnd;
      if (this.#skipping) {
        this.#goTo(end + 1);
        this.#skipping = false;
        continue;
      }
      const line = this.#text.slice(this.#at, end);
      const cut = this.#cut(line, end, isEnd);
      if (cut === undefined) break;
      if (cut.fields !== undefined) records.push({ line: this.#line, fields: cut.fields });
      else if (line.trim() !== '') records.push({ line: this.#line, raw: line });
      // The line exceeds the limit before its end: skip its rest when it arrives.
      if (lineEnd === -1 && !isEnd) {
        this.#skipping = true;
        this.#at = this.#text.length;
      } else this.#goTo(cut.next);
    }
    return records;
  }

  /** @returns undefined if the record needs more text */
  #cut(line: string, end: number, isEnd: boolean): Cut | undefined {
    if (line.length > MAX_RECORD_CHARACTERS || line.trim() === '') return { fields: undefined, next: end + 1 };
    if (!line.includes('"')) return { fields: withoutReturn(line).split(this.#delimiter), next: end + 1 };
    const cut = this.#cutQuoted(isEnd);
    if (cut === 'broken') return { fields: undefined, next: end + 1 };
    if (cut !== 'more') return cut;
    if (!isEnd && this.#text.length - this.#at <= MAX_RECORD_CHARACTERS) return undefined;
    return { fields: undefined, next: end + 1 };
  }

  #cutQuoted(isEnd: boolean): Cut | 'broken' | 'more' {
    const text = this.#text;
    const fields: string[] = [];
    let lineEnd = text.indexOf('\n', this.#at);
    for (let at = this.#at; ;) {
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1);
        // If the text ends with a quote, the next piece may double it.
        if (close === -1 || (close + 1 === text.length && !isEnd)) return isEnd ? 'broken' : 'more';
        if (close - this.#at > MAX_RECORD_CHARACTERS) return 'broken';
        fields.push(text.slice(at + 1, close).replaceAll('""', '"'));
        at = close + 1;
        if (text.startsWith(this.#delimiter, at)) {
          at += 1;
          continue;
        }
        if (text[at] === '\r' && at + 1 === text.length && !isEnd) return 'more';
        if (text[at] === '\r') at += 1;
        return at >= text.length || text[at] === '\n' ? { fields, next: at + 1 } : 'broken';
      }
      // Searched once per line, and the delimiter only in this line; otherwise each field would scan the whole text.
      if (lineEnd !== -1 && lineEnd < at) lineEnd = text.indexOf('\n', at);
      if (lineEnd === -1 && !isEnd) return 'more';
      const end = lineEnd === -1 ? text.length : lineEnd;
      const rest = text.slice(at, end);
      const delimiter = rest.indexOf(this.#delimiter);
      if (delimiter === -1) {
        fields.push(withoutReturn(rest));
        return { fields, next: end + 1 };
      }
      fields.push(rest.slice(0, delimiter));
      at += delimiter + 1;
    }
  }

  /** Moves to `next` and counts the lines. */
  #goTo(next: number): void {
    for (let at = this.#text.indexOf('\n', this.#at); at !== -1 && at < next; at = this.#text.indexOf('\n', at + 1)) {
      this.#line += 1;
    }
    this.#at = Math.min(next, this.#text.length);
  }
}

/** The position of the closing quote of the field that begins at `from`; -1 if more text is needed. */
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

/**
 * Escapes cells that a spreadsheet would run as a formula.
 *
 * A cell that begins with one of {@link FORMULA_SIGNS} gets an apostrophe before it. A cell that already has such an
 * apostrophe gets another one; reading removes one, so that values are read as they were written. A sign with digits,
 * as in +15551234567, is a number for a spreadsheet and stays unchanged.
 */
const FORMULA_SIGNS: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r', '\n']);
const SIGNED_DIGITS = /^[+-]\d+$/;

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
