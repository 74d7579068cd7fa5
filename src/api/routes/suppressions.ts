import { z } from 'zod';
import { readRecipients, type RecipientSource } from '../../audience/index.js';
import {
  AppError,
  SUPPRESSION_VERDICTS,
  suppressionRemedies,
  SuppressionScope,
  WORKBOOK_TYPE,
  present,
  type ListFacts,
  type SuppressionImport,
  type SuppressionVerdict,
  zeroOfEach,
} from '../../contract/index.js';
import {
  addSuppressionSchema,
  possibleOptOutListQuerySchema,
  possibleOptOutSchema,
  removeSuppressionSchema,
  suppressionImportQuerySchema,
  suppressionImportSchema,
  suppressionListQuerySchema,
  suppressionSchema,
} from '../../contract/schemas.js';
import { chatIdOf, contentTypeOf, countryOf, fileFormatOf, listOptionsIn, streamOf } from '../read-request.js';
import { assertNamesInstance } from '../access.js';
import { reply, route, onePage } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';

const WHAT = 'The suppression';
const IF_CUT = 'Earlier lines are on the list. Send the file again to add the rest.';

const removedSchema = z
  .object({
    removed: z.array(suppressionSchema),
    left: z.array(suppressionSchema).describe('Entries that still apply, for other instances or for all'),
  })
  .meta({ id: 'RemovedSuppressions' });

/** Without the texts of an entry, which may be those of an earlier request or of the recipient. */
const addedSchema = suppressionSchema
  .pick({ id: true, chatId: true, instance: true, scope: true, source: true, since: true, recordedAt: true })
  .meta({ id: 'AddedSuppression' });

const acceptedSchema = z
  .object({
    possible: possibleOptOutSchema,
    suppression: suppressionSchema
      .optional()
      .describe('The entry. `removedAt` is present if the recipient has written START since'),
    wasSuppressed: z.boolean().describe('Other entries already kept marketing messages from the recipient'),
  })
  .meta({ id: 'AcceptedOptOut' });

export const SUPPRESSION_ROUTES = {
  addSuppression: route('POST /v1/suppressions', {
    access: ['send', 'named'],
    summary: 'Add a recipient to the suppression list',
    description:
      'After the response, no POST of a message that the entry covers begins: the message ends suppressed. A repeated request changes nothing and needs no Idempotency-Key.',
    body: addSuppressionSchema,
    bodyName: 'The suppression',
    responses: {
      200: { description: 'The entry existed', schema: addedSchema },
      201: { description: 'The new entry', schema: addedSchema },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ body, caller }, { ledger, instances, clock }) {
      const { instance, scope = SuppressionScope.marketing, note, ...number } = body;
      assertNamesInstance(caller, instance);
      const { entry, isNew } = await ledger.suppressions.add({
        chatId: chatIdOf(WHAT, number),
        scope,
        ...present({ instance: instance === undefined ? undefined : instances.get(instance).name, note }),
        nowMs: clock.nowMs(),
      });
      return reply(isNew ? 201 : 200, addedSchema.parse(entry));
    },
  }),
  listSuppressions: route('GET /v1/suppressions', {
    access: ['read', 'named'],
    summary: 'List suppressed recipients, newest first',
    query: suppressionListQuerySchema,
    responses: onePage(suppressionSchema, 'SuppressionList'),
    async handle({ query: { to, defaultCountry, removed, ...filter }, caller: { instances } }, { ledger }) {
      const chatId = to === undefined ? undefined : chatIdOf(WHAT, { to, defaultCountry });
      const withRemoved = removed === true;
      return reply(200, await ledger.suppressions.list({ ...filter, withRemoved, ...present({ chatId, instances }) }));
    },
  }),
  removeSuppression: route('POST /v1/suppressions/remove', {
    access: ['admin', 'named'],
    summary: 'Remove a recipient from the suppression list',
    description:
      'Closes every entry, also one of a STOP word: be sure that the recipient wants this. Closed entries are kept with their times.',
    body: removeSuppressionSchema,
    bodyName: 'The suppression',
    responses: { 200: { description: 'The removed entries. Empty if there were none', schema: removedSchema } },
    // An instance that is no longer configured may still have entries.
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
  importSuppressions: route('POST /v1/suppressions/import', {
    access: ['send', 'named'],
    summary: 'Import recipients into the suppression list',
    description:
      'Reads a file of up to EVERPOST_MAX_IMPORT_SIZE (1 GB) as a stream. Every line gets a verdict. If the import breaks off, the lines read before stay on the list; a repeated import adds the rest.',
    query: suppressionImportQuerySchema,
    rawBodies: {
      'text/plain': 'One phone number or chat id per line',
      'text/csv':
        'CSV with a header. The column with the number is recognised, or named by `phoneColumn`. A `charset` names its encoding',
      'application/x-ndjson': 'One JSON object per line, with fields like the columns of CSV',
      [WORKBOOK_TYPE]: 'An Excel workbook (.xlsx) with at most 100,000 rows, one sheet of which is read like CSV',
    },
    takesLong: true,
    responses: { 200: { description: 'The verdicts of the lines', schema: suppressionImportSchema } },
    problems: ['INPUT_TOO_LARGE', 'INSTANCE_NOT_FOUND'],
    async handle({ query, caller, c }, dependencies) {
      const { instance, scope = SuppressionScope.marketing, defaultCountry, ...options } = query;
      assertNamesInstance(caller, instance);
      const format = contentTypeOf(c) === 'text/plain' ? 'list' : fileFormatOf(c);
      if (format === undefined) {
        throw new AppError(
          'INPUT_INVALID',
          'The import is refused: its Content-Type is not text/plain, text/csv, application/x-ndjson or that of a workbook (.xlsx). Set the Content-Type of the body; nothing was changed.',
        );
      }
      if (instance !== undefined) dependencies.instances.get(instance);
      const source: RecipientSource = {
        bytes: streamOf(c, { maxBytes: dependencies.maxImportBytes, ifCut: IF_CUT }),
        format,
        ...listOptionsIn(c, options),
        defaultCountry: countryOf(WHAT, defaultCountry),
      };
      return reply(200, await importSuppressions(dependencies, source, { scope, ...present({ instance }) }));
    },
  }),
  listPossibleOptOuts: route('GET /v1/suppressions/possible', {
    access: ['read', 'named'],
    summary: 'List messages that may mean STOP, newest first',
    description:
      'Incoming messages that are similar to a STOP word and are none. They suppress nothing until an operator accepts them. While one of a recipient is open, further ones are counted at it.',
    query: possibleOptOutListQuerySchema,
    responses: onePage(possibleOptOutSchema, 'PossibleOptOutList'),
    handle: async ({ query: { all, ...filter }, caller: { instances } }, { ledger }) =>
      reply(200, await ledger.possibleOptOuts.list({ ...filter, withDecided: all === true, instances })),
  }),
  acceptPossibleOptOut: route('POST /v1/suppressions/possible/{id}/accept', {
    access: ['send', 'possibleOptOut'],
    alsoNeeds: 'read',
    summary: 'Accept a possible opt-out',
    description:
      'Adds the recipient to the suppression list as a STOP word would, from the time of the message on. A repeated request changes nothing. One that was dismissed can still be accepted. An instance that is no longer configured may still have possible opt-outs.',
    responses: { 200: { description: 'The accepted one and its entry', schema: acceptedSchema } },
    problems: ['POSSIBLE_OPT_OUT_NOT_FOUND'],
    async handle({ params: { id }, caller }, { ledger, clock }) {
      const accepted = await ledger.possibleOptOuts.accept({ id, by: caller.witness, nowMs: clock.nowMs() });
      return reply(200, accepted);
    },
  }),
  dismissPossibleOptOut: route('POST /v1/suppressions/possible/{id}/dismiss', {
    access: ['send', 'possibleOptOut'],
    alsoNeeds: 'read',
    summary: 'Dismiss a possible opt-out',
    description:
      'Suppresses nothing. The same text of the same recipient is not listed again. A repeated request changes nothing. One that was accepted cannot be dismissed.',
    responses: { 200: { description: 'The dismissed one', schema: possibleOptOutSchema } },
    problems: ['POSSIBLE_OPT_OUT_NOT_FOUND', 'POSSIBLE_OPT_OUT_ACCEPTED'],
    async handle({ params: { id }, caller }, { ledger, clock }) {
      return reply(200, await ledger.possibleOptOuts.dismiss({ id, by: caller.witness, nowMs: clock.nowMs() }));
    },
  }),
} as const;

/** A statement of this many lines takes less than 0.1 s, as for recipients. */
const BATCH_LINES = 1_000;
/** The most rejected lines in a response. The verdicts count all lines. */
const MOST_REJECTS = 10_000;

/**
 * Adds every number of a source to the list, in batches. If the source breaks off, the numbers read before stay on the
 * list; a repeated import adds the rest.
 */
async function importSuppressions(
  { ledger, clock }: RouteDependencies,
  source: RecipientSource,
  to: { readonly instance?: string; readonly scope: SuppressionScope },
): Promise<SuppressionImport> {
  const verdicts = zeroOfEach(SUPPRESSION_VERDICTS);
  const firstRejects: SuppressionImport['rejects'][number][] = [];
  const facts: ListFacts = {};
  for await (const { recipients, rejects } of readRecipients(source, BATCH_LINES, facts)) {
    const added = await ledger.suppressions.import({
      chatIds: recipients.map(({ chatId }) => chatId),
      ...to,
      nowMs: clock.nowMs(),
    });
    verdicts.added += added.size;
    verdicts.already += recipients.length - added.size;
    for (const { reason } of rejects) verdicts[reason as SuppressionVerdict] += 1;
    const shown = rejects.slice(0, MOST_REJECTS - firstRejects.length);
    firstRejects.push(...shown.map(({ line, reason, value }) => ({ line, reason, value })));
  }
  const lines = Object.values(verdicts).reduce((sum, lineCount) => sum + lineCount, 0);
  return { lines, verdicts, remedies: suppressionRemedies(verdicts), rejects: firstRejects, source: facts };
}
