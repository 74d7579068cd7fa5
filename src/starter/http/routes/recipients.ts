import type { Context } from 'hono';
import { z } from 'zod';
import { AppError, WORKBOOK_TYPE, type CampaignId, present } from '../../../contract/index.js';
import {
  campaignSchema,
  groupRecipientsSchema,
  importedSchema,
  listQueryFields,
  messageStateSchema,
  suppressionImportQuerySchema,
} from '../../../contract/schemas.js';
import { importAudience, viewCampaign, type RecipientsFrom } from '../../campaigns/campaigns.js';
import { readInput } from '../../../domain/index.js';
import { contentTypeOf, countryOf, fileFormatOf, listOptionsIn, readJson, streamOf } from '../read-request.js';
import { reply, route, pageOf } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';
import { REPORT_FIELDS, type CampaignView, type ReportRow } from '../../../ledger/index.js';
import { neutralCell } from '../../../audience/index.js';

/** Recipients or rejected lines in one read of the ledger. */
const PAGE = 1_000;

/** Twice the length of all states together. */
const MAX_LIST_CHARACTERS = 500;

const stateList = z
  .string()
  .max(MAX_LIST_CHARACTERS)
  .transform((text) => text.split(','))
  .pipe(z.array(messageStateSchema))
  .exactOptional()
  .describe('Only recipients in one of these states, separated by commas. Default: all');

const reportFilter = {
  state: stateList,
  reason: z.string().min(1).exactOptional().describe('Only recipients with this reason. Default: all'),
};

const reportQuery = z.strictObject(reportFilter);

const reportPageSchema = pageOf(z.object(REPORT_FIELDS).meta({ id: 'ReportRow' }), 'ReportPage');

type ReportFilter = z.output<typeof reportQuery>;

const importQuery = z.strictObject({
  ...listQueryFields,
  defaultCountry: suppressionImportQuerySchema.shape.defaultCountry.describe(
    "Country of numbers without a country code. Default: the campaign's",
  ),
});

const WHOLE_REPORT = {
  access: ['read', 'campaign'],
  query: reportQuery,
  takesLong: true,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
} as const;

export const RECIPIENT_ROUTES = {
  importRecipients: route('PUT /v1/campaigns/{id}/recipients', {
    access: ['send', 'campaign'],
    summary: 'Import the recipients of a campaign',
    description:
      'Replaces the audience with a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as a stream, or with the participants of a group. Every line gets a verdict. The audience changes only after the whole source was read, and not if it is the same again. Meanwhile the campaign shows `importing`.',
    query: importQuery,
    body: groupRecipientsSchema,
    rawBodies: {
      'text/csv':
        'CSV with a header. The column with the number is recognised, or named by `phoneColumn`; the others are variables. A `charset` names its encoding',
      'application/x-ndjson': 'One JSON object per line, with fields like the columns of CSV',
      [WORKBOOK_TYPE]: 'An Excel workbook (.xlsx) with at most 100,000 rows, one sheet of which is read like CSV',
    },
    takesLong: true,
    responses: { 200: { description: 'The verdicts of the lines', schema: importedSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN', 'IMPORT_SUPERSEDED', 'OPERATION_FAILED', 'GATEWAY_UNREACHABLE'],
    async handle(request, dependencies) {
      const id = wholeCampaignId(request.params.id);
      const from = await recipientsIn(request, dependencies);
      const campaign = await viewCampaign(dependencies, id);
      const { audience, unchanged, facts } = await importAudience(dependencies, campaign, from);
      return reply(200, { ...audience, unchanged, source: facts });
    },
  }),
  getRejectedRecipients: route('GET /v1/campaigns/{id}/rejected-recipients.csv', {
    access: ['read', 'campaign'],
    summary: 'List the lines that added no recipient',
    takesLong: true,
    responses: { 200: { description: 'line,reason,value', rawTypes: ['text/csv'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
    async handle({ params, c }, dependencies) {
      const { id } = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const pages = await rejectsOf(id, dependencies);
      const csv = csvOf(['line', 'reason', 'value'], pages, ({ line, reason, value }) => [line, reason, value]);
      return streamed(c, 'text/csv', csv);
    },
  }),
  listRecipients: route('GET /v1/campaigns/{id}/recipients', {
    access: ['read', 'campaign'],
    summary: 'List the recipients of a campaign with their states',
    query: z.strictObject({
      ...reportFilter,
      cursor: z
        .string()
        .regex(/^\d{1,10}$/, 'is not a cursor of this list')
        .optional()
        .describe('The `cursor` of the previous page. Default: the first page'),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(1_000)
        .default(100)
        .describe('The most recipients in a page, 1 to 1,000. Default: 100'),
    }),
    responses: { 200: { description: 'One page, by line. `cursor` continues after it', schema: reportPageSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
    async handle({ params, query: { cursor = '0', limit, ...filter } }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      const { items, afterLine } = await reportPage(dependencies, id, filter, Number(cursor), limit);
      return reply(200, { items, ...(afterLine === undefined ? {} : { cursor: String(afterLine) }) });
    },
  }),
  getReportCsv: route('GET /v1/campaigns/{id}/report.csv', {
    ...WHOLE_REPORT,
    summary: 'Export the report of a campaign as CSV',
    responses: { 200: { description: 'A header, then a line for each recipient', rawTypes: ['text/csv'] } },
    async handle(request, dependencies) {
      const { pages } = await allRecipients(request, dependencies);
      return streamed(request.c, 'text/csv', csvOf(REPORT_COLUMNS, pages, reportCells));
    },
  }),
  getReportNdjson: route('GET /v1/campaigns/{id}/report.ndjson', {
    ...WHOLE_REPORT,
    summary: 'Export the report of a campaign as NDJSON',
    responses: {
      200: { description: 'A JSON object for each recipient, one per line', rawTypes: ['application/x-ndjson'] },
    },
    async handle(request, dependencies) {
      const { pages } = await allRecipients(request, dependencies);
      return streamed(request.c, 'application/x-ndjson', ndjsonOf(pages));
    },
  }),
  getReportJson: route('GET /v1/campaigns/{id}/report.json', {
    ...WHOLE_REPORT,
    summary: 'Export the report of a campaign as JSON',
    responses: {
      200: {
        description: 'The campaign, and every recipient in `items`',
        rawTypes: ['application/json'],
        schema: z.object({ campaign: campaignSchema, items: reportPageSchema.shape.items }),
      },
    },
    async handle(request, dependencies) {
      const { campaign, pages } = await allRecipients(request, dependencies);
      return streamed(request.c, 'application/json', jsonOf(campaign, pages));
    },
  }),
} as const;

async function recipientsIn(
  { query, c }: { readonly query: z.output<typeof importQuery>; readonly c: Context },
  { maxImportBytes, waiting }: RouteDependencies,
): Promise<RecipientsFrom> {
  const limits = { maxBytes: maxImportBytes, ifCut: 'Nothing was changed.' };
  const format = fileFormatOf(c);
  if (format !== undefined) {
    const defaultCountry = countryOf('The import', query.defaultCountry);
    return { ...listOptionsIn(c, query), defaultCountry, bytes: streamOf(c, limits), format };
  }
  if (contentTypeOf(c) === 'application/json') {
    const { group } = readInput(groupRecipientsSchema, await readJson(c), 'The import');
    return { group, signal: waiting.signalOf(c) };
  }
  throw new AppError(
    'INPUT_INVALID',
    'The import is refused: its Content-Type is not text/csv, application/x-ndjson, application/json or that of a workbook (.xlsx). Set the Content-Type of the body; nothing was changed.',
  );
}

function reportPage(
  { ledger }: RouteDependencies,
  id: CampaignId,
  { state, ...filter }: ReportFilter,
  afterLine: number,
  limit: number,
) {
  return ledger.campaigns.report(id, { ...filter, ...present({ states: state }), afterLine, limit });
}

async function allRecipients(
  { params, query }: { readonly params: { readonly id: string }; readonly query: ReportFilter },
  dependencies: RouteDependencies,
) {
  const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
  const pages = await pagesFrom((afterLine) => reportPage(dependencies, campaign.id, query, afterLine, PAGE));
  return { campaign, pages };
}

function rejectsOf(id: CampaignId, { ledger }: RouteDependencies) {
  return pagesFrom(async (afterLine) => {
    const items = await ledger.audiences.rejects(id, afterLine, PAGE);
    return { items, ...present({ afterLine: items.at(-1)?.line }) };
  });
}

/** The first page is read before the response begins, so that an error still gets an error response. */
async function pagesFrom<Item>(
  read: (afterLine: number) => Promise<{ readonly items: readonly Item[]; readonly afterLine?: number }>,
): Promise<AsyncIterable<readonly Item[]>> {
  const first = await read(0);
  return (async function* () {
    for (let page = first; ; page = await read(page.afterLine)) {
      yield page.items;
      if (page.afterLine === undefined) return;
    }
  })();
}

/** The columns of the report as CSV, in order. */
const REPORT_COLUMNS = Object.keys(REPORT_FIELDS) as readonly (keyof ReportRow)[];

type Cell = string | number;

function reportCells(row: ReportRow): Cell[] {
  return REPORT_COLUMNS.map((column) => row[column] ?? '');
}

/** Responds with text that is written as it is read, so that at most one page of rows is in memory. */
function streamed(c: Context, type: string, text: AsyncIterable<string>): Response {
  c.header('Content-Type', `${type}; charset=utf-8`);
  return c.body(ReadableStream.from(text).pipeThrough(new TextEncoderStream()));
}

async function* csvOf<Item>(
  head: readonly string[],
  pages: AsyncIterable<readonly Item[]>,
  cells: (item: Item) => readonly Cell[],
): AsyncGenerator<string> {
  yield csvLine(head);
  for await (const items of pages) yield items.map((item) => csvLine(cells(item))).join('');
}

/** One object per line. */
async function* ndjsonOf(pages: AsyncIterable<readonly ReportRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** One document. A truncated one is not valid JSON, so no reader takes it for a complete report. */
async function* jsonOf(campaign: CampaignView, pages: AsyncIterable<readonly ReportRow[]>): AsyncGenerator<string> {
  yield `{"campaign":${JSON.stringify(campaign)},"items":[`;
  let before = '';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield ']}\n';
}

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'number' ? String(cell) : neutralCell(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
