import { sql, type Selectable } from 'kysely';
import { present } from '../../contract/index.js';
import type { Oddity } from '../column-types.js';
import { iso, shown, jsonText } from '../storage/statements.js';
import { type Db, forgetInParts, LedgerPart } from '../storage/store.js';
import type { NotificationsTable } from '../schema.js';

/** The notifications of one instance. */
export interface NotificationSummary {
  readonly instance: string;
  /** ISO UTC. Absent: none is kept. */
  readonly lastAt?: string;
  /** In the requested period: how many, how many repetitions, and of which types. */
  readonly came: number;
  readonly repeats: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly oddities: Readonly<Partial<Record<Oddity, number>>>;
  /** Stored and not applied yet; since when the oldest of them waits. */
  readonly waiting: number;
  readonly waitingSince?: string;
  /** All stored ones that could not be applied. */
  readonly failed: number;
  /** The newest of those: when it arrived, and why it could not be applied. */
  readonly lastFailure?: { readonly at: string; readonly problem: string };
  /** Changed messages whose runs have not been signalled yet; since when the oldest of them waits. */
  readonly pendingSignals: number;
  readonly pendingSignalsSince?: string;
  /** The last notification that the plan's limit was reached. */
  readonly quotaExceeded?: { readonly at: string; readonly quota: unknown };
}

/** Counts and deletes what {@link Receipts} stores. */
export class Notifications extends LedgerPart {
  /** For these instances, and for all others with a notification since. */
  async summaries(instances: readonly string[], sinceMs: number): Promise<NotificationSummary[]> {
    return this.database.run(async (db) => {
      const counted = await db
        .selectFrom('notifications')
        .select(['instance', 'kind', 'oddity'])
        .select(({ fn }) => [
          fn.countAll<number | string>().as('came'),
          fn.sum<number | string | null>('repeats').as('repeats'),
        ])
        .where('received_at', '>=', new Date(sinceMs))
        .groupBy(['instance', 'kind', 'oddity'])
        .execute();
      const names = [...new Set([...instances, ...counted.map(({ instance }) => instance)])];
      return Promise.all(
        names.map(async (instance) => {
          const own = counted.filter((row) => row.instance === instance);
          return {
            instance,
            came: total(own.map(({ came }) => came)),
            repeats: total(own.map(({ repeats }) => repeats)),
            kinds: totals(own.map(({ kind, came }) => [kind, came])),
            oddities: totals<Oddity>(own.map(({ oddity, came }) => [oddity, came])),
            ...(await atAnyTime(db, instance)),
          };
        }),
      );
    });
  }

  /** Deletes applied notifications that arrived before this time. @returns how many */
  forget(beforeMs: number): Promise<number> {
    return forgetInParts((limit) =>
      this.database.run(async (db) => {
        const old = db
          .selectFrom('notifications as n')
          .select('n.id')
          .where('received_at', '<', new Date(beforeMs))
          .where(IS_APPLIED)
          .orderBy('received_at')
          .limit(limit);
        const { numDeletedRows } = await db.deleteFrom('notifications').where('id', 'in', old).executeTakeFirst();
        return Number(numDeletedRows);
      }),
    );
  }
}

async function atAnyTime(db: Db, instance: string) {
  const { rows } = await sql<{
    last_at: Date | null;
    waiting: number;
    waiting_since: Date | null;
    failed: number;
    failed_at: Date | null;
    problem: string | null;
    pending: number;
    pending_since: Date | null;
  }>`
    select w.waiting, w.waiting_since, f.failed, f.failed_at, f.problem, p.pending, p.pending_since,
      (select received_at from notifications where instance = ${instance} order by id desc limit 1) as last_at
    from (
      select count(*)::int as waiting, min(n.received_at) as waiting_since
      from pending_notifications w join notifications n on n.id = w.notification_id where n.instance = ${instance}) w
    cross join (
      select count(*)::int as pending, min(s.since) as pending_since
      from pending_signals s join messages m on m.id = s.message_id where m.instance = ${instance}) p
    cross join (
      select count(*)::int as failed, max(n.received_at) as failed_at,
        (array_agg(f.problem order by n.received_at desc, n.id desc))[1] as problem
      from failed_notifications f join notifications n on n.id = f.notification_id where n.instance = ${instance}) f
    `.execute(db);
  const { last_at = null, waiting = 0, waiting_since = null, failed = 0, pending = 0 } = rows[0] ?? {};
  const { failed_at: failedAt = null, problem = null, pending_since: pendingSince = null } = rows[0] ?? {};
  const quota = await db
    .selectFrom('notifications')
    .select(['received_at', 'body'])
    .where('instance', '=', instance)
    .where('kind', '=', 'quotaExceeded')
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...present({ lastAt: iso(last_at), waitingSince: iso(waiting_since) }),
    waiting,
    failed,
    ...(failedAt && { lastFailure: { at: failedAt.toISOString(), problem: problem ?? 'no reason was recorded' } }),
    pendingSignals: pending,
    ...present({ pendingSignalsSince: iso(pendingSince) }),
    ...(quota && { quotaExceeded: { at: quota.received_at.toISOString(), quota: quotaIn(quota.body) } }),
  };
}

function quotaIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'quotaData' in body ? body.quotaData : undefined;
}

function totals<Name extends string = string>(
  counts: readonly (readonly [Name | null, number | string])[],
): Partial<Record<Name, number>> & Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) if (name !== null) sums.set(name, (sums.get(name) ?? 0) + Number(count));
  return Object.fromEntries(sums) as Partial<Record<Name, number>> & Record<string, number>;
}

/** Some drivers return counts as strings. */
function total(counts: readonly (number | string | null)[]): number {
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}

export type NotificationColumns = Pick<
  Selectable<NotificationsTable>,
  'id' | 'instance' | 'body' | 'received_at' | 'oddity'
>;

export function storedNotification(row: NotificationColumns) {
  return { id: String(row.id), body: row.body, ...shown(row, 'instance', 'received_at', 'oddity') };
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
  const entries = [...outcomes].map(([id, became]) => ({ id, ...became, has_failed: isFailure(became) }));
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

function isFailure({ outcome }: Applied): boolean {
  return outcome.startsWith('failed:');
}
