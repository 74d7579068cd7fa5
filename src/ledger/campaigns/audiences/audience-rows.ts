/**
 * The rows of an audience: written by an import, checked before the start of their campaign, and removed when no
 * campaign uses them any more.
 *
 * IMPORT-1 An import writes rows under its own number. The campaign points to that number once the last line is
 *     written, so no reader sees a partial import.
 * IMPORT-2 A discarded import accepts no more lines: the statement that adds recipients first changes the import's row,
 *     and the one that adds rejects locks it, so both detect the discard.
 * IMPORT-3 The unique index on (audience, recipient's key) finds duplicates at once: the first recipient stays, each later one is
 *     reported by its line. Finding them at the end is a third cheaper for the database, but then one statement sorts a
 *     million recipients while all others wait, and the count is unknown until then.
 * IMPORT-4 One statement adds a batch, and none removes more than a batch: the embedded database runs one statement at
 *     a time, and every send waits for it.
 * IMPORT-5 Recipients are passed as three texts with a line for each recipient. Arrays cost a quarter more, one JSON
 *     text a fifth; measured on PGlite with 200,000 recipients in batches of 1,000.
 */
import { sql, type RawBuilder } from 'kysely';
import {
  AppError,
  LARGEST_LINE,
  present,
  type CampaignId,
  type Recipient,
  type RecipientValues,
  type RejectedLine,
} from '../../../contract/index.js';
import type { Db, Store, Tx } from '../../storage/store.js';
import { jsonText } from '../../storage/statements.js';
import { recipientKey } from '../../../domain/index.js';
import type { CampaignRow } from '../campaign-row.js';

/** A batch takes a tenth of a second of an embedded database on one slow core. */
const REMOVED_AT_ONCE = 5_000;

/** Lines of a source, in its order. */
export interface ReadLines {
  readonly recipients: readonly Recipient[];
  readonly rejects: readonly RejectedLine[];
  /** See {@link RejectedLine.columns}, for the line of a recipient. */
  columnsOf(line: number): RecipientValues;
}

/** @returns the lines whose recipient was already there. @throws AppError IMPORT_SUPERSEDED | INPUT_TOO_LARGE */
export async function addLines(db: Db, audienceNo: string, lines: ReadLines): Promise<RejectedLine[]> {
  const { recipients, rejects } = lines;
  if ((recipients.at(-1)?.line ?? 0) > LARGEST_LINE) {
    throw new AppError(
      'INPUT_TOO_LARGE',
      `The import has more than ${LARGEST_LINE} lines, the limit of a campaign. Split it into several campaigns.`,
    );
  }
  // A lid that is known to belong to a number has the key of that number. Most sources contain no lids.
  const lids = recipients.map(({ chatId }) => chatId).filter((chatId) => chatId.endsWith('@lid'));
  const known = new Map<string, string>();
  if (lids.length > 0) {
    const { rows } = await sql<{ lid: string; recipient_key: string }>`
      select lid, recipient_key from known_lids where lid = any(${lids}::text[])`.execute(db);
    for (const { lid, recipient_key } of rows) known.set(lid, recipient_key);
  }
  const keyed = recipients.map((recipient) => ({
    ...recipient,
    key: known.get(recipient.chatId) ?? recipientKey(recipient.chatId),
  }));
  const added = await addRecipients(db, audienceNo, keyed, recipients.length + rejects.length);
  const found = added === recipients.length ? [] : await duplicatesOf(db, audienceNo, keyed);
  const duplicates = found.map((duplicate) => ({ ...duplicate, columns: lines.columnsOf(duplicate.line) }));
  const all = [...duplicates, ...rejects];
  if (all.length === 0) return duplicates;
  // A discarded import adds no recipient, so all look like duplicates: this statement notices.
  const { numAffectedRows } = await sql`
    insert into recipient_rejects (audience_no, line, reason, value, columns, chat_id, duplicate_of)
    select no, line, reason, value, columns::json, chat_id, duplicate_of
    from (select no from audiences where no = ${audienceNo}::bigint and not discarded for share) as audience,
      unnest(${all.map(({ line }) => line)}::integer[], ${all.map(({ reason }) => reason)}::text[],
        ${all.map(({ value }) => value)}::text[], ${all.map(({ columns }) => jsonText(columns))}::text[],
        ${all.map(({ chatId }) => chatId ?? null)}::text[],
        ${all.map(({ duplicateOf }) => duplicateOf ?? null)}::integer[])
        as r (line, reason, value, columns, chat_id, duplicate_of)`.execute(db);
  if (Number(numAffectedRows ?? 0) !== all.length) throw superseded();
  return duplicates;
}

interface KeyedRecipient extends Recipient {
  readonly key: string;
}

/** @returns how many were added: all except those whose key exists, or none once the import is discarded */
async function addRecipients(db: Db, audienceNo: string, recipients: readonly KeyedRecipient[], lines: number) {
  // Empty for most recipients, whose key is their chat id.
  const ownKeys = recipients.map(({ key, chatId }) => (key === chatId ? '' : key));
  const hasKeys = ownKeys.some((key) => key !== '');
  const hasTimezones = recipients.some(({ timezone }) => timezone !== undefined);
  const name = `add_recipients${hasKeys ? '_with_keys' : ''}${hasTimezones ? '_by_timezone' : ''}`;
  const keys = (part: RawBuilder<unknown>): RawBuilder<unknown> => (hasKeys ? part : sql``);
  const zones = (part: RawBuilder<unknown>): RawBuilder<unknown> => (hasTimezones ? part : sql``);
  const { numAffectedRows } = await sql`${sql.raw(`/* ${name} */`)}
    with audience as (
      update audiences set lines = lines + ${lines}::integer
      where no = ${audienceNo}::bigint and finished_at is null and not discarded
      returning no
    )
    insert into recipients
      (audience_no, line, chat_id, "values"${keys(sql`, key`)}${zones(sql`, timezone`)})
    select no, line::integer, chat_id, value::json
      ${keys(sql`, nullif(key, '')`)}${zones(sql`, nullif(timezone, '')`)}
    from audience, rows from (
      string_to_table(${asLines(recipients.map(({ line }) => line))}::text, chr(10)),
      string_to_table(${asLines(recipients.map(({ chatId }) => chatId))}::text, chr(10)),
      string_to_table(${asLines(recipients.map(({ values }) => jsonText(values)))}::text, chr(10))
      ${keys(sql`, string_to_table(${asLines(ownKeys)}::text, chr(10))`)}
      ${zones(sql`, string_to_table(${asLines(recipients.map(({ timezone }) => timezone ?? ''))}::text, chr(10))`)}
    ) as g (line, chat_id, value${keys(sql`, key`)}${zones(sql`, timezone`)})
    on conflict (audience_no, coalesce(key, chat_id)) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** No value contains a line end, since JSON escapes it. */
function asLines(values: readonly (string | number)[]): string {
  return values.join('\n');
}

/**
 * The recipients of a batch that were not added. Its lines are in order, so the added ones are a range of the index.
 */
async function duplicatesOf(db: Db, audienceNo: string, recipients: readonly KeyedRecipient[]) {
  const { rows } = await sql<{ line: number }>`/* added_recipients */
    select line from recipients
    where audience_no = ${audienceNo}::bigint
      and line between ${recipients.at(0)?.line ?? 0}::integer and ${recipients.at(-1)?.line ?? 0}::integer`.execute(
    db,
  );
  const added = new Set(rows.map(({ line }) => line));
  const duplicates = recipients.filter(({ line }) => !added.has(line));
  const earlier = await sql<{ key: string; line: number }>`/* earlier_recipients */
    select coalesce(key, chat_id) as key, line from recipients
    where audience_no = ${audienceNo}::bigint
      and coalesce(key, chat_id) = any(${duplicates.map(({ key }) => key)}::text[])`.execute(db);
  const lineOf = new Map(earlier.rows.map(({ key, line }) => [key, line]));
  return duplicates.map(({ line, chatId, key }) => ({
    line,
    reason: 'duplicate' as const,
    value: chatId,
    chatId,
    ...present({ duplicateOf: lineOf.get(key) }),
  }));
}

export function superseded(): AppError {
  return new AppError(
    'IMPORT_SUPERSEDED',
    'The import was superseded: another import for the same campaign began after it. Check the campaign, then import again: everpost campaign show',
  );
}

/** IMPORT-2. Discards all audiences but one. Under the campaign's lock. */
export async function discardAudiences(tx: Tx, id: CampaignId, kept: CampaignRow['audience_no']): Promise<void> {
  await sql`
    update audiences set discarded = true
    where campaign_id = ${id} and not discarded and no is distinct from ${kept}::bigint`.execute(tx);
}

/**
 * Removes the rows of all discarded audiences of a campaign in batches. After an interruption the next call removes the
 * rest.
 */
export async function removeDiscarded(store: Store, campaignId: CampaignId): Promise<void> {
  const discarded = await store.rows(sql<{ no: string }>`
    select no::text from audiences where campaign_id = ${campaignId} and discarded`);
  for (const { no } of discarded) {
    for (const table of ['recipients', 'recipient_rejects'] as const) {
      for (let line: number | null = 0; line !== null;) line = await removeSome(store, table, no, line);
    }
    await store.run((db) => db.deleteFrom('audiences').where('no', '=', no).execute());
  }
}

/**
 * Removes rows after a line; earlier rows are already removed.
 * @returns the last line that was removed; null: nothing is left
 */
async function removeSome(
  store: Store,
  table: 'recipients' | 'recipient_rejects',
  audienceNo: string,
  after: number,
): Promise<number | null> {
  const rows = await store.rows(sql<{ line: number | null }>`
      with part as materialized (
        select line from ${sql.table(table)} where audience_no = ${audienceNo}::bigint and line > ${after}
        order by line limit ${REMOVED_AT_ONCE}
      ), removed as (
        delete from ${sql.table(table)}
        where audience_no = ${audienceNo}::bigint and line between ${after}::integer + 1 and (select max(line) from part)
      )
      select max(line) as line from part`);
  return rows[0]?.line ?? null;
}

/** @returns the number of recipients. @throws AppError CAMPAIGN_INCOMPLETE | CAMPAIGN_EMPTY */
export async function readyAudience(db: Db, row: CampaignRow): Promise<number> {
  const unfinished = await sql`
    select from audiences where campaign_id = ${row.id} and finished_at is null and not discarded`.execute(db);
  if (unfinished.rows.length > 0) {
    throw new AppError(
      'CAMPAIGN_INCOMPLETE',
      `The import for campaign ${row.id} has not ended, or was interrupted. Wait for it, or import the recipients again: everpost campaign import FILE`,
      { problems: [{ path: 'recipients', message: 'are not completely imported' }] },
    );
  }
  const recipients = await countAudience(db, row);
  if (recipients > 0) return recipients;
  throw campaignEmpty(row.id);
}

/** @param why  needs recipients, as the rest of a sentence */
export function campaignEmpty(id: CampaignId, why = ''): AppError {
  return new AppError(
    'CAMPAIGN_EMPTY',
    `Campaign ${id} has no recipients${why}. Import them: everpost campaign import FILE`,
  );
}

export async function countAudience(db: Db, { audience_no }: CampaignRow): Promise<number> {
  const { rows } = await sql<{ recipients: number }>`
    select count(*)::integer as recipients from recipients where audience_no = ${audience_no}`.execute(db);
  return rows[0]?.recipients ?? 0;
}
