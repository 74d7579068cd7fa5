import { type Selectable, sql } from 'kysely';
import type { NotificationsTable } from '../schema.js';
import { shown } from '../shown-columns.js';
import { jsonText } from '../storage/statements.js';
import type { Db } from '../storage/store.js';

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
