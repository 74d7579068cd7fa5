import type { ListFacts, ListOptions } from '../../contract/index.js';
import { foldedName } from '../../domain/index.js';
import { listRefused } from '../list-refused.js';
import { MAX_LINE_CHARACTERS, type linesOf, type TextLine } from '../text/text-lines.js';
import { plainCell } from './neutral-cell.js';
import { phoneRank } from './phone-names.js';
import type { AnyRow } from '../table-row.js';

/**
 * Splits the lines of a CSV file (RFC 4180) into records, each with the number of its first line.
 *
 * CSV-1 A quote opens a quoted field only at the beginning of the field; inside the field, a quote is doubled, and line
 *    ends are part of the text, as LF. Anywhere else a quote is a plain character.
 * CSV-2 Every line with text on it is a record or part of one; none is lost. A broken record (a quote that is never
 *    closed, text after a closing quote, a record over the limit) loses only the line on which it begins, and reading
 *    continues with the next line. Other parsers continue inside such a record and lose every recipient after it.
 * CSV-3 Only one record and one piece of the source are in memory.
 */

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * The rows of a CSV file; the first one is the header.
 * @throws AppError INPUT_INVALID if the header cannot be read
 */
export async function* csvRows(
  pieces: ReturnType<typeof linesOf>,
  options: Pick<ListOptions, 'delimiter' | 'phoneColumn' | 'map'>,
  facts: ListFacts,
): AsyncGenerator<AnyRow[]> {
  let delimiter: string | undefined;
  let open: readonly TextLine[] = [];
  for await (const { lines, isEnd } of pieces) {
    open = open.length === 0 ? lines : [...open, ...lines];
    if (delimiter === undefined) {
      const head = headOf(open, options, isEnd);
      if (head === undefined) continue;
      ({ delimiter } = head);
      facts.delimiter = delimiter === '\t' ? 'tab' : delimiter;
      open = open.slice(head.skip);
    }
    const { records, rest } = csvRecords(open, delimiter, isEnd);
    open = rest;
    yield records.map((row) => ('cells' in row ? { ...row, cells: row.cells.map(plainCell) } : row));
  }
}

/** The first line by which Excel is told the delimiter. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?\s*$/i;

/** Where the header is, also if titles or notes are above it. */
const TOP_LINES = 20;

/** @returns the delimiter and the number of lines before the header; undefined if it needs more lines */
function headOf(
  lines: readonly TextLine[],
  { delimiter, phoneColumn, map = {} }: Pick<ListOptions, 'delimiter' | 'phoneColumn' | 'map'>,
  isEnd: boolean,
): { readonly delimiter: string; readonly skip: number } | undefined {
  const top = lines.slice(0, TOP_LINES);
  if (top.length < TOP_LINES && !isEnd) return undefined;
  const first = top.findIndex(({ text }) => text.trim() !== '');
  if (first === -1 && isEnd && lines.every(({ text }) => text.trim() === '')) {
    throw listRefused('the file is empty', 'Give a file with a header and a line for each recipient.');
  }
  const separator = SEPARATOR_LINE.exec(top[first]?.text ?? '')?.[1];
  // A tab is named, since it is invisible.
  const named = delimiter === 'tab' ? '\t' : delimiter;
  if (separator !== undefined) return { delimiter: named ?? separator, skip: first + 1 };
  if (named !== undefined) return { delimiter: named, skip: 0 };
  const wanted = new Set([phoneColumn ?? '', ...Object.values(map)].map(foldedName));
  const isKnown = (cell: string) =>
    cell.trim() !== '' && (phoneRank(cell) !== undefined || wanted.has(foldedName(cell)));
  const heads = DELIMITERS.map((candidate) => {
    const [columns = [], ...below] = csvRecords(top, candidate, true).records.map((row) =>
      'cells' in row ? row.cells : [],
    );
    const known = columns.some(isKnown) ? 2 : Number(below.some((cells) => cells.some(isKnown)));
    return { delimiter: candidate, skip: 0, known, columns: columns.length };
  });
  const [best] = heads.toSorted((one, other) => other.known - one.known || other.columns - one.columns);
  return { delimiter: best?.delimiter ?? ',', skip: 0 };
}

/** The longest record, in characters. A message's text has at most 20,000. */
const MAX_RECORD_CHARACTERS = MAX_LINE_CHARACTERS;

/**
 * @param isEnd  no more lines follow
 * @returns the records of these lines, and the lines from a record on that needs more of them
 */
function csvRecords(lines: readonly TextLine[], delimiter: string, isEnd: boolean) {
  const records: AnyRow[] = [];
  let at = 0;
  for (let first = lines[at]; first !== undefined; first = lines[at]) {
    const cut = cutRecord(lines, at, delimiter);
    if (cut === 'more' && !isEnd) break;
    if (typeof cut === 'object') {
      records.push({ line: first.line, cells: cut.fields });
      at += cut.lines;
    } else {
      if (first.text.trim() !== '') records.push({ line: first.line, raw: first.text });
      at += 1;
    }
  }
  return { records, rest: lines.slice(at) };
}

/** @returns `broken` also for a blank line; `more` if the record continues after these lines */
function cutRecord(
  lines: readonly TextLine[],
  first: number,
  delimiter: string,
): { readonly fields: readonly string[]; readonly lines: number } | 'broken' | 'more' {
  let { text = '', isCut = true } = lines[first] ?? {};
  if (isCut || text.trim() === '') return 'broken';
  if (!text.includes('"')) return { fields: text.split(delimiter), lines: 1 };
  const fields: string[] = [];
  let last = first;
  let characters = text.length;
  for (let at = 0; ;) {
    if (text[at] !== '"') {
      const next = text.indexOf(delimiter, at);
      if (next === -1) {
        fields.push(text.slice(at));
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
    if (at === text.length) return { fields, lines: last - first + 1 };
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
