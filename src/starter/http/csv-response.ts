import type { Context } from 'hono';
import { neutralCell } from '../../audience/index.js';

type Cell = string | number;

/** Answers with CSV that is written as it is fetched: no more is kept than one page of rows. */
export function csvResponse(
  c: Context,
  head: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Response {
  c.header('Content-Type', 'text/csv; charset=utf-8');
  return c.body(ReadableStream.from(linesOf(head, pages)).pipeThrough(new TextEncoderStream()));
}

async function* linesOf(
  head: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  yield csvLine(head);
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map(csvLine).join('');
  }
}

/** A line of CSV by RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : neutralCell(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
