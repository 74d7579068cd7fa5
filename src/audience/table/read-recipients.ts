import type { ListFacts, ListOptions } from '../../contract/index.js';
import { classifyLine, RecipientBatch, type VerdictRules } from '../classify-line.js';
import { listRefused } from '../list-refused.js';
import type { ClassifyBatch, OpenSource, RecipientFormat, RecipientSource } from '../recipient-source.js';
import { classifyObjects } from './classify-objects.js';
import { classifyTable } from './classify-table.js';
import { csvRows } from './csv-rows.js';
import { decodeText } from '../text/decode-text.js';
import { linesOf } from '../text/text-lines.js';
import { workbookRows } from '../workbook/workbook-rows.js';

/**
 * Reads recipients with a verdict for each row that is not empty, except the header. Line numbers are those of an editor
 * or a spreadsheet; a record over several lines has the number of its first line.
 *
 * The steps: bytes become text in one encoding, text becomes lines, lines become rows, the header and the first rows
 * say what the columns are, and each row gets a verdict. A workbook becomes rows in a thread. A list has one number a
 * line and nothing else.
 *
 * Memory does not grow with a text file: only one batch is kept.
 * @param batchLines  the approximate number of lines in a batch
 * @param facts  gets what was found in the file; it is complete after the last batch
 * @throws AppError INPUT_INVALID if the source as a whole cannot be read, before the first batch or later
 */
export async function* readRecipients(
  source: RecipientSource,
  batchLines: number,
  facts: ListFacts = {},
): AsyncGenerator<RecipientBatch> {
  const { is, without } = FORMATS[source.format];
  const given = without.filter((name) => source[name] !== undefined);
  // An option that changes nothing is a mistake: another file was meant, or the file is of another format.
  if (given.length > 0) {
    throw listRefused(
      `the file is ${is}, which has no ${given.join(' and no ')}`,
      'Leave that out, or give the file that you mean.',
      given.map((path) => ({ path, message: `does not apply: the file is ${is}` })),
    );
  }
  let batch = new RecipientBatch();
  for await (const classify of classifyAll({ ...source, facts })) {
    classify(batch);
    if (batch.size < batchLines) continue;
    yield batch;
    batch = new RecipientBatch();
  }
  if (batch.size > 0) yield batch;
}

/** What each format is in words, and the options that have no meaning for it. */
const FORMATS: Readonly<
  Record<RecipientFormat, { readonly is: string; readonly without: readonly (keyof ListOptions)[] }>
> = {
  csv: { is: 'CSV', without: ['sheet'] },
  ndjson: { is: 'NDJSON', without: ['sheet', 'delimiter'] },
  xlsx: { is: 'a workbook', without: ['encoding', 'delimiter'] },
  list: { is: 'a list with one number a line', without: ['sheet', 'delimiter', 'phoneColumn', 'map'] },
};

function classifyAll(source: OpenSource): AsyncGenerator<ClassifyBatch> {
  const { bytes, format, encoding, sheet, facts } = source;
  if (format === 'xlsx') return classifyTable(workbookRows(bytes, sheet, facts), source);
  const lines = withSample(linesOf(decodeText(bytes, encoding, facts)), facts);
  switch (format) {
    case 'csv':
      return classifyTable(csvRows(lines, source, facts), source);
    case 'ndjson':
      return classifyObjects(lines, source);
    case 'list':
      return classifyList(lines, source);
  }
}

const MAX_SAMPLE_CHARACTERS = 60;

/** Keeps the first value that Windows-1252, if it was detected, decides: the operator sees whether it is right. */
async function* withSample(pieces: ReturnType<typeof linesOf>, facts: ListFacts): ReturnType<typeof linesOf> {
  for await (const piece of pieces) {
    const { encoding } = facts;
    if (encoding?.name === 'windows-1252' && encoding.detected && encoding.sample === undefined) {
      const found = piece.lines.find(({ text }) => /[^\0-\x7f]/.test(text));
      const value = found?.text.split(/[,;\t|"]/).find((part) => /[^\0-\x7f]/.test(part));
      if (found !== undefined && value !== undefined) {
        encoding.sample = { line: found.line, value: value.trim().slice(0, MAX_SAMPLE_CHARACTERS) };
      }
    }
    yield piece;
  }
}

/** The column of a list's lines in a file of rejected lines. */
const LIST_COLUMN = 'phone';

async function* classifyList(pieces: ReturnType<typeof linesOf>, rules: VerdictRules): AsyncGenerator<ClassifyBatch> {
  for await (const { lines } of pieces) {
    yield (batch) => {
      batch.columns.add(LIST_COLUMN);
      for (const { line, text } of lines) {
        if (text.trim() === '') continue;
        classifyLine(batch, { line, written: text, values: {}, columns: () => ({ [LIST_COLUMN]: text }) }, rules);
      }
    };
  }
}
