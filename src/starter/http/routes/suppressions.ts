import type { Context } from 'hono';
import { z } from 'zod';
import { readRecipients, type RecipientFormat, type RecipientSource } from '../../../audience/index.js';
import {
  AppError,
  SUPPRESSION_VERDICTS,
  SuppressionScope,
  present,
  type SuppressionImport,
  type SuppressionVerdict,
} from '../../../contract/index.js';
import {
  addSuppressionSchema,
  removeSuppressionSchema,
  suppressionImportQuerySchema,
  suppressionImportSchema,
  suppressionListQuerySchema,
  suppressionSchema,
} from '../../../contract/schemas.js';
import { chatIdOf, contentTypeOf, countryOf, delimiterIn, streamOf } from '../read-request.js';
import { assertNamesInstance } from '../access.js';
import { pageOf } from '../fields.js';
import { reply, route } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';

const WHAT = 'The suppression';
const IF_CUT = 'What came before is on the list; send it again for the rest.';

const removedSchema = z
  .object({
    removed: z.array(suppressionSchema),
    left: z.array(suppressionSchema).describe('What still holds, for other accounts or for all'),
  })
  .meta({ id: 'RemovedSuppressions' });

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
    async handle({ body, caller }, { ledger, instances, clock }) {
      const { instance, scope = SuppressionScope.marketing, note, ...number } = body;
      assertNamesInstance(caller, instance);
      const { entry, isNew } = await ledger.suppressions.add({
        chatId: chatIdOf(WHAT, number),
        scope,
        ...present({ instance: instance === undefined ? undefined : instances.get(instance).name, note }),
        nowMs: clock.nowMs(),
      });
      return reply(isNew ? 201 : 200, entry);
    },
  }),
  listSuppressions: route({
    method: 'get',
    path: '/v1/suppressions',
    access: ['read', 'named'],
    summary: 'Who is on the suppression list, newest first',
    query: suppressionListQuerySchema,
    responses: {
      200: {
        description: 'One page; `cursor` leads to the next',
        schema: pageOf(suppressionSchema, 'SuppressionList'),
      },
    },
    problems: ['INPUT_INVALID'],
    async handle({ query: { to, defaultCountry, removed, ...filter }, caller: { instances } }, { ledger }) {
      const chatId = to === undefined ? undefined : chatIdOf(WHAT, { to, defaultCountry });
      const withRemoved = removed === true;
      return reply(200, await ledger.suppressions.list({ ...filter, withRemoved, ...present({ chatId, instances }) }));
    },
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
    // An instance that is configured no longer may still have entries.
    async handle({ body: { instance, ...number }, caller }, { ledger, clock }) {
      assertNamesInstance(caller, instance);
      const removed = await ledger.suppressions.remove({
        chatId: chatIdOf(WHAT, number),
        ...present({ instance, instances: caller.instances }),
        nowMs: clock.nowMs(),
      });
      return reply(200, removed);
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
    responses: { 200: { description: 'The verdicts of the lines', schema: suppressionImportSchema } },
    problems: ['INPUT_INVALID', 'INPUT_TOO_LARGE', 'INSTANCE_NOT_FOUND'],
    async handle({ query, caller, c }, dependencies) {
      const { instance, scope = SuppressionScope.marketing, defaultCountry, delimiter } = query;
      assertNamesInstance(caller, instance);
      const file = fileIn(c, dependencies.maxImportBytes);
      if (instance !== undefined) dependencies.instances.get(instance);
      const source = {
        ...file,
        defaultCountry: countryOf(WHAT, defaultCountry),
        delimiter: delimiterIn(delimiter),
      };
      return reply(200, await importSuppressions(dependencies, source, { scope, ...present({ instance }) }));
    },
  }),
} as const;

interface SuppressionsFrom {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: RecipientFormat;
}

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

/** As for recipients: a statement of a few dozen milliseconds. */
const BATCH_LINES = 1_000;
/** A response lists no more of them; the verdicts count all. */
const MOST_REJECTS = 10_000;

/**
 * Adds every number of a source to the list, a batch at a time. What was added before a source breaks off holds: no
 * recipient on it is written to, and importing it again adds the rest.
 */
async function importSuppressions(
  { ledger, clock }: RouteDependencies,
  source: RecipientSource,
  to: { readonly instance?: string; readonly scope: SuppressionScope },
): Promise<SuppressionImport> {
  const verdicts = Object.fromEntries(SUPPRESSION_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    SuppressionVerdict,
    number
  >;
  const firstRejects: SuppressionImport['rejects'][number][] = [];
  for await (const { recipients, rejects } of readRecipients(source, BATCH_LINES)) {
    const added = await ledger.suppressions.import({
      chatIds: recipients.map(({ chatId }) => chatId),
      ...to,
      nowMs: clock.nowMs(),
    });
    verdicts.added += added.size;
    verdicts.already += recipients.length - added.size;
    for (const { reason } of rejects) verdicts[reason as SuppressionVerdict] += 1;
    firstRejects.push(...rejects.slice(0, MOST_REJECTS - firstRejects.length));
  }
  const lines = Object.values(verdicts).reduce((sum, lineCount) => sum + lineCount, 0);
  return { lines, verdicts, rejects: firstRejects };
}
