import { sql, type Kysely } from 'kysely';

/** Messages, the attempts to post them, their edits, and the evidence of all that. */
export async function createMessages(db: Kysely<never>): Promise<void> {
  // A null workflow_id stands for `message:<id>`, or for a message without a run.
  await sql`
    create table messages (
      id text collate "C" primary key,
      instance text not null,
      chat_id text,
      kind text not null,
      content json not null,
      body_hash text not null,
      request_hash text not null,
      state text not null check (state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted', 'sent',
        'delivered', 'read', 'rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed')),
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
      ended_at timestamptz,
      namespace text,
      campaign_id text collate "C",
      line integer,
      content_version integer,
      delivered_seen_at timestamptz,
      read_seen_at timestamptz,
      workflow_id text,
      stream_id bigint,
      due_at timestamptz,
      place bigint,
      run text not null default 'none' check (run in ('none', 'wanted', 'starting', 'started')),
      run_waits boolean not null default false,
      send_at timestamptz,
      typing_ms integer,
      requested_by text,
      constraint messages_dispatched check ((stream_id is null) = (due_at is null) and (stream_id is null) = (place is null)),
      constraint messages_recipient check ((campaign_id is null) = (line is null))
    ) with (fillfactor = 80)`.execute(db);
  await sql`create index messages_newest on messages (created_at desc, id desc)`.execute(db);
  await sql`
    create index messages_of_campaign on messages (campaign_id, state, line)
    where campaign_id is not null`.execute(db);
  await sql`create index messages_of_chat on messages (chat_id, created_at desc, id desc)`.execute(db);
  await sql`create index messages_of_instance on messages (instance, created_at desc, id desc)`.execute(db);
  await sql`
    create index messages_of_reference on messages (reference)
    where reference is not null`.execute(db);
  // What the automatic pause of a campaign reads: its newest outcomes, from the end.
  await sql`
    create index messages_outcomes on messages (campaign_id, coalesce(ended_at, sent_seen_at))
    where campaign_id is not null and state in ('sent', 'delivered', 'read', 'failed', 'no_account', 'rejected')
      and reason is distinct from 'content_invalid'`.execute(db);
  await sql`
    create index messages_runs_wanted on messages (place)
    where run = 'wanted'`.execute(db);
  await sql`
    create index messages_without_receipt on messages (accepted_at)
    where state = 'accepted' and ended_at is null`.execute(db);
  await sql`
    create index messages_unfinished on messages (id)
    where state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted') and ended_at is null`.execute(db);

  await sql`
    create table attempts (
      seq bigint default nextval('ledger_seq') primary key,
      token text not null unique,
      message_id text collate "C" not null references messages (id),
      worker text not null,
      content json not null,
      body_hash text not null,
      claimed_at timestamptz not null,
      posting_deadline_at timestamptz not null,
      reconcile_after timestamptz not null,
      loss_seen_at timestamptz,
      outcome text check (outcome in ('accepted', 'rejected', 'not_accepted', 'unknown')),
      outcome_seq bigint,
      outcome_at timestamptz,
      id_message text,
      code text,
      text text,
      http_status integer,
      retry_at timestamptz,
      instance text,
      epoch bigint,
      identical_hash bytea
    ) with (fillfactor = 80)`.execute(db);
  // Identical messages are in flight one at a time; the hash is removed when the message is no longer in flight or in doubt.
  await sql`
    create unique index attempts_in_flight on attempts (instance, identical_hash)
    where identical_hash is not null and (outcome is null or outcome = 'unknown')`.execute(db);
  // Messages whose outcome is unknown or unresolved, and the few of which it was.
  await sql`
    create index attempts_unknown on attempts (message_id)
    where outcome = 'unknown'`.execute(db);
  await sql`create index attempts_of_message on attempts (message_id, seq)`.execute(db);

  // No foreign key, here, in pending_signals and from messages to attempts: to check it costs more than the write.
  await sql`
    create table evidence (
      seq bigint not null default nextval('ledger_seq'),
      message_id text collate "C" not null,
      fact text not null,
      at timestamptz not null,
      witness text not null,
      what text not null,
      detail json,
      primary key (message_id, fact)
    )`.execute(db);

  await sql`
    create table message_ids (
      instance text not null,
      id_message text not null,
      message_id text collate "C" not null references messages (id),
      role text not null check (role in ('message', 'edit')),
      stored_at timestamptz not null,
      notified_at timestamptz,
      left_at timestamptz,
      primary key (instance, id_message)
    )`.execute(db);
  await sql`
    create index message_ids_by_time on message_ids (instance, stored_at)
    where role = 'message'`.execute(db);
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
  await sql`create index parked_receipts_by_time on parked_receipts (parked_at)`.execute(db);
  await sql`create index parked_receipts_newest on parked_receipts (instance, seq)`.execute(db);

  await sql`
    create table edits (
      seq bigint not null default nextval('ledger_seq') unique,
      id text primary key,
      message_id text collate "C" not null references messages (id),
      text text not null,
      state text not null check (state in ('pending', 'sending', 'posted', 'edited', 'too_late', 'refused',
        'unconfirmed', 'superseded', 'not_possible')),
      via text check (via in ('before_send', 'gateway')),
      requested_at timestamptz not null,
      posted_at timestamptz,
      ended_at timestamptz,
      id_message_given text,
      id_message_returned text,
      reason text,
      try_token text,
      may_have_arrived boolean not null default false,
      campaign_id text collate "C",
      content_version integer,
      tried_at timestamptz,
      constraint edits_amendment check ((campaign_id is null) = (content_version is null))
    )`.execute(db);
  await sql`create index edits_of_message on edits (message_id, seq)`.execute(db);
  await sql`
    create index edits_unsettled on edits (message_id)
    where state in ('pending', 'sending', 'posted')`.execute(db);
  await sql`
    create index edits_of_amendment on edits (campaign_id, content_version, state)
    where campaign_id is not null`.execute(db);
}
