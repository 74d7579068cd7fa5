import { isRecord, parseJson, type RecipientValues } from '../contract/index.js';
import { csvRecords, type CsvRecord, numberColumnOf, readHead, type CsvHead, plainCell } from './csv.js';
import { decodeText, linesOf, type TextLine } from './text-lines.js';
import { classifyLine, RecipientBatch, reject, type VerdictRules } from './classify-line.js';

export type RecipientFormat = 'csv' | 'ndjson' | 'list';

export interface RecipientSource extends VerdictRules {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: RecipientFormat;
  /** The delimiter of CSV. @default the one of the header */
  readonly delimiter?: string | undefined;
}

/**
 * Reads recipients with a verdict for each non-empty line, except the header of CSV. Line numbers are those of an
 * editor; a record over several lines has the number of its first line.
 *
 * CSV: the first line names the columns; one of {@link numberColumnOf} has the number, every other column is a
 * variable. NDJSON: one object a line, with the same names; values are texts, numbers or flags. List: one number a line
 * and nothing else.
 *
 * Memory does not grow with the source: only one batch is kept.
 * @param batchLines  the approximate number of lines in a batch
 * @throws AppError INPUT_INVALID if the source cannot be read: UTF-16, a header without a number column
 */
export async function* readRecipients(source: RecipientSource, batchLines: number): AsyncGenerator<RecipientBatch> {
  let batch = new RecipientBatch();
  for await (const classify of classifyAll(decodeText(source.bytes), source)) {
    classify(batch);
    if (batch.size < batchLines) continue;
    yield batch;
    batch = new RecipientBatch();
  }
  if (batch.size > 0) yield batch;
}

/** The column of a list's lines in a file of rejected lines. */
const LIST_COLUMN = 'phone';

/** Adds the verdicts on a piece of the source to a batch. */
type ClassifyBatch = (batch: RecipientBatch) => void;

function classifyAll(pieces: AsyncIterable<string>, source: RecipientSource): AsyncGenerator<ClassifyBatch> {
  switch (source.format) {
    case 'csv':
      return classifyCsv(pieces, source);
    case 'ndjson':
      return classifyLines(pieces, (batch, line) => classifyObject(batch, line, source));
    case 'list':
      return classifyLines(pieces, (batch, { line, text }) => {
        const row = { line, written: text, values: {}, columns: () => ({ [LIST_COLUMN]: text }) };
        classifyLine(batch, row, source);
      });
  }
}

async function* classifyCsv(pieces: AsyncIterable<string>, source: RecipientSource): AsyncGenerator<ClassifyBatch> {
  let head: CsvHead | undefined;
  let open: readonly TextLine[] = [];
  for await (const { lines, isEnd } of linesOf(pieces)) {
    open = [...open, ...lines];
    const headRecords = head === undefined ? 1 : 0;
    head ??= readHead(open, source.delimiter, isEnd);
    if (head === undefined) continue;
    const { records, rest } = csvRecords(open, head.delimiter, isEnd);
    open = rest;
    yield classifyRecords(records.slice(headRecords), head, source);
  }
}

function classifyRecords(
  records: readonly CsvRecord[],
  { delimiter, columns, numberAt }: CsvHead,
  rules: VerdictRules,
): ClassifyBatch {
  return (batch) => {
    for (const [at, name] of columns.entries()) {
      batch.columns.add(name);
      if (at !== numberAt) batch.variables.add(name);
    }
    for (const record of records) {
      const { line } = record;
      if (!('fields' in record)) {
        reject(batch, { line, columns: () => ({ [columns[0] ?? '']: record.raw }) }, 'unreadable', record.raw);
        continue;
      }
      const fields = record.fields.map(plainCell);
      const row = {
        line,
        written: fields[numberAt] ?? '',
        values: Object.fromEntries(
          columns
            .map((name, at) => [name, fields[at] ?? ''] as const)
            .filter(([, value], at) => at !== numberAt && value !== ''),
        ),
        columns: () => Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? ''])),
      };
      if (fields.length === columns.length) classifyLine(batch, row, rules);
      else reject(batch, row, 'unreadable', record.fields.join(delimiter));
    }
  };
}

async function* classifyLines(
  pieces: AsyncIterable<string>,
  classify: (batch: RecipientBatch, line: TextLine) => void,
): AsyncGenerator<ClassifyBatch> {
  for await (const { lines } of linesOf(pieces)) {
    yield (batch) => {
      for (const line of lines) if (line.text.trim() !== '') classify(batch, line);
    };
  }
}

function classifyObject(batch: RecipientBatch, { line, text: json, isCut }: TextLine, rules: VerdictRules): void {
  const fields = isCut ? undefined : asObject(json);
  if (fields === undefined)
    return reject(batch, { line, columns: () => ({ [LIST_COLUMN]: json }) }, 'unreadable', json);
  const numberName = numberColumnOf(Object.keys(fields));
  const columns = (): RecipientValues =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value) ?? JSON.stringify(value)]));
  const values: [string, string][] = [];
  for (const [name, value] of Object.entries(fields)) {
    batch.columns.add(name);
    if (name === numberName) continue;
    batch.variables.add(name);
    if (value === null || value === '') continue;
    const text = asText(value);
    if (text === undefined) return reject(batch, { line, columns }, 'bad_value', JSON.stringify(value));
    values.push([name, text]);
  }
  const written = (numberName === undefined ? undefined : asText(fields[numberName])) ?? '';
  classifyLine(batch, { line, written, values: Object.fromEntries(values), columns }, rules);
}

function asText(value: unknown): string | undefined {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // A line that cannot be read gets a verdict.
    return undefined;
  }
}
