import type { Context } from 'hono';
import { z } from 'zod';
import { AppError, type CampaignId, present } from '../../../contract/index.js';
import { delimiterSchema, groupRecipientsSchema, importedSchema } from '../../../contract/schemas.js';
import { importAudience, viewCampaign, type RecipientsFrom } from '../../campaigns/campaigns.js';
import { readInput } from '../../../domain/index.js';
import { contentTypeOf, delimiterIn, readJson, streamOf, fileFormatOf } from '../read-request.js';
import { reply, route } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { foundCampaignId, wholeCampaignId } from '../access.js';
import { PAGE, pagesFrom, streamed } from '../streamed.js';
import { csvOf } from '../write-csv.js';

export const RECIPIENT_ROUTES = {
  importRecipients: route('PUT /v1/campaigns/{id}/recipients', {
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
    problems: ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_FROZEN', 'IMPORT_SUPERSEDED', 'OPERATION_FAILED', 'GATEWAY_UNREACHABLE'],
    async handle(request, dependencies) {
      const id = wholeCampaignId(request.params.id);
      const from = await recipientsIn(request, dependencies);
      const campaign = await viewCampaign(dependencies, id);
      const { audience, unchanged } = await importAudience(dependencies, campaign, from);
      return reply(200, { ...audience, unchanged });
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
} as const;

async function recipientsIn(
  { query: { delimiter }, c }: { readonly query: { readonly delimiter?: string | undefined }; readonly c: Context },
  { maxImportBytes, waiting }: RouteDependencies,
): Promise<RecipientsFrom> {
  const limits = { maxBytes: maxImportBytes, ifCut: 'Nothing was changed.' };
  const format = fileFormatOf(c);
  if (format !== undefined) return { bytes: streamOf(c, limits), format, delimiter: delimiterIn(delimiter) };
  if (contentTypeOf(c) === 'application/json') {
    const { group } = readInput(groupRecipientsSchema, await readJson(c), 'The import');
    return { group, signal: waiting.signalOf(c) };
  }
  throw new AppError(
    'INPUT_INVALID',
    'The import is refused: its Content-Type is not text/csv, application/x-ndjson or application/json. Set the Content-Type of the body; nothing was changed.',
  );
}

function rejectsOf(id: CampaignId, { ledger }: RouteDependencies) {
  return pagesFrom(async (afterLine) => {
    const items = await ledger.audiences.rejects(id, afterLine, PAGE);
    return { items, ...present({ afterLine: items.at(-1)?.line }) };
  });
}
