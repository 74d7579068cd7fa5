import {
  readRecipients,
  recipientTimezones,
  type ListFile,
  type VerdictRules,
  groupRecipients,
  type Participant,
  type RecipientBatch,
} from '../../audience/index.js';
import {
  AppError,
  RECIPIENT_TIMEZONE,
  accountsOf,
  firstAccountOf,
  present,
  type CampaignDefinition,
  type Clock,
  type InstanceDirectory,
  type ListFacts,
  type OperationName,
} from '../../contract/index.js';
import { isKnownCountry, recipientKey } from '../../domain/index.js';
import type { CampaignView, Ledger } from '../../ledger/index.js';
import { writeLines } from './write-lines.js';

export type RecipientsFrom =
  | (ListFile & Pick<VerdictRules, 'defaultCountry'>)
  /** A group's chat id. */
  | { readonly group: string; readonly signal: AbortSignal };

/** Sends a query to an instance. */
export type AskGateway = <Result>(
  method: OperationName,
  instance: string,
  request: Readonly<Record<string, unknown>>,
  /** How long the caller waits for a response of the gateway, and what ends the wait early. */
  wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<Result>;

interface ImportDependencies {
  readonly ledger: Pick<Ledger, 'audiences'>;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly askGateway: AskGateway;
}

/** A statement of this many lines takes less than 0.1 s, also in an embedded database on one slow core. */
const IMPORT_BATCH_LINES = 1_000;

/**
 * Imports a source and makes it the campaign's audience once its last line is written. If reading or writing fails, the
 * import is removed and the audience does not change.
 * @param how.isAddition  the source is added to the audience and does not replace it
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN | CAMPAIGN_EMPTY (nothing to add to) | CAMPAIGN_INCOMPLETE (a
 *   variable has no column) | IMPORT_SUPERSEDED | INPUT_INVALID (the source as a whole cannot be read) | OPERATION_FAILED
 *   | GATEWAY_UNREACHABLE
 */
export async function importAudience(
  { ledger, clock, instances, askGateway }: ImportDependencies,
  { id, definition }: Pick<CampaignView, 'id' | 'definition'>,
  from: RecipientsFrom,
  { isAddition = false }: { readonly isAddition?: boolean } = {},
) {
  const { audiences } = ledger;
  const rules = verdictRules({ instances, clock }, definition);
  const facts: ListFacts = {};
  const batches =
    'group' in from
      ? groupSource(askGateway, { ...from, instance: firstAccountOf(definition), rules })
      : readRecipients(
          { ...from, ...rules, ...present({ defaultCountry: from.defaultCountry }) },
          IMPORT_BATCH_LINES,
          facts,
        );
  const begun = isAddition
    ? await audiences.beginAddition(id, clock.nowMs())
    : { no: await audiences.beginImport(id, clock.nowMs()) };
  try {
    const { source, added } = await writeLines(audiences, begun, batches, !('group' in from));
    const finished = await audiences.finishImport(id, begun.no, source, clock.nowMs());
    return { ...finished, facts, ...(isAddition ? { added } : {}) };
  } catch (error) {
    // If this fails too, the first error is reported, and the next import removes the remaining rows.
    await audiences.abandonImport(begun.no).catch(() => undefined);
    throw error;
  }
}

export function verdictRules(
  { instances, clock }: Pick<ImportDependencies, 'instances' | 'clock'>,
  definition: CampaignDefinition,
): VerdictRules {
  const { defaultCountry, defaultTimezone, sendingWindows } = definition;
  const allowed = accountsOf(definition).flatMap((name) => {
    const { allowedRecipients: chats } = instances.get(name);
    return chats === undefined ? [] : [new Set(chats.map(recipientKey))];
  });
  // The recipients that every account of the campaign may write to; undefined: all.
  const [first, ...others] = allowed;
  const allowedRecipients = first && new Set([...first].filter((key) => others.every((keys) => keys.has(key))));
  const isByTimezone = sendingWindows?.timezone === RECIPIENT_TIMEZONE;
  return {
    ...present({ allowedRecipients }),
    ...(defaultCountry !== undefined && isKnownCountry(defaultCountry) ? { defaultCountry } : {}),
    ...(isByTimezone ? { timezoneOf: recipientTimezones(clock.nowMs(), defaultTimezone) } : {}),
  };
}

/** Both requests have a rate limit of about one a second, and other requests may wait for the same bucket. */
const GROUP_WAIT_MS = 30_000;

/** The participants of a group as recipients. @throws AppError OPERATION_FAILED | GATEWAY_UNREACHABLE */
async function* groupSource(
  askGateway: AskGateway,
  { instance, group, rules, signal }: { instance: string; group: string; rules: VerdictRules; signal: AbortSignal },
): AsyncGenerator<RecipientBatch> {
  const wait = { timeoutMs: GROUP_WAIT_MS, signal };
  const [{ participants }, settings] = await Promise.all([
    askGateway<{ participants?: Participant[] | null }>('getGroupData', instance, { groupId: group }, wait),
    askGateway<{ wid?: string | null }>('getSettings', instance, {}, wait).catch((error: unknown) => {
      // The account does not show its chat id. Then its own number counts as a recipient.
      if (error instanceof AppError && error.code === 'OPERATION_FAILED') return undefined;
      throw error;
    }),
  ]);
  yield groupRecipients(participants ?? [], settings?.wid ?? undefined, rules);
}
