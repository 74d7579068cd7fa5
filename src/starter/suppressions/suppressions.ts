import {
  present,
  type Clock,
  type InstanceDirectory,
  type Suppression,
  type SuppressionImport,
  SUPPRESSION_VERDICTS,
  type SuppressionScope,
  type SuppressionVerdict,
} from '../../contract/index.js';
import { type RecipientFormat, readRecipients, type RecipientSource } from '../../audience/index.js';
import type {
  addSuppressionSchema,
  removeSuppressionSchema,
  suppressionImportQuerySchema,
  suppressionListQuerySchema,
} from '../../contract/schemas.js';
import type { Ledger } from '../../ledger/index.js';
import type { z } from 'zod';
import { chatIdOf, countryOf } from '../read-chat-id.js';

export interface SuppressionsFrom {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: RecipientFormat;
}

/** The suppression list, as operators and backends change and read it. Numbers are read as those of campaigns are. */
export interface SuppressionList {
  /** @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND */
  add(entry: z.output<typeof addSuppressionSchema>): Promise<{ readonly entry: Suppression; readonly isNew: boolean }>;
  /** @throws AppError INPUT_INVALID */
  remove(
    entry: z.output<typeof removeSuppressionSchema>,
    instances?: readonly string[],
  ): ReturnType<Ledger['suppressions']['remove']>;
  /** @param instances  only entries for one of these alone. @default of all */
  list(
    query: z.output<typeof suppressionListQuerySchema>,
    instances?: readonly string[],
  ): ReturnType<Ledger['suppressions']['list']>;
  /**
   * Lines hold as they are read. @throws AppError INPUT_INVALID (the source as a whole cannot be read) |
   * INSTANCE_NOT_FOUND
   */
  import(from: SuppressionsFrom, query: z.output<typeof suppressionImportQuerySchema>): Promise<SuppressionImport>;
}

export function createSuppressionList({
  ledger: { suppressions },
  instances,
  clock,
}: {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}): SuppressionList {
  return {
    async add({ instance, scope = 'marketing', note, ...number }) {
      return suppressions.add({
        chatId: chatIdOf(WHAT, number),
        ...(instance === undefined ? {} : { instance: instances.get(instance).name }),
        scope,
        ...present({ note }),
        nowMs: clock.nowMs(),
      });
    },

    // An instance that is configured no longer may still have entries.
    async remove({ instance, ...number }, own) {
      return suppressions.remove({
        chatId: chatIdOf(WHAT, number),
        ...present({ instance, instances: own }),
        nowMs: clock.nowMs(),
      });
    },

    async list({ to, defaultCountry, instance, source, scope, removed, cursor, limit }, own) {
      return suppressions.list({
        withRemoved: removed === true,
        ...(to === undefined ? {} : { chatId: chatIdOf(WHAT, { to, defaultCountry }) }),
        ...present({ instance, instances: own, source, scope, cursor, limit }),
      });
    },

    async import(from, { instance, scope = 'marketing', defaultCountry, delimiter }) {
      if (instance !== undefined) instances.get(instance);
      const source = { ...from, defaultCountry: countryOf(WHAT, defaultCountry), delimiter: tabAsItIs(delimiter) };
      return importSuppressions({ suppressions, clock }, source, {
        scope,
        ...present({ instance }),
      });
    },
  };
}

const WHAT = 'The suppression';

function tabAsItIs(delimiter: string | undefined): string | undefined {
  return delimiter === 'tab' ? '\t' : delimiter;
}

/** As for recipients: a statement of a few dozen milliseconds. */
const BATCH_LINES = 1_000;
/** What a response holds of them; the verdicts count all. */
const MOST_REJECTS = 10_000;

/**
 * Adds every number of a source to the list, a batch at a time. What was added before a source breaks off holds: no
 * recipient is written to who is on it, and importing it again adds the rest.
 */
async function importSuppressions(
  { suppressions, clock }: { readonly suppressions: Ledger['suppressions']; readonly clock: Clock },
  source: RecipientSource,
  to: { readonly instance?: string; readonly scope: SuppressionScope },
): Promise<SuppressionImport> {
  const verdicts = Object.fromEntries(SUPPRESSION_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    SuppressionVerdict,
    number
  >;
  const firstRejects: SuppressionImport['rejects'][number][] = [];
  for await (const { recipients, rejects } of readRecipients(source, BATCH_LINES)) {
    const added = await suppressions.import({
      chatIds: recipients.map(({ chatId }) => chatId),
      ...to,
      nowMs: clock.nowMs(),
    });
    verdicts.added += added.size;
    verdicts.already += recipients.length - added.size;
    for (const { reason } of rejects) verdicts[reason as SuppressionVerdict] += 1;
    firstRejects.push(...rejects.slice(0, MOST_REJECTS - firstRejects.length));
  }
  const lines = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return { lines, verdicts, rejects: firstRejects };
}
