import type { Context } from 'hono';
import { z } from 'zod';
import { AppError, type CampaignId, present } from '../../../contract/index.js';
import {
  campaignSchema,
  delimiterSchema,
  groupRecipientsSchema,
  importedSchema,
  messageStateSchema,
} from '../../../contract/schemas.js';
import { importAudience, viewCampaign, type RecipientsFrom } from '../../campaigns/campaigns.js';
import { readInput } from '../../../domain/index.js';
import { reportPageSchema } from '../campaign-responses.js';
import { csvResponse, REPORT_COLUMNS, reportCells, reportJson, reportNdjson } from '../report-formats.js';
import { contentTypeOf, delimiterIn, readJson, streamOf } from '../read-request.js';
import { reply, route } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';

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

type ReportFilter = z.output<typeof reportQuery>;

const WHOLE_REPORT = {
  method: 'get',
  access: ['read', 'campaign'],
  query: reportQuery,
  takesLong: true,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
} as const;

export const RECIPIENT_ROUTES = {
  importRecipients: route({
    method: 'put',
    path: '/v1/campaigns/{id}/recipients',
    access: ['send', 'campaign'],
    summary: 'Import the recipients of a campaign',
    description:
      'Replaces the audience with a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as a stream, or with the participants of a group. Every line gets a verdict. The audience changes only after the whole source was read, and not if it is the same again. Meanwhile the campaign shows `importing`.',
    query: z.strictObject({ delimiter: delimiterSchema.optional() }),
    body: groupRecipientsSchema,
    rawBodies: {
      'text/csv':
        'CSV with a header. One of the columns phone, phone_number, mobile, number, chatId contains the number; the others are variables',
      'application/x-ndjson': 'One JSON object per line, with the same names',
    },
    takesLong: true,
    responses: { 200: { description: 'The verdicts of the lines', schema: importedSchema } },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_FROZEN',
      'IMPORT_SUPERSEDED',
      'INPUT_INVALID',
      'INPUT_TOO_LARGE',
      'OPERATION_FAILED',
      'GATEWAY_UNREACHABLE',
    ],
    async handle(request, dependencies) {
      const id = wholeCampaignId(request.params.id);
      const from = await recipientsIn(request, dependencies);
      const campaign = await viewCampaign(dependencies, id);
      const { audience, unchanged } = await importAudience(dependencies, campaign, from);
      return reply(200, { ...audience, unchanged });
    },
  }),
  getRejectedRecipients: route({
    method: 'get',
    path: '/v1/campaigns/{id}/rejected-recipients.csv',
    access: ['read', 'campaign'],
    summary: 'List the lines that added no recipient',
    takesLong: true,
    responses: { 200: { description: 'line,reason,value', rawTypes: ['text/csv'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
    async handle({ params, c }, dependencies) {
      const { id } = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const pages = await rejectsOf(id, dependencies);
      return csvResponse(
        c,
        ['line', 'reason', 'value'],
        cellsOf(pages, ({ line, reason, value }) => [line, reason, value]),
      );
    },
  }),
  listRecipients: route({
    method: 'get',
    path: '/v1/campaigns/{id}/recipients',
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
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS', 'INPUT_INVALID'],
    async handle({ params, query: { cursor = '0', limit, ...filter } }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      const { items, afterLine } = await reportPage(dependencies, id, filter, Number(cursor), limit);
      return reply(200, { items, ...(afterLine === undefined ? {} : { cursor: String(afterLine) }) });
    },
  }),
  getReportCsv: route({
    ...WHOLE_REPORT,
    path: '/v1/campaigns/{id}/report.csv',
    summary: 'Export the report of a campaign as CSV',
    responses: { 200: { description: 'A header, then a line for each recipient', rawTypes: ['text/csv'] } },
    async handle(request, dependencies) {
      const { pages } = await allRecipients(request, dependencies);
      return csvResponse(request.c, REPORT_COLUMNS, cellsOf(pages, reportCells));
    },
  }),
  getReportNdjson: route({
    ...WHOLE_REPORT,
    path: '/v1/campaigns/{id}/report.ndjson',
    summary: 'Export the report of a campaign as NDJSON',
    responses: {
      200: { description: 'A JSON object for each recipient, one per line', rawTypes: ['application/x-ndjson'] },
    },
    async handle(request, dependencies) {
      return reportNdjson(request.c, (await allRecipients(request, dependencies)).pages);
    },
  }),
  getReportJson: route({
    ...WHOLE_REPORT,
    path: '/v1/campaigns/{id}/report.json',
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
      return reportJson(request.c, campaign, pages);
    },
  }),
} as const;

async function recipientsIn(
  { query: { delimiter }, c }: { readonly query: { readonly delimiter?: string | undefined }; readonly c: Context },
  { maxImportBytes, waiting }: RouteDependencies,
): Promise<RecipientsFrom> {
  const limits = { maxBytes: maxImportBytes, ifCut: 'Nothing was changed.' };
  switch (contentTypeOf(c)) {
    case 'text/csv':
      return { bytes: streamOf(c, limits), format: 'csv', delimiter: delimiterIn(delimiter) };
    case 'application/x-ndjson':
    case 'application/ndjson':
    case 'application/jsonl':
      return { bytes: streamOf(c, limits), format: 'ndjson' };
    case 'application/json': {
      const { group } = readInput(groupRecipientsSchema, await readJson(c), 'The import');
      return { group, signal: waiting.signalOf(c) };
    }
    default:
      throw new AppError(
        'INPUT_INVALID',
        'The import is refused: its Content-Type is not text/csv, application/x-ndjson or application/json. Set the Content-Type of the body; nothing was changed.',
      );
  }
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

async function* cellsOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  cells: (item: Item) => readonly (string | number)[],
) {
  for await (const items of pages) yield items.map(cells);
}
