/** Campaigns, their audiences, and the schedules that begin them. */
export const CAMPAIGNS = `
    -- A campaign with plan_until exists only for a plan: it never starts, and is removed at that time.
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
      doubtful integer not null default 0,
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
      recipients_removed_at timestamptz,
      replies_for_seconds integer not null,
      variants json,
      winner text,
      constraint campaigns_plans_never_start check ((plan_until is null) or state in ('draft', 'cancelled'))
    );
    create index campaigns_newest on campaigns (created_at desc, id desc);
    create index campaigns_open on campaigns (instance) where state in ('running', 'paused', 'cancelling');
    create index campaigns_scheduled on campaigns (start_at) where state = 'scheduled';
    create index campaigns_plans on campaigns (plan_until) where plan_until is not null;

    -- The accounts of a campaign, one or a pool, in the order of its definition. Streams of an account that is out are not
    -- current (STREAM-1).
    create table campaign_accounts (
      campaign_id text collate "C" not null references campaigns (id) on delete cascade,
      instance text not null,
      place integer not null,
      since timestamptz not null,
      blocked_since timestamptz,
      out_at timestamptz,
      out_why text check (out_why in ('removed', 'not_configured', 'cannot_send', 'too_many_failures')),
      out_text text,
      outcomes_from timestamptz,
      primary key (campaign_id, instance),
      constraint campaign_accounts_out check ((out_at is null) = (out_why is null))
    );
    create index campaign_accounts_of on campaign_accounts (instance, campaign_id);

    -- A version of a campaign's text that recipients with an older text also get, by edits.
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
    );
    create index amendments_open on amendments (campaign_id) where ended_at is null;

    -- The row is authoritative. Temporal's schedule of the same id follows it, and matches it up to synced_version.
    create table schedules (
      id text collate "C" primary key,
      request_hash text not null,
      definition json not null,
      state text not null check (state in ('active', 'paused', 'ended', 'deleted')),
      note text,
      version integer not null default 1,
      synced_version integer not null default 0,
      missed_seen integer not null default 0,
      missed_until timestamptz not null,
      overlapped integer not null default 0,
      problem text,
      namespace text not null,
      created_at timestamptz not null
    );
    create index schedules_newest on schedules (created_at desc, id desc);
    create index schedules_unsynced on schedules (id) where synced_version < version;

    -- One row for each occurrence, so that it never runs again.
    create table schedule_runs (
      schedule_id text collate "C" not null references schedules (id),
      at timestamptz not null,
      kind text not null check (kind in ('schedule', 'trigger', 'backfill')),
      key text,
      campaign_id text collate "C",
      state text not null check (state in ('pending', 'started', 'skipped', 'missed', 'failed')),
      schedule_version integer not null,
      due_at timestamptz not null,
      reason text,
      text text,
      tries integer not null default 0,
      created_at timestamptz not null,
      ended_at timestamptz,
      message_id text collate "C",
      primary key (schedule_id, at),
      constraint schedule_runs_one check ((campaign_id is null) <> (message_id is null))
    );
    create unique index schedule_runs_key on schedule_runs (schedule_id, key);
    create index schedule_runs_open on schedule_runs (schedule_id, at) where ended_at is null;
    create index schedule_runs_bad on schedule_runs (schedule_id) where state in ('missed', 'failed');

    -- How many recipients of a campaign are in each state, as changes to sum up. Triggers append rows and a background
    -- job folds them. No statement updates a row here, so that statements of several campaigns do not wait for each
    -- other.
    create table campaign_counts (
      campaign_id text collate "C" not null,
      instance text not null,
      variant text,
      state text not null,
      is_open boolean not null,
      reason text,
      recipients bigint not null
    );
    create index campaign_counts_of on campaign_counts (campaign_id);

    -- What recipients wrote after a campaign's message: the first reply and the first opt-out of each.
    create table campaign_responses (
      message_id text collate "C" primary key,
      campaign_id text collate "C" not null,
      instance text not null,
      -- That of the recipient, by which lists of responses are in order.
      line integer not null,
      replied_at timestamptz,
      replied_id text,
      opted_out_at timestamptz,
      opted_out_id text,
      constraint campaign_responses_replied check ((replied_at is null) = (replied_id is null)),
      constraint campaign_responses_opted_out check ((opted_out_at is null) = (opted_out_id is null))
    );
    create index campaign_responses_replied on campaign_responses (campaign_id, line) where replied_at is not null;
    create index campaign_responses_opted_out on campaign_responses (campaign_id, line)
      where opted_out_at is not null;
    create index campaign_responses_opt_outs on campaign_responses (opted_out_id) where opted_out_id is not null;

    -- Their sums, which stay when the messages are removed.
    create table campaign_response_counts (
      campaign_id text collate "C" not null,
      instance text not null,
      variant text not null,
      replied bigint not null,
      opted_out bigint not null,
      primary key (campaign_id, instance, variant)
    ) with (fillfactor = 50);

    create function count_response() returns trigger language plpgsql as $$
    begin
      insert into campaign_response_counts as c (campaign_id, instance, variant, replied, opted_out)
      select new.campaign_id, new.instance, coalesce(m.variant, ''),
        (new.replied_at is not null)::integer - (old.replied_at is not null)::integer,
        (new.opted_out_at is not null)::integer - (old.opted_out_at is not null)::integer
      from messages m where m.id = new.message_id
      on conflict (campaign_id, instance, variant) do update
        set replied = c.replied + excluded.replied, opted_out = c.opted_out + excluded.opted_out;
      return null;
    end $$;
    create trigger campaign_responses_count after insert or update on campaign_responses for each row
    execute function count_response();

    -- How far each timezone was read, for campaigns that use the local time of their recipients.
    create table campaign_timezones (
      campaign_id text collate "C" not null references campaigns (id),
      timezone text not null,
      recipients integer not null,
      read_ahead_line integer not null default 0,
      read_recipients integer not null default 0,
      primary key (campaign_id, timezone)
    );

    create table audiences (
      no bigint generated always as identity primary key,
      campaign_id text collate "C" not null references campaigns (id),
      source_hash text,
      lines integer not null default 0,
      verdicts json,
      columns json,
      -- The names of all columns of its rejected lines, in the order of the source.
      reject_columns json,
      likely_country text,
      -- An addition begins with a copy of this audience. Its own lines come after after_line.
      adds_to bigint,
      after_line integer not null default 0,
      additions json not null default '[]',
      begun_at timestamptz not null,
      finished_at timestamptz,
      discarded boolean not null default false
    );
    create index audiences_of_campaign on audiences (campaign_id);

    -- A recipient gets a row in messages only when it is due, so a million recipients cost a million short rows.
    create table recipients (
      audience_no bigint not null,
      line integer not null check (line < 1073741824),
      chat_id text not null,
      -- Only where the recipient's key differs from the chat id.
      key text,
      values json not null,
      timezone text,
      primary key (audience_no, line)
    );
    create unique index recipients_keys on recipients (audience_no, coalesce(key, chat_id));
    create index recipients_timezones on recipients (audience_no, timezone, line) where timezone is not null;

    create table recipient_rejects (
      audience_no bigint not null,
      line integer not null,
      reason text not null,
      value text not null,
      columns json not null,
      chat_id text,
      duplicate_of integer,
      primary key (audience_no, line)
    );

    -- Dispatchers, their streams, and what is due in each.

    -- The shift that dispatches an instance, and its data about the gateway's queue. A claim locks its instance's row
    -- first.
    create table dispatchers (
      instance text primary key,
      epoch bigint not null,
      run text not null,
      former_runs text[] not null default '{}',
      shift integer not null,
      attempt integer not null,
      worker text not null,
      process text,
      task_token text,
      begun_at timestamptz not null,
      seen_at timestamptz not null,
      ended_at timestamptz,
      queue_depth integer,
      depth_estimated_at timestamptz,
      release_interval_ms integer,
      in_flight integer not null default 0,
      post_window integer,
      delays json,
      mark bigint not null default 0,
      restore integer not null default 0
    ) with (fillfactor = 50);

    -- The worker processes that are alive. The shifts of a dead process are taken over.
    create table worker_processes (
      process text primary key,
      alive_since timestamptz not null,
      alive_until timestamptz not null
    );

    -- Selection reads streams, not messages. Classes: 0 urgent, 1 high, 2 normal, 3 low.
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
      content_version integer,
      opens_at timestamptz not null default '-infinity',
      closes_at timestamptz not null default 'infinity',
      next_at timestamptz not null default '-infinity',
      closed_by text check (closed_by in ('SENDING_WINDOW_CLOSED', 'QUIET_HOURS')),
      closed_since timestamptz,
      is_capped boolean not null default false,
      is_jittered boolean not null default false,
      frequency_messages integer,
      frequency_days integer
    ) with (fillfactor = 70);
    create unique index streams_key on streams (instance, class, coalesce(campaign_id, ''), coalesce(element_name, ''),
      coalesce(template_id, ''), needs_phone, kind, category, coalesce(timezone, ''), coalesce(content_version, 0));
    -- Streams with sending hours or limits. Without such streams the index is empty.
    create index streams_closing on streams (instance, closes_at) where closes_at < 'infinity';
    create index streams_of_campaign on streams (campaign_id) where campaign_id is not null;
    create index streams_of_templates on streams (instance, element_name) where element_name is not null or template_id is not null;

    create table instance_settings (
      instance text primary key,
      settings json not null
    );

    -- How many messages of a scope, instance:<name> or campaign:<id>, were posted on a day with a cap.
    create table daily_caps (
      scope text not null,
      day_starts_at timestamptz not null,
      day_ends_at timestamptz not null,
      cap integer not null,
      posted integer not null,
      reached_at timestamptz,
      primary key (scope, day_starts_at)
    ) with (fillfactor = 50);

    -- One row for each pending message. A message that waits for another message, or for its campaign to compose it
    -- again, is due at infinity, and behind contains what it waits for.
    create table due_messages (
      stream_id bigint not null,
      due_at timestamptz not null,
      place bigint not null,
      message_id text collate "C" not null,
      recipient_key text,
      expires_at timestamptz not null,
      behind text collate "C",
      primary key (stream_id, due_at, place),
      constraint due_messages_behind_check check ((behind is null) = (due_at < 'infinity'))
    );
    create index due_messages_behind on due_messages (behind, place) where behind is not null;
    create index due_messages_expiry on due_messages (expires_at);
`;
