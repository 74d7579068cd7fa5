/**
 * Whether a gateway's queue stands still: it has items, the account is authorized, and nothing is released. Each stored
 * reading of the queue carries the verdict, so that all workers and readers agree.
 *
 * STANDSTILL-1 Nothing was released between two readings if the later one lists every item of the earlier one, with the
 *    same item first. What other senders add behind it changes nothing. An item without an id proves nothing.
 * STANDSTILL-2 The time is the database's. It starts again from a reading before which the account was seen in another
 *    state, after a longer gap in its observations, or restarted, and from every reading while the account is paused,
 *    away or offline: these have findings of their own.
 * STANDSTILL-3 A queue stands still after {@link PATIENCE} and thirty release intervals, ten minutes each if the
 *    interval is not known: so many items that no reading lists (statuses, templates, typing) may be ahead, more than the
 *    water marks allow, and each may take twenty seconds. The patience exceeds the longest interval that the settings
 *    allow, since an operator may just have set it, and a restart of five minutes.
 * STANDSTILL-4 A queue with items is read every two minutes, also if nothing is due: see `watchQueues`. A reading older
 *    than {@link VALID_FOR} says nothing.
 */
import { sql } from 'kysely';
import { QUEUE_CHANGING_OPERATIONS } from '../../contract/index.js';
import { SENDING_STATES } from '../../domain/index.js';
import { literalList } from '../storage/state-lists.js';
import type { Db } from '../storage/store.js';
import { isNotPaused } from './pauses.js';

const PATIENCE = sql.lit('15 minutes');
const INTERVALS = sql.lit(30);
const LONGEST_INTERVAL_MS = sql.lit(600_000);
/** The gateway applies a restart within this time. */
const RESTART = sql.lit('5 minutes');
const VALID_FOR = sql.lit('10 minutes');
const READ_EVERY = sql.lit('2 minutes');

/** STANDSTILL-2: the account is authorized, not paused and not offline. @param row  an alias with a column `instance` */
function mayRelease(row: string) {
  const instance = sql`${sql.table(row)}.instance`;
  return sql<boolean>`(${isNotPaused(row)} and not exists (
      select from instance_connections c where c.instance = ${instance} and c.status <> 'online')
    and exists (
      select from (
        select s.state from instance_states s where s.instance = ${instance}
        order by s.since desc, s.seq desc limit 1) seen
      where seen.state in ${literalList(SENDING_STATES)}))`;
}

/**
 * In SQL: the verdict on a new reading, one row with `unchanged_since`, `stands_still`, and `stood_still` of the reading
 * before it. @param row  an alias with the columns `instance`, `length` and `items` of the reading
 */
export function verdictOn(row: string) {
  const reading = sql.table(row);
  // STANDSTILL-2: nothing happened to the account since the reading before.
  const isUndisturbed = sql<boolean>`(not exists (
      select from instance_states s where s.instance = ${reading}.instance and s.seq > before.seq)
    and not exists (
      select from operations o where o.instance = ${reading}.instance and o.method in ${literalList(QUEUE_CHANGING_OPERATIONS)}
        and (o.ended_at is null or o.ended_at > before.recorded_at - interval ${RESTART})))`;
  return sql`
    select since.unchanged_since, coalesce(before.stands_still, false) as stood_still,
      ${reading}.length > 0 and since.unchanged_since <= clock_timestamp() - interval ${PATIENCE}
        - ${INTERVALS} * coalesce(d.release_interval_ms, ${LONGEST_INTERVAL_MS}) * interval '1 millisecond' as stands_still
    from (select) one
    left join dispatchers d on d.instance = ${reading}.instance
    left join lateral (
      select r.* from queue_readings r where r.instance = ${reading}.instance order by r.seq desc limit 1) before on true
    cross join lateral (
      select case when ${reading}.length >= before.length
          and before.items -> 0 ->> 'ids' <> '[]' and ${reading}.items -> 0 ->> 'ids' = before.items -> 0 ->> 'ids'
          and not exists (
            select item ->> 'ids' from json_array_elements(before.items) item
            except select item ->> 'ids' from json_array_elements(${reading}.items) item)
          and ${mayRelease(row)} and ${isUndisturbed}
        then before.unchanged_since else clock_timestamp() end as unchanged_since) since`;
}

/** The newest reading of the queue of `row.instance`: one row or none. */
export function newestReading(row: string) {
  return sql`
    select r.* from queue_readings r where r.instance = ${sql.table(row)}.instance order by r.seq desc limit 1`;
}

/** STANDSTILL-4: the reading `reading` of the queue of `row.instance` shows a standstill now. */
export function isStandstill(row: string) {
  return sql<boolean>`(reading.stands_still and reading.recorded_at > clock_timestamp() - interval ${VALID_FOR}
    and ${mayRelease(row)})`;
}

/** Undefined if the queue is not known to stand still. */
export async function standstillOf(db: Db, instance: string) {
  const { rows } = await sql<{ items: number; since: Date }>`/* queue_standstill */
    select reading.length as items, reading.unchanged_since as since
    from (select ${instance}::text as instance) i cross join lateral (${newestReading('i')}) reading
    where ${isStandstill('i')}`.execute(db);
  return rows[0] && { items: rows[0].items, since: rows[0].since.toISOString() };
}

/** STANDSTILL-4. @returns those of the instances whose queues have to be read now */
export async function queuesToRead(db: Db, instances: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ instance: string }>`/* queues_to_read */
    select i.instance from unnest(${instances}::text[]) i(instance)
    left join lateral (${newestReading('i')}) reading on true
    where coalesce(reading.recorded_at <= clock_timestamp() - interval ${READ_EVERY}, true) and ${mayRelease('i')}
      and (reading.length > 0 or exists (
        select from messages m where m.instance = i.instance and m.state = 'accepted' and m.ended_at is null
          and m.accepted_at > coalesce(reading.ended_at, '-infinity')))`.execute(db);
  return rows.map(({ instance }) => instance);
}
