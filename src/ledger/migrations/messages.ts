/** Messages, their attempts, edits and evidence. */
export const MESSAGES = `
    -- A null workflow_id stands for message:<id>, or for a message without a run.
    create table messages (
      id text collate "C" primary key,
      instance text not null,
      chat_id text,
      recipient_key text,
      kind text not null,
      content json not null,
      body_hash text not null,
      request_hash text not null,
      state text not null check (state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted', 'sent',
        'delivered', 'read', 'rejected', 'failed', 'no_account', 'expired', 'cancelled', 'suppressed', 'held_out')),
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
      run text not null default 'none' check (run in ('none', 'wanted', 'started')),
      send_at timestamptz,
      requested_by text,
      text_length integer,
      hidden text,
      text_removed_at timestamptz,
      test_of text collate "C",
      variant text,
      trace_context json,
      constraint messages_dispatched check ((stream_id is null) = (due_at is null) and (stream_id is null) = (place is null)),
      constraint messages_recipient check (case when test_of is null then (campaign_id is null) = (line is null)
        else campaign_id is null end),
      constraint messages_recipient_key check ((chat_id is null) = (recipient_key is null))
    ) with (fillfactor = 80);
    create index messages_hidden on messages (id) where hidden is not null;
    create index messages_newest on messages (created_at desc, id desc);
    create index messages_of_campaign on messages (campaign_id, state, line) where campaign_id is not null;
    create index messages_of_file on messages ((content ->> 'fileId')) where kind = 'file';
    create index messages_of_instance on messages (instance, created_at desc, id desc);
    create index messages_of_recipient on messages (recipient_key, created_at desc, id desc);
    create index messages_of_reason on messages (reason, created_at desc, id desc) where reason is not null;
    create index messages_of_reference on messages (reference) where reference is not null;
    -- For the automatic pause of a campaign, which reads the newest outcomes.
    create index messages_outcomes on messages (campaign_id, coalesce(ended_at, sent_seen_at))
    where campaign_id is not null and state in ('sent', 'delivered', 'read', 'failed', 'no_account', 'rejected')
      and reason is distinct from 'content_invalid';
    -- A reading of a queue needs the few of one instance among all messages.
    create index messages_in_flight on messages (instance) where state in ('sending', 'unknown');
    create index messages_runs_wanted on messages (place) where run = 'wanted';
    create index messages_without_receipt on messages (instance, accepted_at)
    where state = 'accepted' and ended_at is null;
    create index messages_unfinished on messages (id)
    where run = 'started' and ended_at is null
      and state in ('pending', 'sending', 'unknown', 'unresolved', 'accepted');
    -- Lists by a state find the common ones among the newest messages.
    create index messages_of_state on messages (state, created_at desc, id desc)
    where state not in ('sent', 'delivered', 'read');

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
      identical_hash bytea,
      text_length integer,
      hidden text
    ) with (fillfactor = 80);
    create index attempts_hidden on attempts (message_id)
    where hidden is not null and (outcome is null or outcome = 'unknown');
    -- One of several identical messages is in flight at a time. The hash is removed once the message is neither in flight
    -- nor in doubt.
    create unique index attempts_in_flight on attempts (instance, identical_hash)
    where identical_hash is not null and (outcome is null or outcome = 'unknown');
    create index attempts_unknown on attempts (instance, message_id)
    where outcome = 'unknown' and identical_hash is not null;
    create index attempts_of_message on attempts (message_id, seq);

    -- No foreign key here, in outbox, and from messages to attempts: the check costs more than the write.
    create table evidence (
      seq bigint not null default nextval('ledger_seq'),
      message_id text collate "C" not null,
      fact text not null,
      at timestamptz not null,
      witness text not null,
      what text not null,
      detail json,
      primary key (message_id, fact)
    );

    create table message_ids (
      instance text not null,
      id_message text not null,
      message_id text collate "C" not null references messages (id),
      role text not null check (role in ('message', 'edit')),
      stored_at timestamptz not null,
      notified_at timestamptz,
      left_at timestamptz,
      primary key (id_message, instance)
    );
    create index message_ids_by_time on message_ids (instance, stored_at) where role = 'message';
    create index message_ids_of_message on message_ids (message_id);

    create table parked_receipts (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      id_message text not null,
      receipt json not null,
      receipt_hash uuid not null,
      parked_at timestamptz not null,
      primary key (instance, id_message, receipt_hash)
    );
    create index parked_receipts_by_time on parked_receipts (parked_at);
    create index parked_receipts_newest on parked_receipts (instance, seq);

    create table edits (
      seq bigint not null default nextval('ledger_seq') unique,
      id text primary key,
      message_id text collate "C" not null references messages (id),
      text text not null,
      body_hash text not null,
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
      text_length integer,
      hidden text,
      instance text not null,
      closes_at timestamptz,
      step text check (step in ('post', 'read')),
      due_at timestamptz,
      settles_at timestamptz,
      constraint edits_amendment check ((campaign_id is null) = (content_version is null)),
      constraint edits_due check ((step is null) = (due_at is null))
    );
    create index edits_of_message on edits (message_id, seq);
    create index edits_under_way on edits (message_id) where state in ('pending', 'sending', 'posted');
    create index edits_due on edits (instance, step, due_at) where step is not null;
    create index edits_to_post on edits (instance, seq) where step = 'post' and campaign_id is null;
    create index edits_to_post_of_amendments on edits (instance, closes_at)
      where step = 'post' and campaign_id is not null;
    create index edits_closing on edits (closes_at) where state in ('pending', 'sending', 'posted');
    create index edits_of_amendment on edits (campaign_id, content_version, state) where campaign_id is not null;
`;

/** Constraints between tables of several files, and the functions and triggers that keep tables consistent. */
export const TRIGGERS = `
    alter table campaigns add constraint campaigns_audience foreign key (audience_no) references audiences (no);
    alter table messages add constraint messages_campaign foreign key (campaign_id) references campaigns (id);

    -- A function, since each of its statements sees what others committed while it waited for the lock. The length keeps
    -- two different pairs from giving the same text.
    create function lock_id_message(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0));
      return not exists (select from message_ids where instance = an_instance and id_message = an_id_message)
        and not exists (select from parked_receipts where instance = an_instance and id_message = an_id_message);
    end $$;
    -- The same lock, for many ids in one statement. It does not wait, since waiting for several locks could deadlock.
    create function try_lock_unowned_id(an_instance text, an_id_message text) returns boolean language plpgsql as $$
    begin
      return pg_try_advisory_xact_lock(
          hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0))
        and not exists (select from message_ids where instance = an_instance and id_message = an_id_message);
    end $$;

    -- A change for which an activity waits makes its completion due, in the same transaction (AWAIT-1).
    create function end_waits_for_message() returns trigger language plpgsql as $$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where message_id = new.id and (new.state = any(until) or new.ended_at is not null and until is not null);
      return null;
    end $$;
    create trigger messages_end_waits after update of state, ended_at on messages for each row
    when (new.run = 'started' and (new.state <> old.state or new.ended_at is distinct from old.ended_at))
    execute function end_waits_for_message();

    create function end_waits_for_campaign() returns trigger language plpgsql as $$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where campaign_id = new.id;
      -- Its run shows the end, and may be closing (AWAIT-7).
      if old.ended_at is not null and new.ended_at is null then
        insert into outbox (campaign_id, workflow_id, due_at, reached_at)
        values (new.id, 'campaign:' || new.id, '-infinity', clock_timestamp());
      end if;
      return null;
    end $$;
    create trigger campaigns_end_waits after update of version on campaigns for each row
    when (new.version <> old.version)
    execute function end_waits_for_campaign();

    create function end_waits_for_edit() returns trigger language plpgsql as $$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where edit_id = new.id and activity_id is not null;
      return null;
    end $$;
    create trigger edits_end_waits after update of state on edits for each row
    when (new.campaign_id is null and new.state not in ('pending', 'sending', 'posted'))
    execute function end_waits_for_edit();

    create function count_recipients() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into campaign_counts (campaign_id, instance, variant, state, is_open, reason, recipients)
        select campaign_id, instance, variant, state, ended_at is null, case when state = 'expired' then reason end, count(*)
        from new_rows where campaign_id is not null group by 1, 2, 3, 4, 5, 6;
      else
        insert into campaign_counts (campaign_id, instance, variant, state, is_open, reason, recipients)
        select campaign_id, instance, variant, state, is_open, reason, sum(recipients) from (
          select campaign_id, instance, variant, state, ended_at is null as is_open,
            case when state = 'expired' then reason end as reason, -1 as recipients
          from old_rows where campaign_id is not null
          union all
          select campaign_id, instance, variant, state, ended_at is null, case when state = 'expired' then reason end, 1
          from new_rows where campaign_id is not null) changed
        group by 1, 2, 3, 4, 5, 6 having sum(recipients) <> 0;
      end if;
      return null;
    end $$;
    create trigger messages_count_inserted after insert on messages referencing new table as new_rows
    for each statement execute function count_recipients();
    create trigger messages_count_changed after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function count_recipients();

    -- How many messages of an instance changed from one state to another. Triggers append rows and a background job folds
    -- them. No statement updates a row here, so that statements do not wait for each other.
    create table message_counts (
      instance text not null,
      from_state text,
      state text not null,
      messages bigint not null
    );

    create function count_inserted_messages() returns trigger language plpgsql as $$
    begin
      insert into message_counts (instance, state, messages)
      select instance, state, count(*) from new_rows group by 1, 2;
      return null;
    end $$;
    create trigger messages_count_states_inserted after insert on messages referencing new table as new_rows
    for each statement execute function count_inserted_messages();

    -- Grouped by id, not joined: a join with a plan for few rows would compare a thousand rows with a thousand. A message
    -- that moves to another account leaves its state there and begins in it here.
    create function count_changed_messages() returns trigger language plpgsql as $$
    begin
      insert into message_counts (instance, from_state, state, messages)
      select instance, from_state, state, count(*) from (
        select instance, max(state) filter (where is_old) as from_state,
          coalesce(max(state) filter (where not is_old), 'moved') as state
        from (
          select id, instance, state, true as is_old from old_rows
          union all
          select id, instance, state, false from new_rows) both_rows
        group by id, instance) changed
      where from_state is distinct from state group by 1, 2, 3;
      return null;
    end $$;
    create trigger messages_count_states_changed after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function count_changed_messages();
`;
