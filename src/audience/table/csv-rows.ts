import type { ListFacts, ListOptions } from '../../contract/index.js';
import { foldedName } from '../../domain/index.js';
import { listRefused } from '../list-refused.js';
import type { linesOf, TextLine } from '../text/text-lines.js';
import { csvRecords } from './csv.js';
import { plainCell } from './neutral-cell.js';
import { phoneRank } from './phone-names.js';
import type { AnyRow } from '../table-row.js';

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

/** A tab is named, since it is invisible. */
function characterOf(delimiter: string): string {
  return delimiter === 'tab' ? '\t' : delimiter;
}

/** The first line by which Excel is told the delimiter. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?\s*$/i;

interface Head {
  readonly delimiter: string;
  /** The number of lines before the header. */
  readonly skip: number;
}

/** Where the header is, also if titles or notes are above it. */
const TOP_LINES = 20;

/** @returns undefined if it needs more lines */
function headOf(
  lines: readonly TextLine[],
  { delimiter, phoneColumn, map = {} }: Pick<ListOptions, 'delimiter' | 'phoneColumn' | 'map'>,
  isEnd: boolean,
): Head | undefined {
  const top = lines.slice(0, TOP_LINES);
  if (top.length < TOP_LINES && !isEnd) return undefined;
  const first = top.findIndex(({ text }) => text.trim() !== '');
  if (first === -1 && isEnd && lines.every(({ text }) => text.trim() === '')) {
    throw listRefused('the file is empty', 'Give a file with a header and a line for each recipient.');
  }
  const separator = SEPARATOR_LINE.exec(top[first]?.text ?? '')?.[1];
  if (separator !== undefined)
    return { delimiter: delimiter === undefined ? separator : characterOf(delimiter), skip: first + 1 };
  if (delimiter !== undefined) return { delimiter: characterOf(delimiter), skip: 0 };
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
