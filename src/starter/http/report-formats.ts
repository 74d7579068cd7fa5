import type { Context } from 'hono';
import { REPORT_FIELDS, type CampaignView, type ReportRow } from '../../ledger/index.js';
import { neutralCell } from '../../audience/index.js';

/** The columns of the report as CSV, in order. */
export const REPORT_COLUMNS = Object.keys(REPORT_FIELDS) as readonly (keyof ReportRow)[];

type Pages = AsyncIterable<readonly ReportRow[]>;

export function reportCells(row: ReportRow): (string | number)[] {
  return REPORT_COLUMNS.map((column) => row[column] ?? '');
}

/** One object per line, written as it is read. */
export function reportNdjson(c: Context, pages: Pages): Response {
  return streamed(c, 'application/x-ndjson', lines());

  async function* lines(): AsyncGenerator<string> {
    for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

/**
 * One document, written as it is read. A truncated document is not valid JSON, so no reader takes it for a complete
 * report.
 */
export function reportJson(c: Context, campaign: CampaignView, pages: Pages): Response {
  return streamed(c, 'application/json', document());

  async function* document(): AsyncGenerator<string> {
    yield `{"campaign":${JSON.stringify(campaign)},"items":[`;
    let before = '';
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
      before = ',\n';
    }
    yield ']}\n';
  }
}

function streamed(c: Context, type: string, text: AsyncIterable<string>): Response {
  c.header('Content-Type', `${type}; charset=utf-8`);
  return c.body(ReadableStream.from(text).pipeThrough(new TextEncoderStream()));
}

type Cell = string | number;

/** Responds with CSV that is written as it is fetched, so that at most one page of rows is in memory. */
export function csvResponse(
  c: Context,
  head: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): Response {
  return streamed(c, 'text/csv', lines());

  async function* lines(): AsyncGenerator<string> {
    yield csvLine(head);
    for await (const rows of pages) yield rows.map(csvLine).join('');
  }
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : neutralCell(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
