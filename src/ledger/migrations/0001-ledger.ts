import { sql, type Kysely } from 'kysely';
import { COMMENTS } from './comments.js';
import { createErasureTables } from './erasure-tables.js';
import { createEvents } from './events.js';
import { createMessageCounts } from './message-counts.js';

/** Every table of the ledger, as `schema.sql` shows them. */
export async function up(db: Kysely<never>): Promise<void> {
  // One sequence for claims, outcomes and evidence gives their order without clocks.
  await sql`create sequence ledger_seq`.execute(db);

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

  await sql`
    create table files (
      id text collate "C" primary key,
      sha256 text not null,
      content_type text not null,
      size_bytes bigint not null,
      stored_at timestamptz,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table file_parts (
      file_id text collate "C" not null references files (id) on update cascade on delete cascade,
      no integer not null,
      bytes bytea not null,
      primary key (file_id, no)
    )`.execute(db);
  // What is compressed already is not compressed again.
  await sql`alter table file_parts alter column bytes set storage external`.execute(db);
  await sql`create index files_expires_at on files (expires_at)`.execute(db);
  await sql`
    create table file_links (
      instance text not null,
      file_id text collate "C" not null references files (id) on delete cascade,
      url text not null,
      expires_at timestamptz not null,
      primary key (instance, file_id)
    )`.execute(db);

  // No foreign key, here and in pending_signals: to check it costs more than the insert, and messages are not deleted.
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

  await sql`
    create table operations (
      id text collate "C" primary key,
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
    create index operations_ended on operations (ended_at)
    where ended_at is not null`.execute(db);

  // What is read of accounts again and again, and what was read.
  await sql`
    create table recurring_jobs (
      id text primary key,
      kind text not null check (kind in ('stories', 'group')),
      instance text not null,
      group_id text,
      every_ms bigint not null,
      created_at timestamptz not null,
      next_at timestamptz not null,
      last_at timestamptz,
      problem text,
      constraint recurring_jobs_group check ((kind = 'group') = (group_id is not null))
    )`.execute(db);
  await sql`
    create table stories (
      instance text not null,
      id_message text collate "C" not null,
      at timestamptz not null,
      seen_at timestamptz not null,
      story json not null,
      primary key (instance, id_message)
    )`.execute(db);
  await sql`create index stories_newest on stories (at desc, id_message desc)`.execute(db);
  await sql`
    create table group_snapshots (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      group_id text not null,
      taken_at timestamptz not null,
      seen_until timestamptz not null,
      data json not null,
      data_hash text not null
    )`.execute(db);
  await sql`create index group_snapshots_of on group_snapshots (instance, group_id, seq)`.execute(db);

  await sql`
    create table gateway_clocks (
      instance text primary key,
      measured_at timestamptz not null,
      lowest_offset_ms bigint not null,
      highest_offset_ms bigint not null,
      constraint gateway_clocks_check check (lowest_offset_ms <= highest_offset_ms)
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

  // Unlogged: a turn is worth nothing after a crash of the database. The free space keeps each update on its page.
  await sql`
    create unlogged table rate_limit_buckets (
      instance text not null,
      operation text not null,
      next_turn timestamptz not null,
      blocked_until timestamptz not null,
      granted_from timestamptz not null,
      granted integer not null,
      primary key (instance, operation)
    ) with (fillfactor = 50)`.execute(db);

  // Which of several workers runs a background job.
  await sql`
    create table leases (
      name text primary key,
      holder text not null,
      held_until timestamptz not null
    )`.execute(db);

  // A campaign with plan_only_until was made for a plan: it never starts, and is removed at that time.
  await sql`
    create table campaigns (
      id text collate "C" primary key,
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
      reference text,
      deadline_at timestamptz,
      state text not null check (state in ('draft', 'scheduled', 'running', 'paused', 'cancelling', 'completed',
        'completed_with_failures', 'cancelled', 'expired')),
      version integer not null default 1,
      audience_no bigint,
      audience integer not null default 0,
      read_ahead_line integer not null default 0,
      state_without_message text not null default 'pending' check (state_without_message in ('pending', 'cancelled', 'expired')),
      created_at timestamptz not null,
      started_at timestamptz,
      paused_at timestamptz,
      cancel_requested_at timestamptz,
      ended_at timestamptz,
      pause_text text,
      namespace text,
      auto_pause_from timestamptz,
      command_asked bigint not null default 0,
      plan_until timestamptz,
      name text,
      start_at timestamptz,
      start_missed_at timestamptz,
      sending_windows json,
      limits json,
      by_timezone boolean not null default false,
      typing_ms integer,
      constraint campaigns_plans_never_start check ((plan_until is null) or state in ('draft', 'cancelled'))
    )`.execute(db);
  await sql`create index campaigns_newest on campaigns (created_at desc, id desc)`.execute(db);
  await sql`
    create index campaigns_open on campaigns (instance)
    where state in ('running', 'paused', 'cancelling')`.execute(db);
  await sql`
    create index campaigns_plans on campaigns (plan_until)
    where plan_until is not null`.execute(db);

  // A version of a campaign's text that is also given to those who have an older one, by edits.
  await sql`
    create table amendments (
      campaign_id text collate "C" not null references campaigns (id),
      content_version integer not null,
      content json not null,
      content_before json not null,
      stop boolean not null,
      begun_at timestamptz not null,
      counts_before json not null,
      opened_at timestamptz,
      ended_at timestamptz,
      counts_after json,
      primary key (campaign_id, content_version)
    )`.execute(db);
  await sql`
    create index amendments_open on amendments (campaign_id)
    where ended_at is null`.execute(db);

  // A schedule is here; Temporal's schedule of the same id is made to follow it, up to synced_version.
  await sql`
    create table schedules (
      id text collate "C" primary key,
      request_hash text not null,
      definition json not null,
      state text not null check (state in ('active', 'paused', 'deleted')),
      note text,
      version integer not null default 1,
      synced_version integer not null default 0,
      covered_from timestamptz not null,
      problem text,
      namespace text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index schedules_newest on schedules (created_at desc, id desc)`.execute(db);
  await sql`
    create index schedules_unsynced on schedules (id)
    where synced_version < version`.execute(db);

  // One row for each occurrence that was met: it never runs again.
  await sql`
    create table schedule_runs (
      schedule_id text collate "C" not null references schedules (id),
      at timestamptz not null,
      kind text not null check (kind in ('schedule', 'trigger', 'backfill')),
      key text,
      campaign_id text collate "C",
      state text not null check (state in ('pending', 'waiting', 'started', 'skipped', 'failed')),
      start_at timestamptz not null,
      reason text,
      text text,
      tries integer not null default 0,
      created_at timestamptz not null,
      ended_at timestamptz,
      begun_at timestamptz,
      message_id text collate "C",
      primary key (schedule_id, at),
      constraint schedule_runs_one check ((campaign_id is null) <> (message_id is null))
    )`.execute(db);
  await sql`create unique index schedule_runs_key on schedule_runs (schedule_id, key)`.execute(db);
  await sql`
    create index schedule_runs_open on schedule_runs (schedule_id, at)
    where ended_at is null`.execute(db);

  // How many recipients of a campaign are in each state, as changes to be added up: appended by triggers, folded now and then.
  // No statement updates a row here, so that statements of several campaigns do not wait for each other.
  await sql`
    create table campaign_counts (
      campaign_id text collate "C" not null,
      state text not null,
      is_open boolean not null,
      reason text,
      recipients bigint not null
    )`.execute(db);
  await sql`create index campaign_counts_of on campaign_counts (campaign_id)`.execute(db);

  // Which shift dispatches an instance, and what it knows of the gateway's queue. A claim locks the row of its instance first.
  await sql`
    create table dispatchers (
      instance text primary key,
      epoch bigint not null,
      worker text not null,
      begun_at timestamptz not null,
      seen_at timestamptz not null,
      ended_at timestamptz,
      queue_depth integer,
      depth_read_at timestamptz,
      release_interval_ms integer,
      in_flight integer not null default 0,
      post_window integer
    ) with (fillfactor = 50)`.execute(db);

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

  // Up to which line the recipients of each timezone were read, where a campaign goes by the clocks of its recipients.
  await sql`
    create table campaign_timezones (
      campaign_id text collate "C" not null references campaigns (id),
      timezone text not null,
      read_ahead_line integer not null default 0,
      primary key (campaign_id, timezone)
    )`.execute(db);

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

  await sql`
    create table audiences (
      no bigint generated always as identity primary key,
      campaign_id text collate "C" not null references campaigns (id),
      source_hash text,
      lines integer not null default 0,
      verdicts json,
      columns json,
      begun_at timestamptz not null,
      finished_at timestamptz,
      discarded boolean not null default false
    )`.execute(db);
  await sql`create index audiences_of_campaign on audiences (campaign_id)`.execute(db);

  // A recipient gets a row in `messages` when it is due: a million recipients cost a million short rows.
  await sql`
    create table recipients (
      audience_no bigint not null,
      line integer not null check (line < 1073741824),
      chat_id text not null,
      values json not null,
      timezone text,
      primary key (audience_no, line)
    )`.execute(db);
  await sql`create unique index recipients_chats on recipients (audience_no, chat_id)`.execute(db);
  await sql`
    create index recipients_timezones on recipients (audience_no, timezone, line)
    where timezone is not null`.execute(db);

  await sql`
    create table recipient_rejects (
      audience_no bigint not null,
      line integer not null,
      reason text not null,
      value text not null,
      primary key (audience_no, line)
    )`.execute(db);

  await sql`
    create table queue_readings (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      begun_at timestamptz not null,
      ended_at timestamptz not null,
      length integer not null,
      items json not null
    )`.execute(db);
  await sql`create index queue_readings_of_instance on queue_readings (instance, seq)`.execute(db);

  await sql`
    create table templates (
      instance text not null,
      element_name text collate "C" not null,
      definition json not null,
      definition_hash text not null,
      state text not null check (state in ('pending', 'sending', 'unknown', 'submitted', 'refused')),
      version integer not null default 1,
      template_id text,
      status text,
      status_since timestamptz,
      reason text,
      last_reading text,
      may_exist boolean not null default false,
      attempt_token text,
      reconcile_after timestamptz,
      created_at timestamptz not null,
      submitted_at timestamptz,
      checked_at timestamptz,
      next_check_at timestamptz,
      check_code text,
      check_text text,
      unwatched_since timestamptz,
      namespace text,
      primary key (instance, element_name)
    )`.execute(db);
  await sql`create index templates_by_id on templates (instance, template_id)`.execute(db);

  await sql`
    create table template_changes (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      element_name text collate "C" not null,
      at timestamptz not null,
      witness text not null,
      what text not null,
      status text,
      reason text,
      detail json,
      foreign key (instance, element_name) references templates(instance, element_name)
    )`.execute(db);
  await sql`create index template_changes_of on template_changes (instance, element_name, seq)`.execute(db);

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

  // What pauses an instance until it is resumed.
  await sql`
    create table instance_pauses (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      reason text not null check (reason in ('yellowCard', 'blocked', 'suspended', 'operator')),
      since timestamptz not null,
      witness text not null,
      resumed_at timestamptz,
      resumed_by text check (resumed_by in ('operator', 'authorized')),
      constraint instance_pauses_check check ((resumed_at is null) = (resumed_by is null))
    )`.execute(db);
  await sql`
    create unique index instance_pauses_on on instance_pauses (instance, reason)
    where resumed_at is null`.execute(db);

  await sql`
    create table instance_connections (
      instance text primary key,
      status text not null,
      since timestamptz not null
    )`.execute(db);

  // Nothing is deleted: an entry that is removed keeps the time and the reason.
  await sql`
    create table suppressions (
      id text primary key,
      instance text,
      chat_id text not null,
      scope text not null check (scope in ('marketing', 'all')),
      source text not null check (source in ('stop_word', 'operator', 'import')),
      since timestamptz not null,
      recorded_at timestamptz not null,
      word text,
      id_message text,
      note text,
      removed_at timestamptz,
      removed_by text check (removed_by in ('start_word', 'operator')),
      removed_word text,
      removed_id_message text,
      constraint suppressions_check check ((removed_at is null) = (removed_by is null)),
      constraint suppressions_check1 check ((source <> 'stop_word') or ((instance is not null)
        and (id_message is not null)))
    )`.execute(db);
  await sql`create index suppressions_newest on suppressions (recorded_at desc, id desc)`.execute(db);
  await sql`
    create unique index suppressions_wishes on suppressions (coalesce(instance, ''), chat_id, source, scope)
    where source <> 'stop_word' and removed_at is null`.execute(db);
  // A word counts once, however often its notification comes; the wish of an operator or a file once while it is
  // active.
  await sql`
    create unique index suppressions_words on suppressions (instance, id_message)
    where source = 'stop_word'`.execute(db);

  // Every chat id under which the gateway may reach the same recipient.
  await sql`
    create table suppressed_chats (
      chat_id text not null,
      suppression_id text not null references suppressions (id),
      primary key (chat_id, suppression_id)
    )`.execute(db);

  await sql`
    create table start_words (
      instance text not null,
      id_message text not null,
      chat_id text not null,
      word text not null,
      at timestamptz not null,
      primary key (chat_id, instance, id_message)
    )`.execute(db);

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

  // What operators asked of campaigns and instances: a command takes effect once, and never after a later one.
  await sql`
    create table commands (
      subject text not null,
      id text not null,
      kind text not null,
      request_hash text,
      asked bigint not null default nextval('ledger_seq'),
      asked_at timestamptz not null,
      begun_at timestamptz,
      retried integer not null default 0,
      result json,
      requested_by text,
      primary key (subject, id)
    )`.execute(db);
  await sql`create index commands_by_time on commands (asked_at)`.execute(db);

  // Of a key only a hash is here. Revoked ones stay: evidence and the audit list name them.
  await sql`
    create table api_keys (
      id text collate "C" primary key,
      name text collate "C" not null unique,
      hash text not null,
      previous_hash text,
      previous_until timestamptz,
      scopes json not null,
      instances json,
      rate_per_second double precision check (rate_per_second > 0),
      created_at timestamptz not null,
      created_by text not null,
      last_used_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      constraint api_keys_previous check ((previous_hash is null) = (previous_until is null))
    )`.execute(db);

  await sql`
    create table audit (
      seq bigint default nextval('ledger_seq') primary key,
      at timestamptz not null,
      witness text not null,
      route text not null,
      object_id text,
      instance text,
      status integer not null,
      code text,
      request_id text not null
    )`.execute(db);
  await sql`create index audit_by_time on audit (at)`.execute(db);
  await sql`create index audit_of_witness on audit (witness, seq)`.execute(db);
  await sql`create index audit_of_instance on audit (instance, seq)`.execute(db);

  await sql`
    create table instance_states (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      state text not null,
      since timestamptz not null,
      seen_until timestamptz not null
    )`.execute(db);
  await sql`create index instance_states_by_end on instance_states (seen_until)`.execute(db);
  await sql`create index instance_states_by_time on instance_states (instance, since)`.execute(db);
  await sql`create index instance_states_newest on instance_states (instance, seq)`.execute(db);

  await sql`
    alter table campaigns add constraint campaigns_audience foreign key (audience_no) references audiences (no)`.execute(
    db,
  );
  await sql`
    alter table messages add constraint messages_attempt foreign key (attempt_token) references attempts (token)`.execute(
    db,
  );
  await sql`
    alter table messages add constraint messages_campaign foreign key (campaign_id) references campaigns (id)`.execute(
    db,
  );

  // A function, because each of its statements sees what others committed while it waited for the lock. The length
  // keeps two pairs from reading as one.
  await sql`
    create function lock_id_message(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0));
      return not exists (select from message_ids where instance = an_instance and id_message = an_id_message)
        and not exists (select from parked_receipts where instance = an_instance and id_message = an_id_message);
    end $$`.execute(db);
  // The same lock, for many ids in one statement: waiting for several could be a deadlock.
  await sql`
    create function try_lock_unowned_id(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      return pg_try_advisory_xact_lock(
          hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0))
        and not exists (select from message_ids where instance = an_instance and id_message = an_id_message);
    end $$`.execute(db);

  // A workflow that waits for a message is signalled when the message is settled or first sent, when its receipts are no longer
  // waited for, and when an edit of it changed. Receipts after the first signal nothing, in whatever order they come.
  // The time is reset, so that a signal that was put off is tried for the newer version. The first outcome completes the
  // activity that the workflow waits in; what comes later is a signal.
  await sql`
    create function record_signal() returns trigger language plpgsql as $$
    begin
      insert into pending_signals as p (message_id, version, since, next_try_at, completes_send)
      values (new.id, new.version, clock_timestamp(), '-infinity', old.state in ('pending', 'sending', 'unknown'))
      on conflict (message_id) do update
        set version = greatest(p.version, excluded.version), next_try_at = excluded.next_try_at,
          completes_send = p.completes_send or excluded.completes_send, tries = 0;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_record_signal after update of version on messages for each row
    when (new.run = 'started' and new.version <> old.version and (new.ended_at is distinct from old.ended_at
      or (new.state <> old.state and new.state in
        ('accepted', 'rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed', 'unresolved'))
      or (new.state in ('sent', 'delivered', 'read')
        and (new.run_waits or old.state not in ('sent', 'delivered', 'read')))))
    execute function record_signal()`.execute(db);

  // At the end of the transaction, when the message has the version that the edit gave it. The workflow itself begins an edit.
  await sql`
    create function record_edit_signal() returns trigger language plpgsql as $$
    begin
      -- A run is told of a new edit by who wrote it; the signal is for when that did not succeed.
      insert into pending_signals as p (message_id, version, since, next_try_at, completes_send)
      select id, version, clock_timestamp(),
        case tg_op when 'INSERT' then clock_timestamp() + interval '30 seconds' else '-infinity' end, false
      from messages where id = new.message_id and run = 'started'
      on conflict (message_id) do update
        set version = greatest(p.version, excluded.version), next_try_at = least(p.next_try_at, excluded.next_try_at),
          tries = 0;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger edits_record_signal after update of state on edits
    deferrable initially deferred for each row execute function record_edit_signal()`.execute(db);
  await sql`
    create constraint trigger edits_record_new after insert on edits deferrable initially deferred
    for each row when (new.campaign_id is null) execute function record_edit_signal()`.execute(db);

  // A dispatched message has a row in due_messages exactly while it is pending, whichever statement moves it. The claim and
  // the ordinary acceptance, which happen to nearly every message, keep to that by themselves and do not fire this.
  await sql`
    create function keep_due_row() returns trigger language plpgsql as $$
    declare
      next_due timestamptz;
    begin
      if old.state in ('sending', 'unknown', 'unresolved') then
        if new.state not in ('sending', 'unknown', 'unresolved') or new.ended_at is not null then
          update attempts set identical_hash = null where message_id = new.id and identical_hash is not null;
        end if;
        update due_messages d set due_at = m.due_at, behind = null
        from messages m where d.behind = new.id and m.id = d.message_id;
      end if;
      if old.state = 'pending' then
        delete from due_messages
        where stream_id = new.stream_id and due_at in (new.due_at, 'infinity') and place = new.place;
      elsif new.state = 'pending' then
        next_due := coalesce((select retry_at from attempts where token = old.attempt_token), new.due_at);
        update messages set due_at = next_due where id = new.id and due_at <> next_due;
        -- An ended campaign has no stream any more; reading ahead makes one for what a retry takes up.
        -- Typing is shown once, unless the message had ended.
        insert into due_messages (stream_id, due_at, place, message_id, chat_id, expires_at, behind, typing_ms)
        select new.stream_id, case when s.id is null then 'infinity' else next_due end, new.place, new.id, new.chat_id,
          new.expires_at, case when s.id is null then new.campaign_id end,
          case when old.state not in ('sending', 'unknown', 'unresolved') then new.typing_ms end
        from (select) one left join streams s on s.id = new.stream_id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_keep_due_row after update of state, ended_at on messages for each row
    when (new.stream_id is not null
      and (new.state <> old.state or (new.state = 'unresolved' and new.ended_at is distinct from old.ended_at))
      and not (old.state = 'pending' and new.state = 'sending')
      and not (old.state = 'sending' and new.state = 'accepted'))
    execute function keep_due_row()`.execute(db);

  await sql`
    create function count_recipients() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
        select campaign_id, state, ended_at is null, case when state = 'expired' then reason end, count(*)
        from new_rows where campaign_id is not null group by 1, 2, 3, 4;
      else
        insert into campaign_counts (campaign_id, state, is_open, reason, recipients)
        select campaign_id, state, is_open, reason, sum(recipients) from (
          select campaign_id, state, ended_at is null as is_open, case when state = 'expired' then reason end as reason,
            -1 as recipients from old_rows where campaign_id is not null
          union all
          select campaign_id, state, ended_at is null, case when state = 'expired' then reason end, 1
          from new_rows where campaign_id is not null) changed
        group by 1, 2, 3, 4 having sum(recipients) <> 0;
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger messages_count_inserted after insert on messages referencing new table as new_rows
    for each statement execute function count_recipients()`.execute(db);
  await sql`
    create trigger messages_count_changed after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function count_recipients()`.execute(db);

  await createErasureTables(db);
  await createEvents(db);
  await createMessageCounts(db);

  for (const [subject, comment] of Object.entries(COMMENTS)) {
    const kind = subject.includes('.') ? sql`column` : sql`table`;
    await sql`comment on ${kind} ${sql.ref(subject)} is ${sql.lit(comment)}`.execute(db);
  }
}
