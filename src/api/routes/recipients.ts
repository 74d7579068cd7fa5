import type { Context } from 'hono';
import { z } from 'zod';
import { VERDICT_COLUMNS } from '../../audience/index.js';
import { AppError, WORKBOOK_TYPE, type RejectedLine, present, reasonOfLine } from '../../contract/index.js';
import {
  checkedRecipientsSchema,
  countryField,
  groupRecipientsSchema,
  importedSchema,
  listQueryFields,
} from '../../contract/schemas.js';
import { checkAudience, importAudience, type RecipientsFrom } from '../../starter/index.js';
import { sentBy, viewCampaign } from '../campaigns/campaigns.js';
import { contentsOf, readInput } from '../../domain/index.js';
import { contentTypeOf, countryOf, fileFormatOf, listOptionsIn, readJson, streamOf } from '../read-request.js';
import { reply, route } from '../route.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';
import { PAGE, pagesFrom, streamed } from '../streamed.js';
import { csvOf } from '../write-csv.js';

/** A check remembers the numbers of its file. */
const MOST_CHECKED_BYTES = 32 * 1024 ** 2;

const fileQuery = {
  ...listQueryFields,
  defaultCountry: countryField.describe("Country of numbers without a country code. Default: the campaign's"),
};

const LIST_TYPES = {
  'text/csv':
    'CSV with a header. The column with the number is recognised, or named by `phoneColumn`; the others are variables. A `charset` names its encoding',
  'application/x-ndjson': 'One JSON object per line, with fields like the columns of CSV',
  [WORKBOOK_TYPE]: 'An Excel workbook (.xlsx) with at most 100,000 rows, one sheet of which is read like CSV',
};

export const RECIPIENT_ROUTES = {
  importRecipients: route('PUT /v1/campaigns/{id}/recipients', {
    access: ['send', 'campaign'],
    summary: 'Import the recipients of a campaign',
    description:
      'Replaces the audience with a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as a stream, or with the participants of a group. Every line gets a verdict. The audience changes only after the whole source was read, and not if it is the same again. Meanwhile the campaign shows `importing`.',
    query: z.strictObject({
      ...fileQuery,
      add: z
        .enum(['true'])
        .optional()
        .describe('True adds the source to the imported audience. Default: it replaces the audience'),
    }),
    body: groupRecipientsSchema,
    rawBodies: LIST_TYPES,
    takesLong: true,
    responses: { 200: { description: 'The verdicts of the lines', schema: importedSchema } },
    problems: [
      'CAMPAIGN_NOT_FOUND',
      'CAMPAIGN_FROZEN',
      'CAMPAIGN_EMPTY',
      'CAMPAIGN_INCOMPLETE',
      'IMPORT_SUPERSEDED',
      'OPERATION_FAILED',
      'GATEWAY_UNREACHABLE',
    ],
    async handle({ params, query, c }, dependencies) {
      const { maxImportBytes, waiting } = dependencies;
      const id = wholeCampaignId(params.id);
      let from: RecipientsFrom | undefined = listIn(c, query, {
        maxBytes: maxImportBytes,
        ifCut: 'Nothing was changed.',
      });
      if (from === undefined) {
        if (contentTypeOf(c) !== 'application/json') throw noList('The import', ', application/json');
        const { group } = readInput(groupRecipientsSchema, await readJson(c), 'The import');
        from = { group, signal: waiting.signalOf(c) };
      }
      const campaign = await viewCampaign(dependencies, id);
      const isAddition = query.add !== undefined;
      const { audience, unchanged, facts, added } = await importAudience(dependencies, campaign, from, { isAddition });
      return reply(200, { ...audience, unchanged, source: facts, ...present({ added }) });
    },
  }),
  checkRecipients: route('POST /v1/campaigns/{id}/recipients/check', {
    access: ['read', 'campaign'],
    summary: 'Check a file of recipients without importing it',
    description:
      "Reads a file of up to 32 MB as an import would, and changes nothing: its columns with their first values, the verdicts of its lines, and what the campaign's content needs. Also responds to a file whose columns an import would refuse, with the `problems`. Duplicates are those within the file.",
    query: z.strictObject(fileQuery),
    rawBodies: LIST_TYPES,
    takesLong: true,
    responses: { 200: { description: 'What an import of the file would do', schema: checkedRecipientsSchema } },
    problems: ['CAMPAIGN_NOT_FOUND', 'INPUT_INVALID', 'INPUT_TOO_LARGE'],
    async handle({ params, query, c }, dependencies) {
      const campaign = await viewCampaign(dependencies, wholeCampaignId(params.id));
      const maxBytes = Math.min(MOST_CHECKED_BYTES, dependencies.maxImportBytes);
      const file = listIn(c, query, { maxBytes, remedy: 'Import it without a check.', ifCut: 'Nothing was changed.' });
      if (file === undefined) throw noList('The check');
      const contents = contentsOf(sentBy(campaign));
      return reply(200, await checkAudience(dependencies, campaign.definition, contents, file));
    },
  }),
  getRejectedRecipients: route('GET /v1/campaigns/{id}/rejected-recipients.csv', {
    access: ['read', 'campaign'],
    summary: 'List the lines that added no recipient',
    takesLong: true,
    query: z.strictObject({
      delimiter: listQueryFields.delimiter.describe('Character between the columns, or `tab`. Default: comma'),
    }),
    description:
      'CSV with the columns of the source, and line, reason and remedy. After correction it is imported as an addition: the last three columns are not read as values.',
    responses: { 200: { description: 'A header, then every line that was not accepted', rawTypes: ['text/csv'] } },
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_RECIPIENTS_REMOVED', 'ID_AMBIGUOUS'],
    async handle({ params, query, c }, dependencies) {
      const { id } = await viewCampaign(dependencies, await foundCampaignId(params.id, dependencies));
      const { imported } = await viewCampaign(dependencies, id);
      const pages = await pagesFrom(async (afterLine) => {
        const items = await dependencies.ledger.audiences.rejects(id, afterLine, PAGE);
        return { items, ...present({ afterLine: items.at(-1)?.line }) };
      });
      const columns = await dependencies.ledger.audiences.rejectColumns(id);
      const remedies = new Map(imported?.remedies.map(({ verdict, remedy }) => [verdict, remedy]));
      const delimiter = query.delimiter === 'tab' ? '\t' : query.delimiter;
      const head = [...columns, ...VERDICT_COLUMNS];
      const cells = (rejected: RejectedLine) => [
        ...columns.map((name) => rejected.columns[name] ?? ''),
        rejected.line,
        reasonOfLine(rejected),
        remedies.get(rejected.reason) ?? '',
      ];
      const csv = csvOf(head, pages, cells, delimiter);
      return streamed(c, 'text/csv', csv);
    },
  }),
} as const;

/** The list in the body; undefined for a body of another content type. */
function listIn(c: Context, query: z.output<z.ZodObject<typeof fileQuery>>, limits: Parameters<typeof streamOf>[1]) {
  const format = fileFormatOf(c);
  if (format === undefined) return undefined;
  const defaultCountry = countryOf('The file', query.defaultCountry);
  return { ...listOptionsIn(c, query), defaultCountry, bytes: streamOf(c, limits), format };
}

function noList(what: string, others = ''): AppError {
  return new AppError(
    'INPUT_INVALID',
    `${what} is refused: its Content-Type is not text/csv, application/x-ndjson${others} or that of a workbook (.xlsx). Set the Content-Type of the body; nothing was changed.`,
  );
}
