/**
 * Readings of a gateway's queue, kept while an attempt of the instance is sending or unknown, and what is known of the
 * ids in them. The rules that decide by them are in src/domain/reconcile.
 */
import { sql } from 'kysely';
import type { AccountedId, ListedItem, RecordedReading } from '../../domain/index.js';
import { stateList } from '../messages/message-state.js';
import { jsonText } from '../storage/statements.js';
import type { Db } from '../storage/store.js';

/** One listing of a queue, as the ledger keeps it. */
export interface QueueListing {
  readonly begunAtMs: number;
  readonly endedAtMs: number;
  readonly items: readonly ListedItem[];
}

/** How long the longest listing counts: a gateway may lower its limit. */
const LENGTH_COUNTS = sql.lit('1 day');

/** With no attempt open a reading replaces the last one this seldom. */
const AT_MOST_ONCE_IN = sql.lit('1 second');

/** A reading a second for a quarter of an hour. An older one is rarely linked to a newer one. */
const MOST_READINGS = 1_000;

/** The clocks of workers agree this well, and far better. */
const CLOCKS_AGREE_MS = 5_000;

/** Deletes what is superseded by the new row, which its snapshot does not show. Rows that another one deletes are left. */
export async function recordReading(db: Db, instance: string, listing: QueueListing): Promise<void> {
  const [begun, ended] = [new Date(listing.begunAtMs), new Date(listing.endedAtMs)];
  const { length } = listing.items;
  await sql`/* record_reading */
    with open as materialized (
      select min(a.seq) as claim from messages m join attempts a on a.token = m.attempt_token
      where m.instance = ${instance}::text and m.state in ${stateList('in_flight')}
    ), written as (
      insert into queue_readings (instance, begun_at, ended_at, length, items)
      select ${instance}::text, ${begun}::timestamptz, ${ended}::timestamptz, ${length}::integer,
        ${jsonText(listing.items)}::json
      from open where claim is not null or not exists (
        select from queue_readings r where r.instance = ${instance}::text
          and r.ended_at > ${ended}::timestamptz - interval ${AT_MOST_ONCE_IN} and r.ended_at <= ${ended}::timestamptz)
      returning seq
    ), longest as materialized (
      select r.seq, r.length from queue_readings r
      where r.instance = ${instance}::text and r.ended_at > ${ended}::timestamptz - interval ${LENGTH_COUNTS}
      order by r.length desc, r.seq desc limit 1
    ), superseded as (
      select r.seq from queue_readings r cross join open
      where exists (select from written) and r.instance = ${instance}::text
        and not exists (select from longest where longest.seq = r.seq and longest.length > ${length}::integer)
        and (open.claim is null or r.seq < (
          select max(b.seq) from queue_readings b where b.instance = ${instance}::text and b.seq < open.claim))
      for update of r skip locked
    )
    delete from queue_readings where seq in (select seq from superseded)`.execute(db);
}

export async function readingsOf(db: Db, instance: string, nowMs: number) {
  const rows = await db
    .selectFrom('queue_readings')
    .select(['seq', 'begun_at', 'ended_at', 'items', 'length'])
    .where('instance', '=', instance)
    .orderBy('seq', 'desc')
    .limit(MOST_READINGS)
    .execute();
  const { rows: longest } = await sql<{ length: number | null }>`
    select max(length) as length from queue_readings where instance = ${instance}
      and ended_at > ${new Date(nowMs)}::timestamptz - interval ${LENGTH_COUNTS}`.execute(db);
  const readings = rows.toReversed().map(({ seq, begun_at, ended_at, items }): RecordedReading => ({
    sequence: Number(seq),
    begunAtMs: begun_at.getTime(),
    endedAtMs: ended_at.getTime(),
    items,
  }));
  return { readings, longestListing: longest[0]?.length ?? 0 };
}

export async function accountedIds(
  db: Db,
  instance: string,
  idMessages: readonly string[],
): Promise<Map<string, AccountedId>> {
  return asAccounted(await idRows(db, instance).where('i.id_message', 'in', idMessages).execute());
}

export async function acceptedSince(
  db: Db,
  instance: string,
  listed: ReadonlyMap<string, AccountedId>,
): Promise<Map<string, AccountedId>> {
  const oldest = [...listed.values()]
    .filter(({ accepted }) => accepted !== undefined)
    .toSorted((one, other) => (one.acceptedSequence ?? 0) - (other.acceptedSequence ?? 0))[0];
  if (oldest?.accepted === undefined) return new Map();
  const rows = await idRows(db, instance)
    .where('i.role', '=', 'message')
    .where('i.stored_at', '>=', new Date(oldest.accepted.storedAtMs - CLOCKS_AGREE_MS))
    .where('a.seq', '>', String(oldest.acceptedSequence))
    .execute();
  return asAccounted(rows);
}

function idRows(db: Db, instance: string) {
  return db
    .selectFrom('message_ids as i')
    .innerJoin('messages as m', 'm.id', 'i.message_id')
    .leftJoin('attempts as a', (join) =>
      join.onRef('a.message_id', '=', 'i.message_id').onRef('a.id_message', '=', 'i.id_message'),
    )
    .select(['i.id_message', 'a.outcome_seq', 'a.outcome_at', 'a.seq', 'a.claimed_at', 'a.http_status', 'm.kind'])
    .where('i.instance', '=', instance);
}

type IdRow = Awaited<ReturnType<ReturnType<typeof idRows>['execute']>>[number];

function asAccounted(rows: readonly IdRow[]): Map<string, AccountedId> {
  return new Map(rows.map((row) => [row.id_message, accountedId(row)]));
}

/** An outcome with a status is a response; an adopted id has none. */
function accountedId({ outcome_seq, outcome_at, seq, claimed_at, http_status, kind }: IdRow): AccountedId {
  if (outcome_seq === null || outcome_at === null || seq === null || claimed_at === null) return {};
  const acceptedSequence = Number(outcome_seq);
  if (http_status === null) return { acceptedSequence };
  const [claimedAtMs, storedAtMs] = [claimed_at.getTime(), outcome_at.getTime()];
  return { acceptedSequence, accepted: { claimSequence: Number(seq), claimedAtMs, storedAtMs, kind } };
}
