import { classifyLine, reject, type VerdictRules } from '../classify-line.js';
import { listRefused } from '../list-refused.js';
import type { ClassifyBatch, OpenSource } from '../recipient-source.js';
import { listColumns, type ListColumns } from './list-columns.js';
import { isEmptyRow, type AnyRow } from './table-row.js';

/** How many rows below the header show what its columns are. */
export const SAMPLE_ROWS = 50;

/** @throws AppError INPUT_INVALID if the header cannot be read, or the number's column is not known */
export async function* classifyTable(
  batches: AsyncIterable<readonly AnyRow[]>,
  source: OpenSource,
): AsyncGenerator<ClassifyBatch> {
  let columns: ListColumns | undefined;
  let held: readonly AnyRow[] = [];
  for await (const batch of batches) {
    const rows = batch.filter((row) => !isEmptyRow(row));
    if (columns !== undefined) {
      yield classifyRows(rows, columns, source);
      continue;
    }
    held = [...held, ...rows];
    if (held.length <= SAMPLE_ROWS) continue;
    columns = columnsOf(held, source);
    yield classifyRows(held.slice(1), columns, source);
  }
  if (columns === undefined) yield classifyRows(held.slice(1), columnsOf(held, source), source);
}

function columnsOf([head, ...rows]: readonly AnyRow[], source: OpenSource): ListColumns {
  if (head === undefined) {
    throw listRefused('the file is empty', 'Give a file with a header and a row for each recipient.');
  }
  if (!('cells' in head)) {
    throw listRefused('the header cannot be read: a quote is not closed, or it is too long', 'Correct the header.');
  }
  const sample = rows.slice(0, SAMPLE_ROWS).map((row) => ('cells' in row ? row.cells : []));
  return listColumns(head.cells, sample, source);
}

function classifyRows(
  rows: readonly AnyRow[],
  { names, numberAt, variables }: ListColumns,
  rules: VerdictRules & Pick<OpenSource, 'format'>,
): ClassifyBatch {
  return (batch) => {
    for (const row of rows) {
      const { line } = row;
      if (!('cells' in row)) {
        reject(batch, line, 'unreadable', row.raw);
        continue;
      }
      const { cells, numbers } = row;
      const isShifted = rules.format === 'csv' && cells.slice(names.length).some((cell) => cell.trim() !== '');
      if (isShifted) {
        reject(batch, line, 'unreadable', cells.join(' | '));
        continue;
      }
      const written = numbers?.get(numberAt) ?? cells[numberAt] ?? '';
      const values = variables
        .map(({ name, at }) => [name, cells[at] ?? ''] as const)
        .filter(([, value]) => value !== '');
      classifyLine(batch, line, written, Object.fromEntries(values), rules);
    }
  };
}
