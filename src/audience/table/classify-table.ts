import { classifyLine, reject, VERDICT_COLUMNS, type VerdictRules } from '../classify-line.js';
import { listRefused } from '../list-refused.js';
import type { ClassifyBatch, OpenSource } from '../recipient-source.js';
import { listColumns, type ListColumns } from './list-columns.js';
import type { AnyRow } from '../table-row.js';

/** How many rows below the header show what its columns are. */
export const SAMPLE_ROWS = 50;

/** @throws AppError INPUT_INVALID if the header cannot be read, or the number's column is not known */
export async function* classifyTable(
  batches: AsyncIterable<readonly AnyRow[]>,
  source: OpenSource,
): AsyncGenerator<ClassifyBatch> {
  let columns: TableColumns | undefined;
  let held: readonly AnyRow[] = [];
  for await (const batch of batches) {
    const rows = batch.filter((row) => !('cells' in row) || row.cells.some((cell) => cell.trim() !== ''));
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

interface TableColumns extends ListColumns {
  /** How many columns behind the named ones are those of a file of rejected lines. */
  readonly verdicts: number;
}

function columnsOf([head, ...rows]: readonly AnyRow[], source: OpenSource): TableColumns {
  if (head === undefined) {
    throw listRefused('the file is empty', 'Give a file with a header and a row for each recipient.');
  }
  if (!('cells' in head)) {
    throw listRefused('the header cannot be read: a quote is not closed, or it is too long', 'Correct the header.');
  }
  const sample = rows.slice(0, SAMPLE_ROWS).map((row) => ('cells' in row ? row.cells : []));
  const end = head.cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const last = head.cells.slice(Math.max(0, end - VERDICT_COLUMNS.length), end);
  const verdicts = last.join() === VERDICT_COLUMNS.join() ? VERDICT_COLUMNS.length : 0;
  const header = verdicts === 0 ? head.cells : head.cells.slice(0, end - verdicts);
  return { ...listColumns(header, sample, source), verdicts };
}

function classifyRows(
  rows: readonly AnyRow[],
  { names, numberAt, timezoneAt, variables, verdicts }: TableColumns,
  rules: VerdictRules & Pick<OpenSource, 'format'>,
): ClassifyBatch {
  const named = [...names.entries()].filter(([, name]) => name !== '');
  return (batch) => {
    for (const [, name] of named) batch.columns.add(name);
    for (const { name } of variables) batch.variables.add(name);
    for (const row of rows) {
      const { line } = row;
      if (!('cells' in row)) {
        reject(batch, { line, columns: () => ({ [named[0]?.[1] ?? '']: row.raw }) }, 'unreadable', row.raw);
        continue;
      }
      const { cells, numbers } = row;
      const values = variables
        .map(({ name, at }) => [name, cells[at] ?? ''] as const)
        .filter(([, value]) => value !== '');
      const read = {
        line,
        written: numbers?.get(numberAt) ?? cells[numberAt] ?? '',
        values: Object.fromEntries(values),
        timezone: cells[timezoneAt ?? -1] || undefined,
        columns: () => Object.fromEntries(named.map(([at, name]) => [name, cells[at] ?? ''])),
        verdict: cells.slice(names.length, names.length + verdicts),
      };
      // A value with a delimiter moves all values behind it.
      const isShifted =
        rules.format === 'csv' && cells.slice(names.length + verdicts).some((cell) => cell.trim() !== '');
      if (isShifted) reject(batch, read, 'unreadable', cells.join(' | '));
      else classifyLine(batch, read, rules);
    }
  };
}
