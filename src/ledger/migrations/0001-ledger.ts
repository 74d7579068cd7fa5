import { sql, type Kysely } from 'kysely';

/** Messages with their attempts and evidence, edits, the inbox of notifications, operations. */
export async function up(db: Kysely<never>): Promise<void> {
  // One sequence for claims, outcomes and evidence, so that what came before what can be told without clocks.
  await sql`create sequence ledger_seq`.execute(db);
  await sql`
    create table messages (
      id text primary key,
      instance text not null,
      chat_id text,
      kind text not null,
      content json not null,
      body_hash text not null,
      request_hash text not null,
      state text not null check (state in (
        'pending', 'sending', 'unknown', 'unresolved', 'accepted', 'sent', 'delivered', 'read',
        'rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed')),
      version integer not null default 1,
      priority text not null,
      category text not null,
      on_unknown text not null,
      reference text,
      status_callback text,
      attempt_token text,
      cancel_requested_at timestamptz,
      id_message text,
      reason text,
      reason_text text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      accepted_at timestamptz,
      sent_at timestamptz,
      delivered_at timestamptz,
      read_at timestamptz,
      sent_seen_at timestamptz,
      ended_at timestamptz
    )`.execute(db);
  await sql`
    create unique index messages_identical on messages (instance, coalesce(chat_id, ''), kind, body_hash)
    where state in ('sending', 'unknown')`.execute(db);
  await sql`create index messages_newest on messages (created_at desc, id desc)`.execute(db);
  await sql`create index messages_of_instance on messages (instance, created_at desc, id desc)`.execute(db);
  await sql`create index messages_of_chat on messages (chat_id, created_at desc, id desc)`.execute(db);
  await sql`create index messages_of_reference on messages (reference) where reference is not null`.execute(db);
  await sql`
    create index messages_open on messages (instance, state, created_at)
    where state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted')`.execute(db);

  await sql`
    create table attempts (
      seq bigint primary key default nextval('ledger_seq'),
      token text not null unique,
      message_id text not null references messages (id),
      worker text not null,
      content json not null,
      body_hash text not null,
      claimed_at timestamptz not null,
      posting_deadline_at timestamptz not null,
      reconcile_after timestamptz not null,
      outcome text check (outcome in ('accepted', 'rejected', 'not_accepted', 'unknown')),
      outcome_seq bigint,
      outcome_at timestamptz,
      id_message text,
      code text,
      text text,
      http_status integer
    )`.execute(db);
  await sql`create index attempts_of_message on attempts (message_id, seq)`.execute(db);
  await sql`
    alter table messages add constraint messages_attempt foreign key (attempt_token) references attempts (token)
  `.execute(db);

  await sql`
    create table evidence (
      seq bigint primary key default nextval('ledger_seq'),
      message_id text not null references messages (id),
      fact text not null,
      at timestamptz not null,
      witness text not null,
      what text not null,
      detail json,
      unique (message_id, fact)
    )`.execute(db);

  await sql`
    create table message_ids (
      instance text not null,
      id_message text not null,
      message_id text not null references messages (id),
      role text not null check (role in ('message', 'edit')),
      stored_at timestamptz not null,
      primary key (instance, id_message)
    )`.execute(db);
  await sql`create index message_ids_of_message on message_ids (message_id)`.execute(db);

  await sql`
    create table parked_receipts (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      id_message text not null,
      receipt json not null,
      receipt_hash text not null,
      parked_at timestamptz not null,
      primary key (instance, id_message, receipt_hash)
    )`.execute(db);

  await sql`
    create table notifications (
      id bigint generated always as identity primary key,
      instance text not null,
      body json not null,
      body_hash text not null,
      received_at timestamptz not null,
      applied_at timestamptz,
      outcome text,
      unique (instance, body_hash)
    )`.execute(db);
  await sql`create index notifications_unapplied on notifications (id) where applied_at is null`.execute(db);

  await sql`
    create table requests (
      message_id text primary key,
      request_hash text not null,
      requested_at timestamptz not null
    )`.execute(db);

  await sql`
    create table edits (
      seq bigint not null unique default nextval('ledger_seq'),
      id text primary key,
      message_id text not null references messages (id),
      text text not null,
      state text not null check (state in (
        'pending', 'sending', 'posted', 'edited', 'too_late', 'refused', 'unconfirmed', 'superseded', 'not_possible')),
      via text check (via in ('before_send', 'gateway')),
      requested_at timestamptz not null,
      posted_at timestamptz,
      ended_at timestamptz,
      id_message_given text,
      id_message_returned text,
      reason text
    )`.execute(db);
  await sql`create index edits_of_message on edits (message_id, seq)`.execute(db);

  await sql`
    create table operations (
      id text primary key,
      method text not null,
      instance text not null,
      request_hash text not null,
      request json,
      state text not null check (state in ('pending', 'sending', 'done', 'failed', 'may_have_happened')),
      result json,
      code text,
      text text,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);

  await sql`
    create table gateway_clocks (
      instance text primary key,
      offset_ms bigint not null,
      measured_at timestamptz not null
    )`.execute(db);
}
