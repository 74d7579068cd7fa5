/** Every recipient of a campaign with the state of its message: in pages, and as a whole in several formats. */
import { z } from 'zod';
import { RECIPIENT_RESPONSES, type CampaignId, present, RECIPIENT_TIMEZONE, zeroOfEach } from '../../contract/index.js';
import {
  campaignSchema,
  count,
  countryField,
  countsOf,
  messageStateSchema,
  pageFields,
  recipientSchema,
  time,
  timezoneOrRecipientSchema,
  timezoneSchema,
} from '../../contract/schemas.js';
import {
  MAX_INTEGER,
  REPORT_FIELDS,
  SUMMARY_EVENTS,
  cursorsOf,
  digitsPart,
  type CampaignView,
  type ReportRow,
} from '../../ledger/index.js';
import { viewCampaign } from '../campaigns/campaigns.js';
import { inTimezone, spreadsheetTimes, timezoneOfRow } from '../report/local-times.js';
import { ALL_COLUMNS, chosenColumns, ownHeaders } from '../report/own-columns.js';
import type { KeptCount } from '../report/kept-counts.js';
import { overTime, summarizeCampaign } from '../report/summary.js';
import { reasonWords } from '../report/summary-words.js';
import { SUMMARY_POLICY, summaryPage } from '../report/summary-page.js';
import { foundCampaignId } from '../access.js';
import { chatIdOf } from '../read-request.js';
import { pageOf, reply, route, waitMs } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { PAGE, pagesFrom, streamed } from '../streamed.js';
import { csvOf, type Cell } from '../write-csv.js';

/** Twice the length of all states together. */
const MAX_STATES_CHARACTERS = 500;
const MAX_COLUMNS_CHARACTERS = 5_000;

const CURSORS = cursorsOf('recipients', digitsPart(MAX_INTEGER));

const stateList = z
  .string()
  .max(MAX_STATES_CHARACTERS)
  .transform((text) => text.split(','))
  .pipe(z.array(messageStateSchema))
  .exactOptional()
  .describe('Only recipients in one of these states, separated by commas. Default: all');

const reportFields = {
  state: stateList,
  reason: z.string().min(1).exactOptional().describe('Only recipients with this reason. Default: all'),
  response: z
    .enum(RECIPIENT_RESPONSES)
    .exactOptional()
    .describe('Only recipients who replied, or who wrote a STOP or what may be one. Default: all'),
  columns: z
    .string()
    .min(1)
    .max(MAX_COLUMNS_CHARACTERS)
    .exactOptional()
    .describe(
      `Columns of the recipients' source to include: names separated by commas, in any case, or \`${ALL_COLUMNS}\`. Default: none`,
    ),
  timezone: timezoneOrRecipientSchema
    .exactOptional()
    .describe(
      `IANA name of the timezone of all times, e.g. Europe/Lisbon; or \`${RECIPIENT_TIMEZONE}\`: that of each recipient where it is known, else UTC. Default: UTC, written with \`Z\``,
    ),
};

const reportQuery = z.strictObject(reportFields);

const recipientFields = {
  to: recipientSchema.exactOptional().describe('Only the recipient with this phone number or chat id. Default: all'),
  defaultCountry: countryField,
};

const reportRowSchema = z
  .object({
    ...REPORT_FIELDS,
    columns: z
      .record(z.string(), z.string())
      .optional()
      .describe("The recipient's own values by column. Absent unless `columns` was requested; empty once erased"),
    timezone: z
      .string()
      .optional()
      .describe("Timezone of this recipient's times. Absent unless `timezone` was requested"),
  })
  .meta({ id: 'ReportRow' });

const reportPageSchema = pageOf(reportRowSchema, 'ReportPage');

const campaignSummarySchema = z
  .object({
    id: z.string().describe('Id of the campaign'),
    instance: z.string().describe('The instance that sends it, or the first one of its accounts'),
    asOf: time.optional().describe('When it was counted. Absent while the first count runs: ask again'),
    outcomes: z
      .array(
        z.object({
          state: messageStateSchema,
          reason: z.string().optional(),
          title: z.string().describe('The reason in words'),
          recipients: count,
        }),
      )
      .describe('How many recipients are in each state, for each reason'),
    periods: z
      .array(z.object({ from: time, until: time, ...countsOf(SUMMARY_EVENTS).shape }))
      .describe(
        'What happened to how many messages, from the first event to the last one. `failed`: they were rejected, not delivered, or have no account',
      ),
  })
  .meta({ id: 'CampaignSummary' });

const WHOLE_REPORT = {
  access: ['read', 'campaign'],
  query: reportQuery,
  takesLong: true,
  problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
} as const;

export const REPORT_ROUTES = {
  listRecipients: route('GET /v1/campaigns/{id}/recipients', {
    access: ['read', 'campaign'],
    summary: 'List the recipients of a campaign with their states',
    query: z.strictObject({
      ...reportFields,
      ...recipientFields,
      cursor: pageFields.cursor,
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
    async handle({ params, query: { cursor, limit, to, defaultCountry, ...query } }, dependencies) {
      const chatId = to === undefined ? undefined : chatIdOf('The search', { to, defaultCountry });
      const id = await foundCampaignId(params.id, dependencies);
      const report = await openReport(id, { ...query, chatId }, dependencies);
      const { items, afterLine } = await report.page(cursor === undefined ? 0 : Number(CURSORS.read(cursor)[0]), limit);
      return reply(200, {
        items: items.map(report.asJson),
        ...(afterLine === undefined ? {} : { cursor: CURSORS.write(afterLine) }),
      });
    },
  }),
  getReportCsv: route('GET /v1/campaigns/{id}/report.csv', {
    ...WHOLE_REPORT,
    summary: 'Export the report of a campaign as CSV',
    description:
      'Begins with a byte order mark, so that Excel reads UTF-8. With `timezone`, times are written as `2026-03-01 11:00:00`, which spreadsheets read as date and time.',
    responses: { 200: { description: 'A header, then a line for each recipient', rawTypes: ['text/csv'] } },
    async handle({ params, query, c }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      const report = await openReport(id, query, dependencies);
      const pages = await pagesFrom((afterLine) => report.page(afterLine, PAGE));
      return streamed(c, 'text/csv', csvOf(report.header, pages, report.asCells));
    },
  }),
  getReportNdjson: route('GET /v1/campaigns/{id}/report.ndjson', {
    ...WHOLE_REPORT,
    summary: 'Export the report of a campaign as NDJSON',
    responses: {
      200: { description: 'A JSON object for each recipient, one per line', rawTypes: ['application/x-ndjson'] },
    },
    async handle({ params, query, c }, dependencies) {
      const id = await foundCampaignId(params.id, dependencies);
      const report = await openReport(id, query, dependencies);
      const pages = await pagesFrom((afterLine) => report.page(afterLine, PAGE));
      return streamed(c, 'application/x-ndjson', ndjsonOf(pages, report.asJson));
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
    async handle({ params, query, c }, dependencies) {
      const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const report = await openReport(campaign.id, query, dependencies);
      const pages = await pagesFrom((afterLine) => report.page(afterLine, PAGE));
      return streamed(c, 'application/json', jsonOf(campaign, pages, report.asJson));
    },
  }),
  getCampaignSummary: route('GET /v1/campaigns/{id}/summary', {
    access: ['read', 'campaign'],
    summary: 'Count the recipients of a campaign by reason and over time',
    description:
      'A count reads every message, so it is kept: the response may be of some time ago, the longer the larger the campaign is, and `asOf` is when. The first count may take longer than the request waits. The periods are a minute to four weeks long, so that there are at most 80.',
    query: z.strictObject({
      timezone: timezoneSchema
        .default('UTC')
        .describe('IANA name of the timezone of the periods, e.g. Europe/Lisbon. Default: UTC'),
      timeoutMs: waitMs(),
    }),
    responses: { 200: { description: 'The counts', schema: campaignSummarySchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
    async handle({ params, query: { timezone, timeoutMs }, c }, dependencies) {
      const { keptCounts, waiting } = dependencies;
      const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const kept = await waiting.held(c, timeoutMs, (wait) => keptCounts(campaign, wait));
      const counts = kept === undefined ? { outcomes: [], periods: [] } : summaryView(kept, timezone);
      return reply(200, { id: campaign.id, instance: campaign.instance, ...counts });
    },
  }),
  getReportHtml: route('GET /v1/campaigns/{id}/report.html', {
    access: ['read', 'campaign'],
    summary: 'Show a summary of a campaign as a page',
    description:
      'Counts by state, over time and by reason, without numbers or values of recipients. The page needs no scripts and nothing from another address. It is also available after the recipients were removed because of their age: without times and reasons.',
    query: z.strictObject({
      timezone: timezoneSchema
        .default('UTC')
        .describe('IANA name of the timezone of the page, e.g. Europe/Lisbon. Default: UTC'),
    }),
    takesLong: true,
    responses: { 200: { description: 'The page', rawTypes: ['text/html'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'ID_AMBIGUOUS'],
    async handle({ params, query: { timezone }, c }, dependencies) {
      const { ledger, clock, waiting } = dependencies;
      const campaign = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const signal = waiting.signalOf(c);
      const summary = await summarizeCampaign(ledger, campaign, { timezone, nowMs: clock.nowMs(), signal });
      return c.html(summaryPage(summary), 200, {
        'Content-Security-Policy': `${SUMMARY_POLICY}; frame-ancestors 'none'`,
      });
    },
  }),
} as const;

function summaryView({ counted, asOfMs }: KeptCount, timezone: string) {
  const { buckets, messages } = overTime(counted, timezone) ?? {};
  const { startsMs = [], endMs = 0 } = buckets ?? {};
  return {
    asOf: new Date(asOfMs).toISOString(),
    outcomes: counted.outcomes.map(({ state, reason, recipients }) => ({
      state,
      title: reasonWords(state, reason).title,
      recipients,
      ...present({ reason: reason ?? undefined }),
    })),
    periods: startsMs.map((fromMs, at) => {
      const events = zeroOfEach(SUMMARY_EVENTS);
      for (const event of SUMMARY_EVENTS) events[event] = messages?.[event][at] ?? 0;
      const untilMs = startsMs[at + 1] ?? endMs;
      return { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString(), ...events };
    }),
  };
}

/** The columns of the report as CSV, in order; the recipients' own ones follow the chat id. */
const OUR_COLUMNS = Object.keys(REPORT_FIELDS) as (keyof typeof REPORT_FIELDS)[];
const HEAD_COLUMNS = OUR_COLUMNS.slice(0, OUR_COLUMNS.indexOf('chatId') + 1);
const TAIL_COLUMNS = OUR_COLUMNS.slice(HEAD_COLUMNS.length);
const ZONE_COLUMNS = ['timezone', 'utcOffset'] as const;

/** How a request reads the recipients of a campaign and writes them. @throws AppError INPUT_INVALID on unknown columns */
async function openReport(
  id: CampaignId,
  query: z.output<typeof reportQuery> & { readonly chatId?: string | undefined },
  { ledger, clock }: RouteDependencies,
) {
  const { state: states, reason, response, chatId, timezone } = query;
  const columns =
    query.columns === undefined ? undefined : chosenColumns(query.columns, await ledger.campaigns.recipientColumns(id));
  const timezones = timezone === RECIPIENT_TIMEZONE;
  const zoneOf = timezone === undefined ? undefined : timezoneOfRow(timezone, clock.nowMs());
  const zoneColumns = zoneOf === undefined ? [] : ZONE_COLUMNS;
  const ours = [...OUR_COLUMNS, ...zoneColumns];
  return {
    header: [...HEAD_COLUMNS, ...ownHeaders(columns ?? [], ours), ...TAIL_COLUMNS, ...zoneColumns],
    page: (afterLine: number, limit: number) =>
      ledger.campaigns.report(id, {
        ...present({ states, reason, response, chatId, columns }),
        timezones,
        afterLine,
        limit,
      }),
    asJson: (row: ReportRow) => (zoneOf === undefined ? row : inTimezone(row, zoneOf(row))),
    asCells: (row: ReportRow): Cell[] => {
      const { columns: values = {}, ...fixed } = row;
      const zone = zoneOf?.(row);
      const cells: Readonly<Record<string, Cell>> =
        zone === undefined ? fixed : { ...fixed, timezone: zone, ...spreadsheetTimes(row, zone) };
      const cell = (name: string): Cell => cells[name] ?? '';
      const own = columns?.map((name) => (Object.hasOwn(values, name) ? (values[name] ?? '') : '')) ?? [];
      return [...HEAD_COLUMNS.map(cell), ...own, ...TAIL_COLUMNS.map(cell), ...zoneColumns.map(cell)];
    },
  };
}

type AsJson = (row: ReportRow) => ReportRow;

/** One object per line. */
async function* ndjsonOf(pages: AsyncIterable<readonly ReportRow[]>, asJson: AsJson): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(asJson(row))}\n`).join('');
}

/** One document. A truncated one is not valid JSON, so no reader takes it for a complete report. */
async function* jsonOf(
  campaign: CampaignView,
  pages: AsyncIterable<readonly ReportRow[]>,
  asJson: AsJson,
): AsyncGenerator<string> {
  yield `{"campaign":${JSON.stringify(campaign)},"items":[`;
  let before = '';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(asJson(row))).join(',\n');
    before = ',\n';
  }
  yield ']}\n';
}
