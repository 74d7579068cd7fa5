import { sql, type RawBuilder } from 'kysely';
import type { PauseReason, MessageId, Priority } from '../../contract/index.js';
import { present } from '../present.js';
import type { Db, Store, Tx } from '../store.js';
import { activeEntriesFor } from '../suppressions/active-entries.js';
import type { AdmissionFacts, AdmissionWait, QueueLedger, QueueReadingTaken } from './feeding-ledger.js';
import { PRIORITY_RANK } from './feeding-turn.js';
import {
  ASSUMED_INTERVAL_MS,
  learnPace,
  UNLISTED_FOR,
  UNLISTED_KINDS,
  type Pace,
  type QueueEstimate,
} from './queue-estimate.js';
import { jsonText } from '../storable.js';

/** More than this many since a reading need not be told apart: the reading is too old by then. */
const MOST_COUNTED = 10_000;
/** A caller that waits and has not come again by so long after the time named is no longer waited for. */
const COMES_AGAIN_WITHIN_MS = 30_000;

const KINDS = sql.join(UNLISTED_KINDS.map((kind) => sql.lit(kind)));

export class Queues implements QueueLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  view(instance: string, nowMs: number): Promise<QueueEstimate> {
    return this.#store.run((db) => queueOf(db, instance, nowMs));
  }

  async recordReading({ instance, depth, begunAtMs, readAtMs }: QueueReadingTaken): Promise<void> {
    await this.#store.transaction(async (tx) => {
      const row = await lockQueue(tx, instance);
      if (row.begun_at !== null && row.begun_at.getTime() >= begunAtMs) return;
      const base =
        row.base_depth === null || row.base_at === null
          ? undefined
          : { depth: row.base_depth, atMs: row.base_at.getTime() };
      const before: Pace = present({
        base,
        intervalMs: row.release_interval_ms,
        largestMs: row.largest_interval_ms,
      });
      const added = base === undefined ? 0 : await acceptedBetween(tx, instance, base.atMs, begunAtMs);
      const pace = learnPace(before, { depth, atMs: begunAtMs }, added);
      await tx
        .updateTable('queue_depths')
        .set({
          depth,
          begun_at: new Date(begunAtMs),
          read_at: new Date(readAtMs),
          unreadable_since: null,
          release_interval_ms: pace.intervalMs ?? null,
          largest_interval_ms: pace.largestMs ?? null,
          base_depth: pace.base?.depth ?? null,
          base_at: pace.base === undefined ? null : new Date(pace.base.atMs),
        })
        .where('instance', '=', instance)
        .execute();
    });
  }

  async recordUnreadable(instance: string, nowMs: number): Promise<void> {
    await this.#store.run((db) =>
      db
        .insertInto('queue_depths')
        .values({ instance, unreadable_since: new Date(nowMs) })
        .onConflict((conflict) =>
          conflict
            .column('instance')
            .doUpdateSet({ unreadable_since: new Date(nowMs) })
            .where('queue_depths.unreadable_since', 'is', null),
        )
        .execute(),
    );
  }

  async startInterval(instance: string, intervalMs: number): Promise<void> {
    const known = { release_interval_ms: intervalMs, largest_interval_ms: intervalMs };
    await this.#store.run((db) =>
      db
        .insertInto('queue_depths')
        .values({ instance, ...known })
        .onConflict((conflict) =>
          conflict.column('instance').doUpdateSet(known).where('queue_depths.release_interval_ms', 'is', null),
        )
        .execute(),
    );
  }

  admission(id: MessageId, nowMs: number): Promise<AdmissionFacts | undefined> {
    return this.#store.run((db) => admissionFacts(db, id, nowMs));
  }

  async wait(id: MessageId, { what, text, retryAfterMs }: AdmissionWait, nowMs: number): Promise<void> {
    const next_try_at = new Date(nowMs + retryAfterMs);
    await this.#store.run(async (db) => {
      const row = await db
        .selectFrom('messages')
        .select(['instance', 'priority'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return;
      const { instance, priority } = row;
      await db
        .insertInto('waiting_messages')
        .values({ message_id: id, instance, rank: rankOf(priority), what, text, since: new Date(nowMs), next_try_at })
        .onConflict((conflict) =>
          conflict.column('message_id').doUpdateSet(({ ref }) => ({
            text,
            what,
            next_try_at,
            since: sql<Date>`case when ${ref('waiting_messages.what')} = ${what} then ${ref('waiting_messages.since')}
              else ${new Date(nowMs)}::timestamptz end`,
          })),
        )
        .execute();
    });
  }

  async admit(id: MessageId): Promise<void> {
    await this.#store.run((db) => db.deleteFrom('waiting_messages').where('message_id', '=', id).execute());
  }
}

async function lockQueue(tx: Tx, instance: string) {
  await tx
    .insertInto('queue_depths')
    .values({ instance })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('queue_depths')
    .selectAll()
    .where('instance', '=', instance)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

interface QueueColumns {
  readonly depth: number | null;
  readonly begun_at: Date | null;
  readonly read_at: Date | null;
  readonly unreadable_since: Date | null;
  readonly release_interval_ms: number | null;
  readonly largest_interval_ms: number | null;
}

async function queueOf(db: Db, instance: string, nowMs: number): Promise<QueueEstimate> {
  const row: QueueColumns | undefined = await db
    .selectFrom('queue_depths')
    .select(['depth', 'begun_at', 'read_at', 'unreadable_since', 'release_interval_ms', 'largest_interval_ms'])
    .where('instance', '=', instance)
    .executeTakeFirst();
  const since = row?.begun_at ?? row?.unreadable_since ?? undefined;
  const acceptedSince = since === undefined ? 0 : await acceptedBetween(db, instance, since.getTime(), nowMs);
  const { rows } = await sql<{ unlisted: number }>`
    select ${unlistedOf(sql`${instance}`, sql`${row?.release_interval_ms ?? ASSUMED_INTERVAL_MS}::integer`, nowMs)} as unlisted`.execute(
    db,
  );
  return estimateOf(row, { accepted: acceptedSince, unlisted: rows[0]?.unlisted ?? 0 });
}

/** How many of ours wait in the queue unseen: see {@link QueueEstimate.unlisted}. */
function unlistedOf(instance: RawBuilder<unknown>, intervalMs: RawBuilder<unknown>, nowMs: number) {
  const { releases, atLeastMs } = UNLISTED_FOR;
  return sql<number>`(select count(*)::integer from messages u
    where u.instance = ${instance} and u.state = 'accepted' and u.kind in (${KINDS})
      and u.accepted_at > ${new Date(nowMs)}::timestamptz
        - greatest(${intervalMs} * ${sql.lit(releases)}, ${sql.lit(atLeastMs)}) * interval '1 millisecond')`;
}

function estimateOf(
  row: QueueColumns | undefined,
  { accepted, unlisted }: { readonly accepted: number; readonly unlisted: number },
): QueueEstimate {
  return {
    acceptedSince: accepted,
    unlisted,
    ...present({
      depth: row?.depth,
      begunAtMs: row?.begun_at?.getTime(),
      readAtMs: row?.read_at?.getTime(),
      unreadableSinceMs: row?.unreadable_since?.getTime(),
      releaseIntervalMs: row?.release_interval_ms,
      largestIntervalMs: row?.largest_interval_ms,
    }),
  };
}

/** Ours of kinds that a reading shows, from the one time on until the other, up to {@link MOST_COUNTED}. */
async function acceptedBetween(db: Db, instance: string, fromMs: number, untilMs: number): Promise<number> {
  const { rows } = await sql<{ accepted: number }>`
    select count(*)::integer as accepted from (
      select from message_ids i join messages m on m.id = i.message_id
      where i.instance = ${instance} and i.role = 'message' and ${isListed('m')}
        and i.stored_at >= ${new Date(fromMs)} and i.stored_at <= ${new Date(untilMs)}
      limit ${MOST_COUNTED}) counted`.execute(db);
  return rows[0]?.accepted ?? 0;
}

function isListed(message: string) {
  return sql<boolean>`${sql.table(message)}.kind not in (${KINDS})`;
}

interface AdmissionRow extends QueueColumns {
  readonly instance: string;
  readonly priority: string;
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly is_waiting: boolean;
  readonly before: number;
  readonly accepted: number;
  readonly unlisted: number;
  readonly state: string | null;
  readonly seen_until: Date | null;
  readonly pauses: readonly PauseReason[];
}

/** All that an admission depends on in one statement, since nearly every message passes at once. */
async function admissionFacts(db: Db, id: MessageId, nowMs: number): Promise<AdmissionFacts | undefined> {
  const alive = new Date(nowMs - COMES_AGAIN_WITHIN_MS);
  const { rows } = await sql<AdmissionRow>`/* message_admission */
    select m.instance, m.priority, m.expires_at, w.message_id is not null as is_waiting,
      (select count(*)::integer from waiting_messages o join messages om on om.id = o.message_id
        where o.instance = m.instance and o.what = 'queue' and o.message_id <> m.id and o.next_try_at > ${alive}::timestamptz
          and om.state = 'pending'
          and (o.rank > p.rank or (o.rank = p.rank and (om.created_at, om.id) < (m.created_at, m.id)))) as before,
      q.depth, q.begun_at, q.read_at, q.unreadable_since, q.release_interval_ms, q.largest_interval_ms,
      (select count(*)::integer from (select from message_ids i join messages im on im.id = i.message_id
        where i.instance = m.instance and i.role = 'message' and i.stored_at >= coalesce(q.begun_at, q.unreadable_since)
          and ${isListed('im')}
        limit ${MOST_COUNTED}::integer) counted) as accepted,
      array(select b.reason from instance_pauses b where b.instance = m.instance and b.resumed_at is null order by b.since)
        as pauses,
      ${unlistedOf(sql`m.instance`, sql`coalesce(q.release_interval_ms, ${sql.lit(ASSUMED_INTERVAL_MS)})`, nowMs)} as unlisted,
      s.state, s.seen_until, least(r.requested_at, m.created_at) as requested_at
    from messages m
    cross join lateral (select (${jsonText(PRIORITY_RANK)}::json ->> m.priority)::integer as rank) p
    left join requests r on r.message_id = m.id
    left join waiting_messages w on w.message_id = m.id
    left join queue_depths q on q.instance = m.instance
    left join lateral (select state, seen_until from instance_states
      where instance = m.instance order by since desc, seq desc limit 1) s on true
    where m.id = ${id} and m.state = 'pending' and m.campaign_id is null
      and not exists (select from ${activeEntriesFor('m')})`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    instance: row.instance,
    priority: row.priority as Priority,
    requestedAtMs: row.requested_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    isWaiting: row.is_waiting,
    before: row.before,
    pauses: row.pauses,
    queue: estimateOf(row, row),
    ...(row.state === null || row.seen_until === null
      ? {}
      : { instanceState: { state: row.state, seenAtMs: row.seen_until.getTime() } }),
  };
}

function rankOf(priority: string): number {
  return PRIORITY_RANK[priority as Priority] ?? PRIORITY_RANK.normal;
}
