import { sql, type Kysely } from 'kysely';

/**
 * Campaigns, their recipients, and the turns at which they feed. A recipient has no row in `messages` until it is fed or
 * asked for by its id: a million recipients cost a million short rows, not a million long ones with every index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table campaigns (
      id text primary key,
      key text not null unique,
      instance text not null,
      request_hash text not null,
      definition json not null,
      content json not null,
      content_version integer not null default 1,
      priority text not null,
      category text not null,
      on_unknown text not null,
      high_water integer not null check (high_water >= 1),
      low_water integer not null check (low_water >= 0 and low_water < high_water),
      reference text,
      deadline_at timestamptz,
      state text not null check (state in ('draft', 'running', 'paused', 'cancelling', 'completed',
        'completed_with_failures', 'cancelled', 'expired')),
      version integer not null default 1,
      audience_no bigint,
      audience integer not null default 0,
      fed_line integer not null default 0,
      unfed_state text not null default 'pending' check (unfed_state in ('pending', 'cancelled', 'expired')),
      created_at timestamptz not null,
      started_at timestamptz,
      paused_at timestamptz,
      cancel_requested_at timestamptz,
      ended_at timestamptz,
      fed_at timestamptz,
      hungry_until timestamptz,
      waiting_code text,
      waiting_text text,
      waiting_since timestamptz,
      namespace text
    )`,
    sql`create index campaigns_newest on campaigns (created_at desc, id desc)`,
    sql`create index campaigns_open on campaigns (instance) where state in ('running', 'paused', 'cancelling')`,
    sql`create table audiences (
      no bigint generated always as identity primary key,
      campaign_id text not null references campaigns (id),
      source_hash text,
      lines integer not null default 0,
      verdicts json,
      columns json,
      begun_at timestamptz not null,
      finished_at timestamptz,
      discarded boolean not null default false
    )`,
    sql`create index audiences_of_campaign on audiences (campaign_id)`,
    sql`alter table campaigns add constraint campaigns_audience foreign key (audience_no) references audiences (no)`,
    sql`create table recipients (
      audience_no bigint not null,
      line integer not null,
      chat_id text not null,
      "values" json not null,
      primary key (audience_no, line)
    )`,
    sql`create unique index recipients_chats on recipients (audience_no, chat_id)`,
    sql`create table recipient_rejects (
      audience_no bigint not null,
      line integer not null,
      reason text not null,
      value text not null,
      primary key (audience_no, line)
    )`,
    sql`alter table messages
      add column campaign_id text,
      add column line integer,
      add column content_version integer,
      add constraint messages_campaign foreign key (campaign_id) references campaigns (id),
      add constraint messages_recipient check ((campaign_id is null) = (line is null))`,
    sql`create index messages_of_campaign on messages (campaign_id, state, line) where campaign_id is not null`,
    sql`create table feeding_turns (
      instance text primary key,
      campaign_id text not null,
      epoch bigint not null,
      held_until timestamptz not null,
      kept_until timestamptz
    )`,
    sql`create table queue_readings (
      instance text primary key,
      depth integer,
      begun_at timestamptz,
      read_at timestamptz,
      unreadable_since timestamptz,
      release_interval_ms integer,
      largest_interval_ms integer,
      base_depth integer,
      base_at timestamptz
    )`,
    sql`create index message_ids_by_time on message_ids (instance, stored_at) where role = 'message'`,
    sql`create table waiting_messages (
      message_id text primary key references messages (id),
      instance text not null,
      rank integer not null,
      what text not null check (what in ('queue', 'authorization')),
      text text not null,
      since timestamptz not null,
      next_try_at timestamptz not null
    )`,
    sql`create index waiting_messages_of_instance on waiting_messages (instance)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
