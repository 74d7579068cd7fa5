import { sql, type Selectable } from 'kysely';
import { present } from '../../contract/index.js';
import type { Oddity } from '../storage/column-types.js';
import { isOfInstances } from '../storage/pages.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, forgetInParts, LedgerPart } from '../storage/store.js';
import { revealJson } from '../sensitive/hidden-json.js';
import type { Texts } from '../sensitive/texts.js';
import type { NotificationsTable } from '../storage/schema.js';

interface SummaryRow {
  readonly instance: string;
  readonly came: number;
  readonly repeats: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly oddities: Readonly<Partial<Record<Oddity, number>>>;
  readonly unknown_types: Readonly<Record<string, number>>;
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly failed: number;
  readonly failed_at: Date | null;
  readonly problem: string | null;
  readonly possible_opt_outs: number;
  readonly unsent_to_runs: number;
  readonly unsent_to_runs_since: Date | null;
  readonly last_at: Date | null;
  readonly quota_at: Date | null;
  readonly quota: unknown;
}

/** A faulty gateway could show a new type with each message. */
const MOST_TYPES = 20;

const MOST_COUNTED = 10_000;

/** The notifications of one instance. */
export type NotificationSummary = ReturnType<typeof summaryOf>;

/** Counts and deletes what {@link Receipts} stores. */
export class Notifications extends LedgerPart {
  /**
   * For these instances, and for others with a notification since.
   * @param others.among  only for others among these. @default all
   */
  async summaries(
    instances: readonly string[],
    sinceMs: number,
    { among }: { readonly among?: readonly string[] | undefined } = {},
  ): Promise<NotificationSummary[]> {
    const rows = await this.database.rows(sql<SummaryRow>`
      with recent as materialized (
        select instance, kind, oddity, odd_type, count(*)::integer as came, sum(repeats)::integer as repeats
        from notifications
        where received_at >= ${new Date(sinceMs)}::timestamptz
          and ${among === undefined ? sql`true` : isOfInstances('instance', among)}
        group by instance, kind, oddity, odd_type
      ), waiting as materialized (
        select n.instance, count(*)::integer as waiting, min(n.received_at) as waiting_since
        from (select notification_id from pending_notifications limit ${MOST_COUNTED}) w
        cross join lateral (select * from notifications where id = w.notification_id offset 0) n group by n.instance
      ), failed as materialized (
        select n.instance, count(*)::integer as failed, max(n.received_at) as failed_at,
          (array_agg(f.problem order by n.received_at desc, n.id desc))[1] as problem
        from (select * from failed_notifications order by notification_id desc limit ${MOST_COUNTED}) f
        cross join lateral (select * from notifications where id = f.notification_id offset 0) n group by n.instance
      ), unsent as materialized (
        select m.instance, count(*)::integer as unsent_to_runs, min(o.reached_at) as unsent_to_runs_since
        from (select message_id, campaign_id, reached_at from outbox where reached_at is not null limit ${MOST_COUNTED}) o
        cross join lateral (
          select instance from messages where id = o.message_id union all select instance from campaigns where id = o.campaign_id) m
        group by m.instance
      ), named as (
        select instance from unnest(${instances}::text[]) as given(instance) union select instance from recent
      )
      select named.instance, coalesce(r.came, 0) as came, coalesce(r.repeats, 0) as repeats, r.kinds, r.oddities, r.unknown_types,
        coalesce(w.waiting, 0) as waiting, w.waiting_since, coalesce(f.failed, 0) as failed, f.failed_at, f.problem,
        o.possible_opt_outs, coalesce(u.unsent_to_runs, 0) as unsent_to_runs, u.unsent_to_runs_since,
        (select received_at from notifications where instance = named.instance order by id desc limit 1) as last_at,
        q.quota_at, q.quota
      from named
      cross join lateral (
        select sum(came)::integer as came, sum(repeats)::integer as repeats,
          coalesce((select json_object_agg(kind, came) from (
            select kind, sum(came) as came from recent k
            where k.instance = named.instance and kind is not null group by kind) k), '{}') as kinds,
          coalesce((select json_object_agg(oddity, came) from (
            select oddity, sum(came) as came from recent o
            where o.instance = named.instance and oddity is not null group by oddity) o), '{}') as oddities,
          coalesce((select json_object_agg(odd_type, came) from (
            select odd_type, sum(came) as came from recent t
            where t.instance = named.instance and odd_type is not null group by odd_type
            order by came desc, odd_type limit ${MOST_TYPES}) t), '{}') as unknown_types
        from recent where instance = named.instance) r
      left join waiting w on w.instance = named.instance
      left join failed f on f.instance = named.instance
      left join unsent u on u.instance = named.instance
      cross join lateral (
        select count(*)::integer as possible_opt_outs from (
          select from possible_opt_outs p where p.instance = named.instance and p.state = 'open' limit ${MOST_COUNTED}) p) o
      left join lateral (
        select received_at as quota_at, body->'quotaData' as quota from notifications
        where instance = named.instance and kind = 'quotaExceeded' order by received_at desc limit 1) q on true
      order by array_position(${instances}::text[], named.instance), named.instance`);
    return rows.map(summaryOf);
  }

  /** Deletes applied notifications that arrived before this time. @returns how many */
  forget(beforeMs: number): Promise<number> {
    return forgetInParts((limit) =>
      this.database.run(async (db) => {
        // An array: joined with the rows to delete, it would be planned as a scan of all notifications.
        const { numAffectedRows = 0n } = await sql`
          delete from notifications where id = any(array(
            select n.id from notifications n where n.received_at < ${new Date(beforeMs)} and ${IS_APPLIED}
            order by n.received_at limit ${limit}))`.execute(db);
        return Number(numAffectedRows);
      }),
    );
  }
}

/**
 * `came`, `repeats`, `kinds`, `oddities` and `unknownTypes` count the requested period, all others what is kept. `lastFailure`: the
 * newest one that could not be applied. `unsentToRuns`: what runs in Temporal wait for and have not got yet.
 * `quotaExceeded`: the last notification that the plan's limit was reached.
 */
function summaryOf(row: SummaryRow) {
  const { failed_at: failedAt, problem, quota_at: quotaAt, quota } = row;
  return {
    ...shown(row, 'instance', 'last_at', 'came', 'repeats', 'kinds', 'oddities', 'unknown_types'),
    ...shown(row, 'waiting', 'waiting_since', 'failed'),
    ...(failedAt && { lastFailure: { at: failedAt.toISOString(), problem: problem ?? 'no reason was recorded' } }),
    ...shown(row, 'possible_opt_outs', 'unsent_to_runs', 'unsent_to_runs_since'),
    ...(quotaAt && { quotaExceeded: { at: quotaAt.toISOString(), ...present({ quota }) } }),
  };
}

export type NotificationColumns = Pick<
  Selectable<NotificationsTable>,
  'id' | 'instance' | 'body' | 'received_at' | 'oddity' | 'about' | 'hidden'
>;

export function storedNotification(row: NotificationColumns, texts: Texts) {
  const { about, hidden } = row;
  return {
    id: String(row.id),
    body: revealJson(texts, { json: row.body, about, hidden }),
    ...shown(row, 'instance', 'received_at', 'oddity'),
  };
}

export type StoredNotification = ReturnType<typeof storedNotification>;

/** The result of applying a notification. */
export interface Applied {
  /** A stable word. */
  readonly outcome: string;
  /** Why it could not be applied, for an operator; contains no data of the notification. */
  readonly problem?: string;
}

/** For the notification `n`. */
export const IS_APPLIED = sql<boolean>`not exists (
  select from pending_notifications p where p.notification_id = n.id)`;

/** Marks them applied, for the first time or again; keeps the reason of those that could not be applied. */
export async function recordOutcomes(db: Db, outcomes: ReadonlyMap<string, Applied>): Promise<void> {
  if (outcomes.size === 0) return;
  const entries = [...outcomes].map(([id, became]) => ({
    id,
    ...became,
    has_failed: became.outcome.startsWith('failed:'),
  }));
  await sql`
    with became as materialized (
      select * from json_to_recordset(${jsonText(entries)}::json) as b(
        id bigint, outcome text, problem text, has_failed boolean)
    ), applied as (
      delete from pending_notifications p using became b where p.notification_id = b.id
    ), recovered as (
      delete from failed_notifications f using became b where f.notification_id = b.id and not b.has_failed
    )
    insert into failed_notifications (notification_id, outcome, problem)
    select b.id, b.outcome, b.problem from became b join notifications n on n.id = b.id where b.has_failed
    on conflict (notification_id) do update set outcome = excluded.outcome, problem = excluded.problem`.execute(db);
}
