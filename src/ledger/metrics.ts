/**
 * Readings of the ledger for each collection of the metrics.
 *
 * METRICS-1 Triggers count a change of a message's state in its own transaction: a killed process loses no count and
 *    counts nothing twice, and a restart resets nothing.
 * METRICS-2 A reading never scans messages, notifications or deliveries: it sums stored counts, uses indexes of waiting
 *    rows, and stops at {@link MOST_COUNTED}.
 */
import { sql, type RawBuilder } from 'kysely';
import {
  PRIORITIES,
  type CampaignState,
  type MessageState,
  type PauseReason,
  type Priority,
} from '../contract/index.js';
import { campaignsWaiting } from './streams/stream-blockers.js';
import { claimableAt } from './streams/streams.js';
import { healthRows } from './schedules/schedule-health.js';
import { scheduleInstance } from './storage/pages.js';
import { isStandstill, newestReading } from './instances/standstill.js';
import { LedgerPart, onlyRow } from './storage/store.js';

/** The most waiting rows of a kind that are counted, so that a reading takes a constant time. */
const MOST_COUNTED = 10_000;
/** Each may be in another block. */
const OLDEST_UNRESOLVED = 500;

/** Counts are folded once there are this many more rows than the sums need. */
const MOST_UNFOLDED = 200;

interface OfInstance {
  readonly instance: string;
}

/** The state of instances at one moment, as metrics show it. Ages are in milliseconds. */
export type LedgerReadings = Awaited<ReturnType<Metrics['read']>>;

export class Metrics extends LedgerPart {
  /** @param instances  only these */
  read(instances: readonly string[], nowMs: number) {
    const names = sql`${instances}::text[]`;
    const now = new Date(nowMs);
    /** Not negative, since another machine's clock may be ahead. */
    const age = (at: RawBuilder<unknown>) =>
      sql`greatest(0, extract(epoch from ${now}::timestamptz - ${at}) * 1000)::float8`;
    const first = (rows: RawBuilder<unknown>) => sql`(${rows} limit ${MOST_COUNTED}) first`;

    return this.database.run(async (db) => {
      const read = async <Row>(statement: RawBuilder<Row>): Promise<readonly Row[]> =>
        (await statement.execute(db)).rows;
      const notificationsIn = (table: string) => sql`(
        select n.instance, count(*)::integer as total
        from ${first(sql`select notification_id from ${sql.table(table)}`)}
        join notifications n on n.id = first.notification_id group by 1)`;

      /** How many messages ever entered `state` from `from`; null: they began in the state. */
      const transitions = await read(sql<
        OfInstance & { from: MessageState | null; state: MessageState; messages: number }
      >`/* metrics_transitions */
        select instance, from_state as "from", state, sum(messages)::float8 as messages from message_counts
        where instance = any(${names}) group by 1, 2, 3`);

      /** The last readings; `standsMs`: for how long the queue has stood still, 0 if it is not known to. */
      const queues = await read(sql<
        OfInstance & { depth: number; ageMs: number; standsMs: number }
      >`/* metrics_queues */
        select w.instance, reading.length as depth, ${age(sql`reading.ended_at`)} as "ageMs",
          case when ${isStandstill('w')} then (extract(epoch from clock_timestamp() - reading.unchanged_since) * 1000)::float8 else 0 end as "standsMs"
        from unnest(${names}) w(instance) cross join lateral (${newestReading('w')}) reading`);

      /** The gateway's name of the account's state, as it was last seen. */
      const accounts = await read(sql<OfInstance & { state: string; ageMs: number }>`
        select w.instance, seen.state, ${age(sql`seen.seen_until`)} as "ageMs" from unnest(${names}) w(instance)
        cross join lateral (
          select s.state, s.seen_until from instance_states s
          where s.instance = w.instance order by s.since desc, s.seq desc limit 1) seen`);

      const pauses = await read(sql<OfInstance & { reason: PauseReason }>`
        select instance, reason from instance_pauses where resumed_at is null and instance = any(${names})`);

      /** For each priority and source, the message that could be claimed now and has been due for longest. */
      const due = await read(sql<
        OfInstance & { priority: Priority; source: 'single' | 'campaign'; ageMs: number }
      >`/* metrics_due */
        select stream.instance, (${PRIORITIES}::text[])[stream.class + 1] as priority,
          case when stream.campaign_id is null then 'single' else 'campaign' end as source,
          ${age(sql`min(d.due_at)`)} as "ageMs"
        from streams stream
        cross join lateral (
          select q.due_at from due_messages q where q.stream_id = stream.id and q.due_at <= ${now}::timestamptz
          order by q.due_at, q.place limit 1) d
        where stream.instance = any(${names}) and ${claimableAt(nowMs)} <= ${now}::timestamptz
        group by 1, 2, 3`);

      /** Notifications that are not applied yet, and those that could not be applied and wait for a replay. */
      const notifications = await read(sql<
        OfInstance & { waiting: number; setAside: number }
      >`/* metrics_notifications */
        select w.instance, coalesce(p.total, 0) as waiting, coalesce(f.total, 0) as "setAside"
        from unnest(${names}) w(instance)
        left join ${notificationsIn('pending_notifications')} p on p.instance = w.instance
        left join ${notificationsIn('failed_notifications')} f on f.instance = w.instance`);

      /** Messages that may mean STOP, for each instance. */
      const possibleOptOuts = await read(sql<OfInstance & { open: number }>`/* metrics_possible_opt_outs */
        select w.instance, (select count(*)::integer from ${first(sql`
          select from possible_opt_outs p where p.instance = w.instance and p.state = 'open'`)}) as open
        from unnest(${names}) w(instance)`);

      /** Replies and opt-outs of campaigns so far. */
      const responses = await read(sql<OfInstance & { replied: number; optedOut: number }>`/* metrics_responses */
        select instance, sum(replied)::float8 as replied, sum(opted_out)::float8 as "optedOut"
        from campaign_response_counts where instance = any(${names}) group by 1`);

      /** Schedules that fail, and the times of schedules that sent nothing. */
      const schedules = await read(sql<
        OfInstance & { failing: number; missed: number; overlapped: number; failed: number }
      >`
        select ${scheduleInstance('s')} as instance,
          count(*) filter (where s.problem is not null or health.failure is not null)::integer as failing,
          sum(health.missed)::integer as missed, sum(s.overlapped)::integer as overlapped,
          sum(health.failed)::integer as failed
        from schedules s join (${healthRows(sql`s.state in ('active', 'paused')`)}) health on health.id = s.id
        where ${scheduleInstance('s')} = any(${names}) group by 1`);

      /** Deliveries that wait, or were set aside. */
      const events = await read(sql<
        OfInstance & { waiting: number; oldestAgeMs: number; setAside: number; disabledEndpoints: number }
      >`/* metrics_events */
        select e.instance, sum(w.waiting)::integer as waiting, coalesce(${age(sql`min(w.since)`)}, 0) as "oldestAgeMs",
          sum(f.failed)::integer as "setAside", count(*) filter (where not e.enabled)::integer as "disabledEndpoints"
        from event_endpoints e
        cross join lateral (
          select count(*) as waiting, (
              select d.created_at from event_deliveries d where d.endpoint_id = e.id and d.ended_at is null
              order by d.created_at limit 1) as since
          from ${first(sql`select from event_deliveries d where d.endpoint_id = e.id and d.ended_at is null`)}) w
        cross join lateral (
          select count(*) as failed from ${first(sql`
            select from event_deliveries d where d.endpoint_id = e.id and d.ended_at is not null and not d.delivered`)}) f
        where e.instance = any(${names}) group by 1`);

      /** Campaigns that have not ended; `autoPaused`: how many of them paused automatically. */
      const campaigns = await read(sql<
        OfInstance & { state: CampaignState; total: number; autoPaused: number }
      >`/* metrics_campaigns */
        select instance, state, count(*)::integer as total, count(pause_text)::integer as "autoPaused" from (
          select instance, state, pause_text from campaigns where state in ('running', 'paused', 'cancelling')
          union all select instance, state, pause_text from campaigns where state = 'scheduled') open
        where instance = any(${names}) group by 1, 2`);

      /** Age of the oldest unresolved message. */
      const unresolved = await read(sql<OfInstance & { ageMs: number }>`/* metrics_unresolved */
        select instance, ${age(sql`min(created_at)`)} as "ageMs" from (
          select instance, created_at from messages where state = 'unresolved'
          order by created_at, id limit ${OLDEST_UNRESOLVED}) oldest
        where instance = any(${names}) group by 1`);

      const { workersAlive, restores } = await onlyRow(
        db,
        sql<{ workersAlive: number; restores: number }>`/* metrics_workers */
        select count(*)::integer as "workersAlive", (select count(*)::integer from restores) as restores
        from worker_processes where alive_until > clock_timestamp()`,
      );

      /** Messages by HTTP whose workflow is not started yet, for all instances. */
      const runStarts = await onlyRow(
        db,
        sql<{ waiting: number; oldestAgeMs: number }>`/* metrics_run_starts */
        select (select count(*)::integer from ${first(sql`select from messages where run = 'wanted'`)}) as waiting,
          coalesce((
            select ${age(sql`created_at`)} from messages where run = 'wanted' order by place limit 1), 0) as "oldestAgeMs"`,
      );

      return {
        transitions,
        queues,
        accounts,
        pauses,
        due,
        notifications,
        possibleOptOuts,
        responses,
        schedules,
        events,
        campaigns,
        campaignsWaiting: await campaignsWaiting(db, instances, nowMs),
        unresolved,
        workersAlive,
        restores,
        runStarts,
      };
    });
  }

  /** Replaces the counts of a transition by one sum if there are many. @returns whether it did */
  fold(): Promise<boolean> {
    return this.database.run(async (db) => {
      const { unfolded } = await onlyRow(
        db,
        sql<{ unfolded: number }>`
        select (count(*) - count(distinct (instance, from_state, state)))::integer as unfolded from message_counts`,
      );
      if (unfolded < MOST_UNFOLDED) return false;
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
