import type { AnyRow } from '../table-row.js';
import { MAX_LINE_CHARACTERS, type TextLine } from '../text/text-lines.js';

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

/** The longest record, in characters. A message's text has at most 20,000. */
const MAX_RECORD_CHARACTERS = MAX_LINE_CHARACTERS;

/**
 * @param isEnd  no more lines follow
 * @returns the records of these lines, and the lines from a record on that needs more of them
 */
export function csvRecords(lines: readonly TextLine[], delimiter: string, isEnd: boolean) {
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

interface Cut {
  readonly fields: readonly string[];
  /** How many lines the record has. */
  readonly lines: number;
}

/** @returns `broken` also for a blank line; `more` if the record continues after these lines */
function cutRecord(lines: readonly TextLine[], first: number, delimiter: string): Cut | 'broken' | 'more' {
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
