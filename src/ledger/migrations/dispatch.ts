import { sql, type Kysely } from 'kysely';

/** Dispatchers, their streams, and what is due in each. */
export async function createDispatch(db: Kysely<never>): Promise<void> {
  // Which shift dispatches an instance, and what it knows of the gateway's queue. A claim locks the row of its instance first.
  await sql`
    create table dispatchers (
      instance text primary key,
      epoch bigint not null,
      worker text not null,
      process text,
      task_token text,
      begun_at timestamptz not null,
      seen_at timestamptz not null,
      ended_at timestamptz,
      queue_depth integer,
      depth_read_at timestamptz,
      release_interval_ms integer,
      in_flight integer not null default 0,
      post_window integer
    ) with (fillfactor = 50)`.execute(db);

  // Which processes of workers live: what one that died was serving is taken over.
  await sql`
    create table worker_processes (
      process text primary key,
      alive_since timestamptz not null,
      alive_until timestamptz not null
    )`.execute(db);

  // Selection reads streams, not messages. Classes: 0 urgent, 1 high, 2 normal, 3 low.
  await sql`
    create table streams (
      id bigint generated always as identity primary key,
      instance text not null,
      class smallint not null check (class between 0 and 3),
      campaign_id text collate "C" references campaigns (id),
      element_name text collate "C",
      template_id text,
      needs_phone boolean not null,
      kind text not null,
      extra_room integer not null default 0,
      served bigint not null default nextval('ledger_seq'),
      category text not null,
      timezone text,
      opens_at timestamptz not null default '-infinity',
      closes_at timestamptz not null default 'infinity',
      next_at timestamptz not null default '-infinity',
      closed_by text check (closed_by in ('SENDING_WINDOW_CLOSED', 'QUIET_HOURS')),
      closed_since timestamptz,
      is_capped boolean not null default false,
      is_jittered boolean not null default false,
      frequency_messages integer,
      frequency_days integer
    ) with (fillfactor = 70)`.execute(db);
  await sql`
    create unique index streams_key on streams (instance, class, coalesce(campaign_id, ''), coalesce(element_name, ''),
      coalesce(template_id, ''), needs_phone, kind, category, coalesce(timezone, ''))`.execute(db);
  // Those with sending hours or limits: without them this is empty.
  await sql`
    create index streams_closing on streams (instance, closes_at)
    where closes_at < 'infinity'`.execute(db);
  await sql`
    create index streams_of_campaign on streams (campaign_id)
    where campaign_id is not null`.execute(db);

  // Sending hours and limits of an instance, as the worker that serves it was configured.
  await sql`
    create table instance_settings (
      instance text primary key,
      settings json not null
    )`.execute(db);

  // How many messages of a scope, `instance:<name>` or `campaign:<id>`, were posted in a day that has a cap.
  await sql`
    create table daily_caps (
      scope text not null,
      day_starts_at timestamptz not null,
      day_ends_at timestamptz not null,
      cap integer not null,
      posted integer not null,
      reached_at timestamptz,
      primary key (scope, day_starts_at)
    ) with (fillfactor = 50)`.execute(db);

  // A row for each pending message, and for no other. One that waits for another message, or for its campaign to compose
  // it again, is due at infinity and names in "behind" what it waits for.
  await sql`
    create table due_messages (
      stream_id bigint not null,
      due_at timestamptz not null,
      place bigint not null,
      message_id text collate "C" not null,
      chat_id text,
      expires_at timestamptz not null,
      behind text collate "C",
      typing_ms integer,
      waits_until timestamptz,
      primary key (stream_id, due_at, place),
      constraint due_messages_behind_check check ((behind is null) = (due_at < 'infinity'))
    )`.execute(db);
  await sql`
    create index due_messages_behind on due_messages (behind, place)
    where behind is not null`.execute(db);
  await sql`create index due_messages_expiry on due_messages (expires_at)`.execute(db);
  await sql`
    create index due_messages_waiting on due_messages (stream_id, waits_until)
    where waits_until is not null`.execute(db);
  await sql`
    create index due_messages_typing on due_messages (chat_id)
    where waits_until is not null`.execute(db);
}
