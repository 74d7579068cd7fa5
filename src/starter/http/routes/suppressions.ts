import type { Context } from 'hono';
import { z } from 'zod';
import { AppError, SUPPRESSION_VERDICTS, SuppressionScope, SuppressionSource } from '../../../contract/index.js';
import {
  addSuppressionSchema,
  removeSuppressionSchema,
  suppressionImportQuerySchema,
  suppressionListQuerySchema,
} from '../../../contract/schemas.js';
import type { SuppressionsFrom } from '../../suppressions/suppressions.js';
import { assertNamesInstance } from '../access.js';
import { contentTypeOf, streamOf } from '../read-request.js';
import { reply, route } from '../route.js';
import { time } from '../fields.js';

const IF_CUT = 'What came before is on the list; send it again for the rest.';

const count = z.number().int();

export const suppressionSchema = z
  .object({
    id: z.string(),
    chatId: z.string(),
    instance: z.string().optional().describe('The one account that it is about; absent: every account'),
    scope: z.enum(Object.values(SuppressionScope)).describe('all: transactional messages are kept back too'),
    source: z.enum(Object.values(SuppressionSource)),
    since: time.describe('Of a word, when the gateway received it'),
    recordedAt: time,
    word: z.string().optional().describe('As the addressee wrote it'),
    idMessage: z.string().optional().describe("The gateway's id of the message with the word"),
    note: z.string().optional(),
    removedAt: time.optional().describe('Present once it holds no longer'),
    removedBy: z.enum(['start_word', 'operator']).optional(),
    removedWord: z.string().optional(),
    removedIdMessage: z.string().optional(),
    startWordAt: time
      .optional()
      .describe('The addressee has said START since, which does not remove what an operator or a file put there'),
  })
  .meta({ id: 'Suppression' });

const suppressionListSchema = z
  .object({ items: z.array(suppressionSchema), cursor: z.string().optional() })
  .meta({ id: 'SuppressionList' });

const removedSchema = z
  .object({
    removed: z.array(suppressionSchema),
    left: z.array(suppressionSchema).describe('What still holds, for other accounts or for all'),
  })
  .meta({ id: 'RemovedSuppressions' });

export const importedSuppressionsSchema = z
  .object({
    lines: count.describe('With anything on them, a head not counted'),
    verdicts: z
      .object(Object.fromEntries(SUPPRESSION_VERDICTS.map((verdict) => [verdict, count])))
      .describe('Lines by verdict; they add up to the lines'),
    rejects: z
      .array(z.object({ line: count, reason: z.string(), value: z.string() }))
      .describe('Lines that are no entry, the first ten thousand of them'),
  })
  .meta({ id: 'ImportedSuppressions' });

export const SUPPRESSION_ROUTES = {
  addSuppression: route({
    method: 'post',
    path: '/v1/suppressions',
    access: ['send', 'named'],
    summary: 'Put a recipient on the suppression list',
    description:
      'From the response on no message begins to be posted to them that the entry covers: it ends suppressed. Adding again changes nothing, and needs no Idempotency-Key.',
    body: addSuppressionSchema,
    bodyName: 'The suppression',
    responses: {
      200: { description: 'It was there', schema: suppressionSchema },
      201: { description: 'Added', schema: suppressionSchema },
    },
    problems: ['INPUT_INVALID', 'INSTANCE_NOT_FOUND', 'INPUT_TOO_LARGE'],
    async handle({ body, caller }, { suppressions }) {
      assertNamesInstance(caller, body.instance);
      const { entry, isNew } = await suppressions.add(body);
      return reply(isNew ? 201 : 200, entry);
    },
  }),
  listSuppressions: route({
    method: 'get',
    path: '/v1/suppressions',
    access: ['read', 'named'],
    summary: 'Who is on the suppression list, newest first',
    query: suppressionListQuerySchema,
    responses: { 200: { description: 'One page; `cursor` leads to the next', schema: suppressionListSchema } },
    problems: ['INPUT_INVALID'],
    handle: async ({ query, caller: { instances } }, { suppressions }) =>
      reply(200, await suppressions.list(query, instances)),
  }),
  removeSuppression: route({
    method: 'post',
    path: '/v1/suppressions/remove',
    access: ['admin', 'named'],
    summary: 'Take a recipient off the suppression list',
    description:
      'Whatever its source, the addressee with STOP included: be sure that they want it. The entries are kept, with the time.',
    body: removeSuppressionSchema,
    bodyName: 'The suppression',
    responses: { 200: { description: 'What was removed; none when nothing was there', schema: removedSchema } },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE'],
    async handle({ body, caller }, { suppressions }) {
      assertNamesInstance(caller, body.instance);
      return reply(200, await suppressions.remove(body, caller.instances));
    },
  }),
  importSuppressions: route({
    method: 'post',
    path: '/v1/suppressions/import',
    access: ['send', 'named'],
    summary: 'Put every recipient of a file on the suppression list',
    description:
      'A file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB), read as it comes in, with a verdict for every line. What was read before one breaks off holds; importing again adds the rest.',
    query: suppressionImportQuerySchema,
    rawBodies: {
      'text/plain': 'One number or chat id a line',
      'text/csv': 'With a head. One of the columns phone, phone_number, mobile, number, chatId holds the number',
      'application/x-ndjson': 'One object a line, with the same names',
    },
    takesLong: true,
    responses: { 200: { description: 'What became of the lines', schema: importedSuppressionsSchema } },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE', 'INSTANCE_NOT_FOUND'],
    async handle({ query, caller, c }, { suppressions, maxImportBytes }) {
      assertNamesInstance(caller, query.instance);
      return reply(200, await suppressions.import(fileIn(c, maxImportBytes), query));
    },
  }),
} as const;

function fileIn(c: Context, maxBytes: number): SuppressionsFrom {
  const bytes = streamOf(c, { maxBytes, ifCut: IF_CUT });
  switch (contentTypeOf(c)) {
    case 'text/plain':
      return { bytes, format: 'list' };
    case 'text/csv':
      return { bytes, format: 'csv' };
    case 'application/x-ndjson':
    case 'application/ndjson':
    case 'application/jsonl':
      return { bytes, format: 'ndjson' };
    default:
      throw new AppError(
        'INPUT_INVALID',
        'The import is refused: its Content-Type is none of text/plain, text/csv and application/x-ndjson. Say what the body is; nothing was changed.',
      );
  }
}
