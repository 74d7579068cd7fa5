import { sql, type Kysely } from 'kysely';

/** The gateway's notifications, and the runs that are to be signalled because of them. */
export async function createNotifications(db: Kysely<never>): Promise<void> {
  // Append-only: a body is written once. `hash` is of instance and body.
  await sql`
    create table notifications (
      id bigint generated always as identity primary key,
      hash uuid not null constraint notifications_hash_key unique,
      received_at timestamptz not null,
      repeats integer not null default 0,
      instance text not null,
      kind text,
      oddity text check (oddity in ('cut', 'malformed', 'another_instance', 'unknown_kind', 'incomplete')),
      body json not null
    )`.execute(db);
  await sql`create index notifications_by_time on notifications (received_at)`.execute(db);
  await sql`create index notifications_of_instance on notifications (instance, id)`.execute(db);
  await sql`
    create index notifications_of_quota on notifications (instance, received_at)
    where kind = 'quotaExceeded'`.execute(db);

  // Those not applied yet.
  await sql`create table pending_notifications (notification_id bigint primary key)`.execute(db);

  // Those that could not be applied.
  await sql`
    create table failed_notifications (
      notification_id bigint primary key references notifications (id) on delete cascade,
      outcome text not null,
      problem text
    )`.execute(db);

  await sql`
    create table observations (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      id_message text not null,
      notification json not null,
      seen_at timestamptz not null,
      primary key (instance, id_message)
    )`.execute(db);
  await sql`create index observations_by_time on observations (seen_at)`.execute(db);
  await sql`create index observations_newest on observations (instance, seq)`.execute(db);

  await sql`
    create table replays (
      id text primary key,
      instance text,
      since timestamptz not null,
      after_id bigint not null,
      until_id bigint not null,
      total integer not null,
      done integer not null default 0,
      outcomes json not null default '{}',
      begun_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`
    create index replays_open on replays (begun_at)
    where ended_at is null`.execute(db);

  // Runs that are still to be signalled, apart from applying notifications. `completes_send`: the run's send has not been
  // completed with an outcome yet.
  await sql`
    create table pending_signals (
      message_id text collate "C" primary key,
      version integer not null,
      since timestamptz not null,
      next_try_at timestamptz not null,
      completes_send boolean not null,
      tries integer not null default 0,
      problem text
    )`.execute(db);
  await sql`create index pending_signals_due on pending_signals (next_try_at, since)`.execute(db);
}
