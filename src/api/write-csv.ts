import { neutralCell } from '../audience/index.js';

export type Cell = string | number;

/** Without it, Excel reads a file in UTF-8 as one of the system's own encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

export async function* csvOf<Item>(
  head: readonly string[],
  pages: AsyncIterable<readonly Item[]>,
  cells: (item: Item) => readonly Cell[],
  delimiter = ',',
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(head, delimiter);
  for await (const items of pages) yield items.map((item) => csvLine(cells(item), delimiter)).join('');
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly Cell[], delimiter = ','): string {
  const quoted = cells.map((cell) => {
    const text = typeof cell === 'number' ? String(cell) : neutralCell(cell);
    return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(delimiter)}\r\n`;
}
