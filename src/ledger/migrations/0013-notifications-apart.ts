import { sql, type Kysely } from 'kysely';

/** Why a notification could not be applied; and which runs are still to be signalled, apart from applying. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`alter table notifications add column problem text`,
    sql`drop index notifications_failed`,
    sql`create index notifications_failed on notifications (instance, received_at) where outcome like 'failed:%'`,
    sql`create table pending_signals (
      message_id text primary key references messages (id) on delete cascade,
      version integer not null,
      since timestamptz not null,
      next_try_at timestamptz not null,
      tries integer not null default 0,
      problem text
    )`,
    sql`create index pending_signals_due on pending_signals (next_try_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
