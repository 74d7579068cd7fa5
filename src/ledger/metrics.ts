/**
 * What the ledger is asked for whenever metrics are collected.
 *
 * METRICS-1 A change of a message's state is counted in its own transaction, by triggers: a killed process loses no count
 *    and counts nothing twice, and a restart sets nothing back.
 * METRICS-2 A reading never goes through messages, notifications or deliveries: it adds up counts that are kept, follows
 *    indexes of what waits, and stops at {@link MOST_COUNTED}.
 */
import { sql, type RawBuilder } from 'kysely';
import { PRIORITIES, type MessageState, type PauseReason, type Priority } from '../contract/index.js';
import { claimableAt, isReady } from './dispatch/streams.js';
import type { Db, Store } from './storage/store.js';

/** So many rows of a kind that waits are counted, and no more: reading takes the same time, however many there are. */
const MOST_COUNTED = 10_000;

interface OfInstance {
  readonly instance: string;
}

/** What the ledger knows of its instances at one moment, as metrics show it. Ages are in milliseconds. */
export interface LedgerReadings {
  /** Of all messages there ever were: how many entered `state` from `from`; from none where they began in it. */
  readonly transitions: readonly (OfInstance & {
    readonly from?: MessageState;
    readonly state: MessageState;
    readonly messages: number;
  })[];
  readonly queues: readonly (OfInstance & { readonly depth: number; readonly ageMs: number })[];
  /** The gateway's word for the account, as seen last. */
  readonly accounts: readonly (OfInstance & { readonly state: string; readonly ageMs: number })[];
  readonly pauses: readonly (OfInstance & { readonly reason: PauseReason })[];
  /** Of each priority and source the message that could be claimed now and has been due for longest. */
  readonly due: readonly (OfInstance & {
    readonly priority: Priority;
    readonly source: 'single' | 'campaign';
    readonly ageMs: number;
  })[];
  /** Stored and not applied; and not applicable, which waits for a replay. */
  readonly notifications: readonly (OfInstance & { readonly waiting: number; readonly setAside: number })[];
  readonly events: readonly (OfInstance & {
    readonly waiting: number;
    readonly oldestAgeMs: number;
    /** Deliveries that were given up. */
    readonly setAside: number;
    readonly disabledEndpoints: number;
  })[];
  /** Messages by HTTP whose workflow is not started yet, whichever instance. */
  readonly runStarts: { readonly waiting: number; readonly oldestAgeMs: number };
}

/** Counts are folded once there are so many more than the sums need. */
const MOST_UNFOLDED = 200;

export class Metrics {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param instances  only of these */
  read(instances: readonly string[], nowMs: number): Promise<LedgerReadings> {
    return this.#store.run(async (db) => {
      const of = { names: sql`${instances}::text[]`, nowMs };
      return {
        transitions: await transitions(db, of),
        queues: await queues(db, of),
        accounts: await accounts(db, of),
        pauses: await pauses(db, of),
        due: await due(db, of),
        notifications: await notifications(db, of),
        events: await events(db, of),
        runStarts: await runStarts(db, of),
      };
    });
  }

  /** Puts one sum in place of the counts of a transition, where they have become many. @returns whether it did */
  fold(): Promise<boolean> {
    return this.#store.run(async (db) => {
      const { rows } = await sql<{ unfolded: number }>`
        select (count(*) - count(distinct (instance, from_state, state)))::integer as unfolded
        from message_counts`.execute(db);
      if ((rows[0]?.unfolded ?? 0) < MOST_UNFOLDED) return false;
      await sql`/* fold_message_counts */
        with gone as (
          delete from message_counts returning *
        )
        insert into message_counts (instance, from_state, state, messages)
        select instance, from_state, state, sum(messages) from gone group by 1, 2, 3`.execute(db);
      return true;
    });
  }
}

interface Of {
  readonly names: RawBuilder<unknown>;
  readonly nowMs: number;
}

async function transitions(db: Db, { names }: Of): Promise<LedgerReadings['transitions']> {
  const { rows } = await sql<{
    instance: string;
    from_state: MessageState | null;
    state: MessageState;
    messages: number;
  }>`/* metrics_transitions */
    select instance, from_state, state, sum(messages)::float8 as messages from message_counts
    where instance = any(${names}) group by 1, 2, 3`.execute(db);
  return rows.map(({ instance, from_state, state, messages }) => ({
    instance,
    state,
    messages,
    ...(from_state !== null && { from: from_state }),
  }));
}

async function queues(db: Db, { names, nowMs }: Of): Promise<LedgerReadings['queues']> {
  const { rows } = await sql<{ instance: string; depth: number; at: Date }>`
    select instance, queue_depth as depth, depth_read_at as at from dispatchers
    where instance = any(${names}) and queue_depth is not null and depth_read_at is not null`.execute(db);
  return rows.map(({ instance, depth, at }) => ({ instance, depth, ageMs: ageMs(at, nowMs) }));
}

async function accounts(db: Db, { names, nowMs }: Of): Promise<LedgerReadings['accounts']> {
  const { rows } = await sql<{ instance: string; state: string; at: Date }>`
    select w.instance, seen.state, seen.seen_until as at from unnest(${names}) w(instance)
    cross join lateral (
      select s.state, s.seen_until from instance_states s
      where s.instance = w.instance order by s.since desc, s.seq desc limit 1) seen`.execute(db);
  return rows.map(({ instance, state, at }) => ({ instance, state, ageMs: ageMs(at, nowMs) }));
}

async function pauses(db: Db, { names }: Of): Promise<LedgerReadings['pauses']> {
  const { rows } = await sql<{ instance: string; reason: PauseReason }>`
    select instance, reason from instance_pauses where resumed_at is null and instance = any(${names})`.execute(db);
  return rows;
}

async function due(db: Db, { names, nowMs }: Of): Promise<LedgerReadings['due']> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ instance: string; priority: Priority; is_campaign: boolean; at: Date }>`/* metrics_due */
    select stream.instance, (${PRIORITIES}::text[])[stream.class + 1] as priority,
      stream.campaign_id is not null as is_campaign, min(d.due_at) as at
    from streams stream
    cross join lateral (
      select q.due_at from due_messages q where q.stream_id = stream.id and q.due_at <= ${now}::timestamptz
      order by q.due_at, q.place limit 1) d
    where stream.instance = any(${names}) and ${isReady(now)} and ${claimableAt(now)} <= ${now}::timestamptz
    group by 1, 2, 3`.execute(db);
  return rows.map(({ instance, priority, is_campaign, at }) => ({
    instance,
    priority,
    source: is_campaign ? 'campaign' : 'single',
    ageMs: ageMs(at, nowMs),
  }));
}

async function notifications(db: Db, { names }: Of): Promise<LedgerReadings['notifications']> {
  const countOf = (table: string) => sql`(
    select n.instance, count(*)::integer as total
    from (select notification_id from ${sql.table(table)} limit ${MOST_COUNTED}) first
    join notifications n on n.id = first.notification_id group by 1)`;
  const { rows } = await sql<{ instance: string; waiting: number; set_aside: number }>`/* metrics_notifications */
    select w.instance, coalesce(p.total, 0) as waiting, coalesce(f.total, 0) as set_aside
    from unnest(${names}) w(instance)
    left join ${countOf('pending_notifications')} p on p.instance = w.instance
    left join ${countOf('failed_notifications')} f on f.instance = w.instance`.execute(db);
  return rows.map(({ instance, waiting, set_aside }) => ({ instance, waiting, setAside: set_aside }));
}

async function events(db: Db, { names, nowMs }: Of): Promise<LedgerReadings['events']> {
  const { rows } = await sql<{
    instance: string;
    waiting: number;
    since: Date | null;
    set_aside: number;
    disabled: number;
  }>`/* metrics_events */
    select e.instance, sum(w.waiting)::integer as waiting, min(w.since) as since, sum(f.failed)::integer as set_aside,
      count(*) filter (where not e.enabled)::integer as disabled
    from event_endpoints e
    cross join lateral (
      select count(*) as waiting, min(created_at) as since from (
        select d.created_at from event_deliveries d where d.endpoint_id = e.id and d.ended_at is null
        limit ${MOST_COUNTED}) first) w
    cross join lateral (
      select count(*) as failed from (
        select from event_deliveries d where d.endpoint_id = e.id and d.ended_at is not null and not d.delivered
        limit ${MOST_COUNTED}) first) f
    where e.instance = any(${names}) group by 1`.execute(db);
  return rows.map(({ instance, waiting, since, set_aside, disabled }) => ({
    instance,
    waiting,
    oldestAgeMs: since === null ? 0 : ageMs(since, nowMs),
    setAside: set_aside,
    disabledEndpoints: disabled,
  }));
}

async function runStarts(db: Db, { nowMs }: Of): Promise<LedgerReadings['runStarts']> {
  const { rows } = await sql<{ waiting: number; since: Date | null }>`/* metrics_run_starts */
    select (select count(*)::integer from (
        select from messages where run = 'wanted' limit ${MOST_COUNTED}) first) as waiting,
      (select created_at from messages where run = 'wanted' order by place limit 1) as since`.execute(db);
  const { waiting = 0, since = null } = rows[0] ?? {};
  return { waiting, oldestAgeMs: since === null ? 0 : ageMs(since, nowMs) };
}

/** Another machine's clock may be ahead. */
function ageMs(at: Date, nowMs: number): number {
  return Math.max(0, nowMs - at.getTime());
}
