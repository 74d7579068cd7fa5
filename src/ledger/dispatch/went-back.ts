/**
 * A ledger that went back: an older copy was restored, or a failover lost the last commits. What it does not know any more
 * may have been sent. Each such time is a row of `restores`.
 *
 * RETURN-1 It is found by the command that restores it; by another database than the one in which the ledger was last
 *    (`database_origin`); or by a number of its sequence that Temporal (`mark`) or a live shift (`last`) knows, and the
 *    ledger does not.
 * RETURN-2 An instance claims only under the newest restore. Its next shift first makes unresolved what may have been sent:
 *    what is in flight, and what is pending, was due, and was requested before the restore was found.
 * RETURN-3 A live shift whose last claim is in the ledger has lost nothing, since commits are lost from the end. It
 *    continues.
 * RETURN-4 The sequence continues above what Temporal knows: a loss is found once, and a later one is found, too.
 * RETURN-5 What may have been sent has an attempt with a place that the older ledger had given. So a proof of absence, and
 *    the adoption of an id, rely on nothing that came later.
 * RETURN-6 Of a campaign, as many of the next recipients may have been sent as its accounts could post in the lost time:
 *    two a second, and what fits into a queue and a window. They become unresolved when they are read.
 */
import { type RawBuilder, sql } from 'kysely';
import { type CampaignId, LEDGER_WENT_BACK, type MessageId, present } from '../../contract/index.js';
import { identicalHash } from '../messages/writer/identical.js';
import { moveMessages } from '../messages/writer/move-messages.js';
import { isoTime } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import type { Shift, WentBack } from './dispatch-ledger.js';

type Finder = WentBack['foundBy'];

/** The number of the newest restore; 0 without one. */
export const NEWEST = sql`(select coalesce(max(number), 0) from restores)`;

const DATABASE_CLOCK = sql`clock_timestamp()`;
const ALL = sql.lit(2 ** 31 - 1);
/** Of workers and the database. */
const CLOCKS_DIFFER = sql`interval '10 seconds'`;

/** RETURN-1, RETURN-6: a restore, and its campaigns. @param found  rows: one if the ledger went back */
function recording(finder: Finder, now: RawBuilder<unknown>, found = sql`(select) found`) {
  return sql`restored as (
      insert into restores (number, found_by, known_until, known_place)
      select ${NEWEST} + 1, ${sql.lit(finder)}, known.until, known.place
      from ${found} cross join (
        select max(seen_at) as until, coalesce(min(greatest(epoch, mark)), 0) as place from dispatchers) known
      returning number
    )
    update campaigns c set doubtful = case when c.by_timezone then ${ALL} else least(${ALL}, could.post)::integer end
    from restored cross join (
      select a.campaign_id, sum(k.high_water + 128 + 2 * extract(epoch from
        ${now} - coalesce(d.seen_at, k.created_at) + ${CLOCKS_DIFFER})) as post
      from campaign_accounts a join campaigns k on k.id = a.campaign_id and k.ended_at is null and k.plan_until is null
      left join dispatchers d on d.instance = a.instance group by 1) could
    where c.id = could.campaign_id`;
}

/** @param now  the database's clock by default */
export async function recordRestore(db: Db, finder: Finder, now: RawBuilder<unknown> = DATABASE_CLOCK): Promise<void> {
  await sql`with ${recording(finder, now)}`.execute(db);
}

/** RETURN-1: whether the ledger is in another database than before. Costs no write if it is not. */
export async function checkOrigin(db: Db): Promise<void> {
  await sql`/* database_origin */
    with former as (
      select origin from ledger_identity
    ), current as materialized (
      select database_origin() as origin
    ), moved as (
      update ledger_identity i set origin = c.origin from current c where i.origin is distinct from c.origin returning 1
    ), ${recording('database', DATABASE_CLOCK, sql`(select from moved, former where former.origin is not null) found`)}`.execute(
    db,
  );
}

/**
 * RETURN-1, RETURN-4: whether Temporal knows a later place of the instance than the ledger.
 * @returns the newest restore, and whether the instance has settled it
 */
export async function findRestore(tx: Tx, { instance, mark = '' }: Shift, nowMs: number) {
  const [place = '', last = ''] = mark.split('/');
  const known = { place: place === '' ? '0' : place, last };
  const found = await readRestore(tx, instance, known);
  if (!found.is_behind) return { restore: found.newest, isSettled: found.restore === found.newest };
  // One at a time, so that the sequence never goes back.
  await sql`select pg_advisory_xact_lock(hashtextextended('restores', 0))`.execute(tx);
  const lost = sql`${known.place}::bigint`;
  await sql`select setval('ledger_seq', ${lost} + ${FURTHER}) where nextval('ledger_seq') <= ${lost}`.execute(tx);
  const { restore, newest } = await readRestore(tx, instance, known);
  if (restore < newest) return { restore: newest, isSettled: false };
  await recordRestore(tx, 'dispatcher', sql`${new Date(nowMs)}::timestamptz`);
  return { restore: newest + 1, isSettled: false };
}

/** More than others can take from the sequence before it is set. */
const FURTHER = sql.lit(1_000_000);

/** The last attempt counts only while no later shift has begun: it is deleted with its message. */
async function readRestore(tx: Tx, instance: string, { place, last }: { place: string; last: string }) {
  const { rows } = await sql<{ is_behind: boolean; restore: number; newest: number }>`
    select coalesce(max(greatest(d.epoch, d.mark)), 0) < ${place}::bigint
        or coalesce(max(d.epoch), 0) <= ${place}::bigint and ${last}::text <> ''
          and (select true from attempts where token = ${last}::text) is null as is_behind,
      coalesce(max(d.restore), 0) as restore, ${NEWEST} as newest
    from dispatchers d where d.instance = ${instance}`.execute(tx);
  return rows[0]!;
}

interface DoubtTimes {
  readonly nowMs: number;
  /** From then on no request of the lost time can still arrive. */
  readonly settledMs: number;
}

/** How many messages become unresolved in one transaction. */
const DOUBTED_AT_ONCE = 500;

/**
 * RETURN-2: makes unresolved what may have been sent.
 * @returns true once the instance has settled the restore; false: call it again
 */
export async function doubtLost(tx: Tx, { instance }: Shift, restore: number, times: DoubtTimes): Promise<boolean> {
  const { rows } = await sql<{ id: MessageId }>`
    select d.message_id as id from streams s join due_messages d on d.stream_id = s.id join messages m on m.id = d.message_id
    where s.instance = ${instance} and m.due_at <= ${new Date(times.nowMs)}::timestamptz
      and d.place < (select place from restores where number = ${restore}::integer)
    union all
    select m.id from messages m where m.instance = ${instance} and m.state in ('sending', 'unknown')
    limit ${DOUBTED_AT_ONCE}`.execute(tx);
  await doubt(tx, rows, restore, times);
  if (rows.length === DOUBTED_AT_ONCE) return false;
  await sql`update dispatchers set restore = ${restore}::integer where instance = ${instance}`.execute(tx);
  await sql`
    select record_event(${instance}::text, 'ledger.went_back', 'ledger', ${new Date(times.nowMs)}::timestamptz,
      json_build_object('foundAt', ${isoTime('r.found_at')}, 'knownUntil', ${isoTime('r.known_until')},
        'unresolved', ${unresolvedOf(instance)}))
    from restores r where r.number = ${restore}::integer`.execute(tx);
  return true;
}

/** RETURN-6: of the recipients that were just read, those that may have been sent. The campaign's row is locked. */
export async function doubtRead(
  tx: Tx,
  campaign: CampaignId,
  read: readonly MessageId[],
  times: DoubtTimes,
): Promise<void> {
  const { rows } = await sql<{ id: MessageId; newest: number }>`
    select m.id, ${NEWEST} as newest from messages m
    where m.id = any(${read}::text[]) and m.state = 'pending'
    order by m.place limit (select doubtful from campaigns where id = ${campaign})`.execute(tx);
  const [first] = rows;
  if (first === undefined) return;
  await doubt(tx, rows, first.newest, times);
  await sql`update campaigns set doubtful = doubtful - ${rows.length}::integer where id = ${campaign}`.execute(tx);
}

/** RETURN-5. A pending message gets an attempt; one of several identical ones blocks them. */
async function doubt(
  tx: Tx,
  messages: readonly { readonly id: MessageId }[],
  restore: number,
  { nowMs, settledMs }: DoubtTimes,
): Promise<void> {
  if (messages.length === 0) return;
  const ids = sql`any(${messages.map(({ id }) => id)}::text[])`;
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const settled = sql`${new Date(settledMs)}::timestamptz`;
  await sql`
    with lost as materialized (
      select m.*, ${identicalHash('m')} as hash from messages m
      where m.id = ${ids} and m.state = 'pending' order by m.id for no key update of m
    )
    insert into attempts (token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after,
      instance, epoch, identical_hash, text_length, hidden, outcome, outcome_seq, outcome_at, code)
    select gen_random_uuid()::text, m.id, 'lost', m.content, m.body_hash,
      greatest(m.created_at, case when d.restore < r.number then d.seen_at - ${CLOCKS_DIFFER} end), ${now}, ${settled},
      m.instance, case when d.restore < r.number then greatest(d.epoch, d.mark) else r.known_place end,
      case when row_number() over (partition by m.instance, m.hash order by m.place) = 1 and not exists (
        select from attempts a where a.instance = m.instance and a.identical_hash = m.hash
          and (a.outcome is null or a.outcome = 'unknown')) then m.hash end,
      m.text_length, m.hidden, 'unknown', nextval('ledger_seq'), ${now}, ${LEDGER_WENT_BACK}
    from lost m join restores r on r.number = ${restore}::integer
    left join dispatchers d on d.instance = m.instance`.execute(tx);
  await sql`
    update attempts a set outcome = 'unknown', outcome_seq = coalesce(a.outcome_seq, nextval('ledger_seq')),
      outcome_at = coalesce(a.outcome_at, ${now}), code = ${LEDGER_WENT_BACK},
      reconcile_after = greatest(a.reconcile_after, ${settled})
    from messages m
    where m.id = ${ids} and a.token = m.attempt_token and coalesce(a.outcome, 'unknown') = 'unknown'`.execute(tx);
  const newest = sql`cross join lateral (
    select a.token from attempts a where a.message_id = m.id order by a.seq desc limit 1) newest`;
  const which = { where: sql`m.id = ${ids}`, join: newest, columns: sql`newest.token as newest_token` };
  const detail = sql`json_build_object('attempt', c.newest_token, 'why', ${LEDGER_WENT_BACK}::text)`;
  const told = { attempt_token: sql`c.newest_token`, reason: LEDGER_WENT_BACK, witness: 'ledger', detail, nowMs };
  await moveMessages(tx, 'wentBack', which, told);
}

const MOST_COUNTED = 10_000;

/** How many messages of an instance are unresolved because the ledger went back. */
function unresolvedOf(instance: string) {
  return sql<number>`(select count(*)::integer from (
    select from messages where state = 'unresolved' and reason = ${LEDGER_WENT_BACK} and instance = ${instance}
    limit ${MOST_COUNTED}) counted)`;
}

/** The newest restore, while messages of the instance are unresolved because of one. */
export async function wentBack(db: Db, instance: string): Promise<WentBack | undefined> {
  const { rows } = await sql<{ found_at: Date; found_by: Finder; known_until: Date | null }>`
    select found_at, found_by, known_until from restores order by number desc limit 1`.execute(db);
  const [newest] = rows;
  if (newest === undefined) return undefined;
  const counted = await sql<{ unresolved: number }>`select ${unresolvedOf(instance)} as unresolved`.execute(db);
  const unresolved = counted.rows[0]?.unresolved ?? 0;
  const { found_at, found_by, known_until } = newest;
  const found = { foundAt: found_at.toISOString(), foundBy: found_by };
  return unresolved === 0
    ? undefined
    : { ...found, ...present({ knownUntil: known_until?.toISOString() }), unresolved };
}
