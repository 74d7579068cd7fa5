import { sql, type Kysely } from 'kysely';

/** What notifications are, so that they can be counted; applying them again; and who is told when a message changes. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table notifications
      add column kind text,
      add column oddity text check (oddity in ('cut', 'malformed', 'another_instance', 'unknown_kind', 'incomplete')),
      add column repeats integer not null default 0`.execute(db);
  await sql`create index notifications_by_time on notifications (received_at)`.execute(db);
  await sql`create index notifications_failed on notifications (instance) where outcome like 'failed:%'`.execute(db);
  await sql`
    create index notifications_of_quota on notifications (instance, received_at) where kind = 'quotaExceeded'
  `.execute(db);
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
  await sql`create index replays_open on replays (begun_at) where ended_at is null`.execute(db);
  await sql`
    create table callbacks (
      seq bigint primary key default nextval('ledger_seq'),
      message_id text not null references messages (id),
      url text not null,
      origin text not null,
      version integer not null,
      state text not null,
      reason text,
      id_message text,
      at timestamptz not null,
      created_at timestamptz not null default clock_timestamp(),
      next_try_at timestamptz not null default clock_timestamp(),
      tries integer not null default 0,
      problem text,
      ended_at timestamptz,
      delivered boolean not null default false
    )`.execute(db);
  await sql`create index callbacks_of_message on callbacks (message_id, seq)`.execute(db);
  await sql`create index callbacks_open on callbacks (next_try_at) where ended_at is null`.execute(db);
  await sql`create index callbacks_ended on callbacks (ended_at)`.execute(db);
  // In the database, so that no statement that changes a state can forget it: there are a dozen of them. The time is the
  // row's own where it has one for the state.
  await sql`
    create function record_callback() returns trigger language plpgsql as $$
    begin
      insert into callbacks (message_id, url, origin, version, state, reason, id_message, at)
      values (new.id, new.status_callback,
        coalesce(lower(substring(new.status_callback from '(?i)^https?://[^/?#]+')), new.status_callback), new.version,
        new.state, new.reason, new.id_message,
        coalesce(
          case new.state
            when 'accepted' then new.accepted_at
            when 'sent' then new.sent_at
            when 'delivered' then new.delivered_at
            when 'read' then new.read_at
            else new.ended_at
          end,
          clock_timestamp()));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_record_callback after update of state on messages for each row
    when (new.status_callback is not null and new.state <> old.state) execute function record_callback()`.execute(db);
  // Anyone who asked knows that it is pending; anything else, from the start, is new.
  await sql`
    create trigger messages_record_first_callback after insert on messages for each row
    when (new.status_callback is not null and new.state <> 'pending') execute function record_callback()`.execute(db);
}
