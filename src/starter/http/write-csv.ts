import { neutralCell } from '../../audience/index.js';

export type Cell = string | number;

/** Without it, Excel reads a file in UTF-8 as one of the system's own encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

export async function* csvOf<Item>(
  head: readonly string[],
  pages: AsyncIterable<readonly Item[]>,
  cells: (item: Item) => readonly Cell[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(head);
  for await (const items of pages) yield items.map((item) => csvLine(cells(item))).join('');
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : neutralCell(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
