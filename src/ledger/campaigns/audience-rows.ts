/**
 * An audience's rows: written while it is imported, removed when it is nobody's any more.
 *
 * A1. An import writes under a number of its own. The campaign points to it when its last line is written, so nobody ever sees
 *     half of one.
 * A2. What is discarded takes no more lines, whoever still brings some: each statement that adds lines first changes the
 *     import's own row, and finds out there.
 * A3. Duplicates are found by the unique index on (audience, chat) as they come, not at the end: the first one stays, each
 *     later one is known at once by its line, and nothing about a million people has to be sorted in one long statement.
 *     Measured with a million rows: see bench/import.js.
 * A4. One statement adds a batch and none removes more than a batch: the embedded database runs one statement at a time, and
 *     whoever sends meanwhile waits for it.
 */
import { sql } from 'kysely';
import { AppError, type CampaignId, type Recipient, type RejectedLine } from '../../contract/index.js';
import type { Db, Store } from '../store.js';

/** A tenth of a second of an embedded database on one slow core. */
const REMOVED_AT_ONCE = 5_000;

/** @returns the lines whose chat was there before. @throws AppError IMPORT_SUPERSEDED */
export async function addLines(
  db: Db,
  audienceNo: string,
  people: readonly Recipient[],
  rejects: readonly RejectedLine[],
): Promise<number[]> {
  const added = await sql<{ lines: number[] | null }>`/* add_recipients */
    with audience as (
      update audiences set lines = lines + ${people.length + rejects.length}::integer
      where no = ${audienceNo}::bigint and finished_at is null and not discarded
      returning no
    ), given as (
      select line, chat_id, value::json as "values"
      from unnest(${people.map(({ line }) => line)}::integer[], ${people.map(({ chatId }) => chatId)}::text[],
        ${people.map(({ values }) => JSON.stringify(values))}::text[]) as g (line, chat_id, value)
    ), added as (
      insert into recipients (audience_no, line, chat_id, "values")
      select no, line, chat_id, "values" from audience, given order by line
      on conflict (audience_no, chat_id) do nothing
      returning line
    ), duplicates as (
      select no, line, 'duplicate' as reason, chat_id as value from audience, given
      where line not in (select line from added)
    ), rejected as (
      insert into recipient_rejects (audience_no, line, reason, value)
      select no, line, reason, value from duplicates
      union all
      select no, line, reason, value
      from audience, unnest(${rejects.map(({ line }) => line)}::integer[], ${rejects.map(({ reason }) => reason)}::text[],
        ${rejects.map(({ value }) => value)}::text[]) as r (line, reason, value)
    )
    select (select array_agg(line order by line) from duplicates) as lines from audience`.execute(db);
  const [answer] = added.rows;
  if (answer === undefined) throw superseded();
  return answer.lines ?? [];
}

export function superseded(): AppError {
  return new AppError(
    'IMPORT_SUPERSEDED',
    'The import was given up: another one of the same campaign was begun after it. Look at the campaign before importing again.',
  );
}

/** Removes the rows of all discarded audiences of a campaign, a batch at a time. Whoever is cut off here leaves the rest to the next. */
export async function removeDiscarded(store: Store, campaignId: CampaignId): Promise<void> {
  const discarded = await store.run((db) =>
    db
      .selectFrom('audiences')
      .select('no')
      .where('campaign_id', '=', campaignId)
      .where('discarded', '=', true)
      .execute(),
  );
  for (const { no } of discarded) {
    for (const table of ['recipients', 'recipient_rejects'] as const) {
      while ((await removeSome(store, table, String(no))) === REMOVED_AT_ONCE) {
        // The next batch.
      }
    }
    await store.run((db) => db.deleteFrom('audiences').where('no', '=', no).execute());
  }
}

async function removeSome(
  store: Store,
  table: 'recipients' | 'recipient_rejects',
  audienceNo: string,
): Promise<number> {
  const { numAffectedRows } = await store.run((db) =>
    sql`delete from ${sql.table(table)} where audience_no = ${audienceNo}::bigint and line in (
      select line from ${sql.table(table)} where audience_no = ${audienceNo}::bigint order by line limit ${REMOVED_AT_ONCE}
    )`.execute(db),
  );
  return Number(numAffectedRows ?? 0);
}
