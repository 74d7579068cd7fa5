/**
 * Stores readings of a gateway's queue while an attempt of the instance is in flight (sending or unknown), and what is
 * known about the ids in them. The rules that use them are in src/domain/reconcile.
 */
import { sql } from 'kysely';
import type { AccountedId, RecordedReading } from '../../domain/index.js';
import { verdictOn, queuesToRead } from '../instances/standstill.js';
import { stateList } from '../storage/state-lists.js';
import type { AttemptToReconcile } from './reconciling.js';
import { jsonText } from '../storage/statements.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { type Db, LedgerPart, type Store } from '../storage/store.js';

/** One listing of a queue, before it is stored. */
export type QueueListing = Omit<RecordedReading, 'sequence'>;

interface InstanceListing extends QueueListing {
  readonly instance: string;
}

/** How long the longest listing is valid: a gateway may lower its limit. */
const LENGTH_COUNTS = sql.lit('1 day');

/** After every number of the sequence. */
const LAST = sql.lit('9223372036854775807');

/** Without an attempt in flight, a reading replaces the last one only after this time. */
const AT_MOST_ONCE_IN = sql.lit('1 second');

/**
 * A reading a second for a quarter of an hour, and three readings of a queue with ten thousand items. An older one is
 * rarely linked to a newer one.
 */
const MOST_READINGS = 1_000;
const MOST_ITEMS = 30_000;

/** The assumed bound for differences between workers' clocks; real ones are much smaller. */
const CLOCKS_AGREE_MS = 5_000;
/**
 * A worker of many instances reads hundreds of queues a second, so readings are written in groups. A later record never
 * proves more, since a reading is ordered by when it was recorded.
 */
const READINGS_TOGETHER_MS = 100;

export class QueueReadings extends LedgerPart {
  readonly #record: (listing: InstanceListing) => Promise<void>;

  /** @param gatherMs  how long a reading waits for others, which are written with it */
  constructor(store: Store, gatherMs = READINGS_TOGETHER_MS) {
    super(store);
    this.#record = groupedWrites(async (listings: readonly InstanceListing[]) => {
      await store.run((db) => recordReadings(db, listings));
      return listings.map(() => undefined);
    }, gatherMs);
  }

  /**
   * Stores a listing of the instance's queue, and deletes listings that no attempt in flight needs. Without an attempt
   * in flight it stores only the last listing and the longest within a day, at most once a second. Listings that arrive
   * close together share a commit.
   */
  async record(instance: string, listing: QueueListing): Promise<void> {
    await this.#record({ instance, ...listing });
  }

  /** STANDSTILL-4. @returns those of the instances whose queues have to be read now */
  readonly toRead = this.statement(queuesToRead);

  /**
   * The newest stored listings in the order of recording, up to {@link MOST_ITEMS} items in all, and the length of the
   * longest within a day.
   */
  async recent(instance: string, nowMs: number) {
    const rows = await this.database.rows(sql<ReadingRow & { longest: number | null }>`/* recent_readings */
      select r.seq, r.begun_at, r.ended_at, r.items, (
        select max(length) from queue_readings where instance = ${instance}
          and ended_at > ${new Date(nowMs)}::timestamptz - interval ${LENGTH_COUNTS}) as longest
      from (
        select seq, length, sum(length) over (order by seq desc) as items from queue_readings
        where instance = ${instance} order by seq desc limit ${MOST_READINGS}) newest
      join queue_readings r on r.instance = ${instance} and r.seq = newest.seq
      where newest.items - newest.length < ${MOST_ITEMS}
      order by newest.seq`);
    return { readings: rows.map(recordedReading), longestListing: rows[0]?.longest ?? 0 };
  }

  /** The last listing that was recorded before the claim. */
  async lastBefore({ instance, claimSequence }: AttemptToReconcile): Promise<RecordedReading | undefined> {
    const row = await this.database.row(sql<ReadingRow>`/* last_reading_before */
      select seq, begun_at, ended_at, items from queue_readings
      where instance = ${instance} and seq < ${claimSequence}::bigint order by seq desc limit 1`);
    return row && recordedReading(row);
  }

  /** Which of these ids have an owner, and what is known about their acceptance. */
  async accounted(instance: string, idMessages: readonly string[]): Promise<Map<string, AccountedId>> {
    if (idMessages.length === 0) return new Map();
    // One parameter: there may be more ids than a statement takes parameters.
    const isOne = sql<boolean>`i.id_message = any(${idMessages}::text[])`;
    return this.database.run(async (db) => asAccounted(await idRows(db, instance).where(isOne).execute()));
  }

  /** Ids of messages that were claimed after the oldest of these was accepted; they are behind it in the queue. */
  async acceptedSince(instance: string, listed: ReadonlyMap<string, AccountedId>): Promise<Map<string, AccountedId>> {
    const oldest = [...listed.values()]
      .filter(({ byResponse }) => byResponse !== undefined)
      .toSorted((one, other) => (one.acceptedSequence ?? 0) - (other.acceptedSequence ?? 0))[0];
    if (oldest?.byResponse === undefined) return new Map();
    const since = new Date(oldest.byResponse.storedAtMs - CLOCKS_AGREE_MS);
    return this.database.run(async (db) => {
      const own = idRows(db, instance).where('i.role', '=', sql.lit('message')).where('i.stored_at', '>=', since);
      return asAccounted(await own.where('a.seq', '>', String(oldest.acceptedSequence)).execute());
    });
  }
}

/**
 * Stores readings, in their order. Deletes readings that the new rows supersede; the statement's snapshot does not show
 * the new rows. Rows that another transaction deletes are skipped. A reading is superseded before `needed`: without an
 * attempt in flight by each later one, else by the last one before the oldest claim.
 */
async function recordReadings(db: Db, listings: readonly InstanceListing[]): Promise<void> {
  const rows = listings.map(({ instance, begunAtMs, endedAtMs, items }) => {
    return { instance, begun_at: new Date(begunAtMs), ended_at: new Date(endedAtMs), length: items.length, items };
  });
  await sql`/* record_readings */
    with listing as materialized (
      select l.*, (
        select min(a.seq) from messages m join attempts a on a.token = m.attempt_token
        where m.instance = l.instance and m.state in ${stateList('in_flight')}) as claim
      from rows from (json_to_recordset(${jsonText(rows)}::json) as (
        instance text, begun_at timestamptz, ended_at timestamptz, length integer, items json)) with ordinality as l
    ), classified as materialized (
      select l.*, verdict.* from listing l cross join lateral (${verdictOn('l')}) verdict
    ), written as (
      insert into queue_readings (instance, begun_at, ended_at, length, items, unchanged_since, stands_still)
      select l.instance, l.begun_at, l.ended_at, l.length, l.items, l.unchanged_since, l.stands_still
      from classified l where l.claim is not null or not exists (
        select from queue_readings r where r.instance = l.instance
          and r.ended_at > l.ended_at - interval ${AT_MOST_ONCE_IN} and r.ended_at <= l.ended_at)
      order by l.ordinality
      returning instance
    ), latest as (
      select instance, min(claim) as claim, max(length) as length, max(ended_at) as ended_at from listing
      where instance in (select instance from written) group by instance
    ), bound as materialized (
      select l.instance, longest.seq as longest, case when l.claim is null then ${LAST}::bigint else (
        select max(b.seq) from queue_readings b where b.instance = l.instance and b.seq < l.claim) end as needed
      from latest l left join lateral (
        select o.seq, o.length from queue_readings o
        where o.instance = l.instance and o.ended_at > l.ended_at - interval ${LENGTH_COUNTS}
        order by o.length desc, o.seq desc limit 1) longest on longest.length > l.length
    ), superseded as (
      select r.* from bound b cross join lateral (
        select instance, seq from queue_readings r
        where r.instance = b.instance and r.seq < b.needed and r.seq is distinct from b.longest
        for update skip locked) r
    ), removed as (
      delete from queue_readings r using superseded s where r.instance = s.instance and r.seq = s.seq
    )
    select record_event(instance, 'instance.queue_standstill', 'instance', clock_timestamp(), json_build_object(
      'state', case when stands_still then 'began' else 'ended' end, 'since', unchanged_since, 'items', length))
    from classified where stands_still <> stood_still and instance in (select instance from written)`.execute(db);
}

interface ReadingRow {
  readonly seq: string;
  readonly begun_at: Date;
  readonly ended_at: Date;
  readonly items: RecordedReading['items'];
}

function recordedReading({ seq, begun_at, ended_at, items }: ReadingRow): RecordedReading {
  return { sequence: Number(seq), begunAtMs: begun_at.getTime(), endedAtMs: ended_at.getTime(), items };
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

/** An outcome with a status is a response; an adopted id has none. */
function asAccounted(rows: Awaited<ReturnType<ReturnType<typeof idRows>['execute']>>): Map<string, AccountedId> {
  return new Map(
    rows.map(({ id_message, outcome_seq, outcome_at, seq, claimed_at, http_status, kind }) => {
      if (outcome_seq === null || outcome_at === null || seq === null || claimed_at === null) return [id_message, {}];
      const acceptedSequence = Number(outcome_seq);
      if (http_status === null) return [id_message, { acceptedSequence }];
      const [claimedAtMs, storedAtMs] = [claimed_at.getTime(), outcome_at.getTime()];
      const byResponse = { claimSequence: Number(seq), claimedAtMs, storedAtMs, kind };
      return [id_message, { acceptedSequence, byResponse }];
    }),
  );
}
