import type { Context } from 'hono';
import type { CampaignView, ReportRow } from '../../ledger/index.js';

/** The columns of the report, in the order of a recipient's way; a test holds them against the row. */
export const REPORT_COLUMNS = [
  'line',
  'messageId',
  'chatId',
  'state',
  'reason',
  'reasonText',
  'idMessage',
  'attempts',
  'acceptedAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'endedAt',
  'evidence',
  'gatewaySentAt',
  'gatewayDeliveredAt',
  'gatewayReadAt',
  'sentVersion',
  'shownVersion',
  'editOutcome',
  'editedAt',
] as const satisfies readonly (keyof ReportRow)[];

type Pages = AsyncIterable<readonly ReportRow[]>;

export function reportCells(row: ReportRow): (string | number)[] {
  return REPORT_COLUMNS.map((column) => row[column] ?? '');
}

/** One object a line, written as it is read. */
export function reportNdjson(c: Context, pages: Pages): Response {
  return streamed(c, 'application/x-ndjson', lines());

  async function* lines(): AsyncGenerator<string> {
    for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

/** One document, written as it is read: cut short it is no valid JSON, and so no report. */
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
