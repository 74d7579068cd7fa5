/** The gateway's notifications, and what runs have to get because of them. */
export const NOTIFICATIONS = `
    -- Append-only: a body is written once.
    create table notifications (
      id bigint generated always as identity primary key,
      hash uuid not null constraint notifications_hash_key unique,
      received_at timestamptz not null,
      repeats integer not null default 0,
      instance text not null,
      kind text,
      oddity text check (oddity in ('cut', 'malformed', 'another_instance', 'unknown_kind', 'incomplete',
        'unreadable_chat', 'unknown_message_type')),
      odd_type text,
      body json not null,
      about text collate "C",
      hidden text,
      chat_id text
    );
    create index notifications_of_chat on notifications (chat_id, received_at, id) where chat_id is not null;
    create index notifications_hidden on notifications (about) where hidden is not null;
    create index notifications_by_time on notifications (received_at);
    create index notifications_of_instance on notifications (instance, id);
    create index notifications_of_quota on notifications (instance, received_at) where kind = 'quotaExceeded';

    create table pending_notifications (notification_id bigint primary key);

    create table failed_notifications (
      notification_id bigint primary key references notifications (id) on delete cascade,
      outcome text not null,
      problem text
    );

    create table observations (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      id_message text not null,
      notification json not null,
      seen_at timestamptz not null,
      about text collate "C",
      hidden text,
      primary key (instance, id_message)
    );
    create index observations_by_time on observations (seen_at);
    create index observations_hidden on observations (about) where hidden is not null;
    create index observations_newest on observations (instance, seq);

    -- For each recipient, when the last message to each account came.
    create table conversations (
      recipient_key text not null,
      instance text not null,
      received_at timestamptz not null,
      chat_id text not null,
      arrived_at timestamptz not null,
      is_unread boolean not null default true,
      primary key (recipient_key, instance)
    );
    create index conversations_newest on conversations (instance, arrived_at desc, recipient_key desc);
    create index conversations_unread on conversations (instance, arrived_at desc, recipient_key desc) where is_unread;

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
    );
    create index replays_open on replays (begun_at) where ended_at is null;

    create table outbox (
      seq bigint not null default nextval('ledger_seq') primary key,
      message_id text collate "C",
      campaign_id text collate "C",
      edit_id text,
      workflow_id text not null,
      run_id text,
      activity_id text,
      until text[],
      deadline_at timestamptz,
      due_at timestamptz not null,
      reached_at timestamptz,
      tries integer not null default 0,
      problem text,
      constraint outbox_activity unique (run_id, activity_id),
      constraint outbox_kind check ((run_id is null) = (activity_id is null)),
      constraint outbox_one check ((message_id is null) <> (campaign_id is null))
    );
    create index outbox_due on outbox (due_at, seq);
    create index outbox_of_message on outbox (message_id);
    create index outbox_of_campaign on outbox (campaign_id) where campaign_id is not null;
    create index outbox_of_edit on outbox (edit_id) where edit_id is not null;
    create index outbox_reached on outbox (reached_at) where reached_at is not null;
`;

/**
 * Events, event endpoints, and one row for each delivery. Triggers record an event in the transaction that it reports,
 * only if an endpoint of the instance or the message's own callback subscribes to it.
 */
export const EVENTS = `
    -- callbacks-<instance> has the secret that signs status callbacks.
    create table event_endpoints (
      id text collate "C" primary key,
      instance text not null,
      url text,
      events text[] not null,
      raw boolean not null,
      description text,
      auth_header text,
      secrets json not null,
      enabled boolean not null default true,
      disabled_reason text,
      disabled_at timestamptz,
      held_until timestamptz not null default '-infinity',
      request_hash text not null,
      created_at timestamptz not null
    );
    create index event_endpoints_of_instance on event_endpoints (instance);

    create table events (
      seq bigint default nextval('ledger_seq') primary key,
      tx bigint not null default pg_current_xact_id()::text::bigint,
      instance text not null,
      type text not null check (type in ('message.received', 'reaction.received', 'call.received',
        'notification.received', 'message.state_changed', 'message.unresolved', 'edit.ended',
        'campaign.state_changed', 'campaign.replied', 'schedule.failed', 'template.reviewed', 'instance.state_changed',
        'instance.queue_standstill', 'ledger.went_back', 'suppression.possible', 'endpoint.test')),
      ordering_key text not null,
      at timestamptz not null,
      data json not null,
      raw bytea,
      content_type text,
      notification_id bigint,
      message_id text collate "C",
      callback_url text,
      endpoint_id text collate "C"
    );
    create index events_by_time on events (at, seq);
    create index events_in_order on events (tx, seq);
    create index events_of_callbacks on events (message_id, seq) where callback_url is not null;

    create table event_deliveries (
      event_seq bigint not null,
      endpoint_id text collate "C" not null,
      target text collate "C" not null,
      ordering_key text not null,
      created_at timestamptz not null default clock_timestamp(),
      next_try_at timestamptz not null default '-infinity',
      tries integer not null default 0,
      problem text,
      ended_at timestamptz,
      delivered boolean not null default false,
      primary key (event_seq, endpoint_id)
    ) with (fillfactor = 80);
    create index event_deliveries_due on event_deliveries (target, next_try_at, event_seq) where ended_at is null;
    create index event_deliveries_open on event_deliveries (endpoint_id, ordering_key, event_seq)
    where ended_at is null;
    create index event_deliveries_waiting on event_deliveries (endpoint_id, created_at) where ended_at is null;
    create index event_deliveries_failed on event_deliveries (endpoint_id, event_seq)
    where ended_at is not null and not delivered;

    create function wants_event(e event_endpoints, a_type text, is_notification boolean) returns boolean
    language sql stable as $$
      select case when e.raw then is_notification else '*' = any(e.events) or a_type = any(e.events) end $$;

    -- The target is part of an index, so its length is limited for any callback URL.
    create function fan_out_events() returns trigger language plpgsql as $$
    begin
      insert into event_deliveries (event_seq, endpoint_id, target, ordering_key)
      select n.seq, e.id, e.id, n.ordering_key
      from new_rows n join event_endpoints e on e.instance = n.instance
      where e.url is not null
        and case when n.endpoint_id is null then wants_event(e, n.type, n.notification_id is not null)
          else n.endpoint_id = e.id end
      union all
      select n.seq, 'callbacks-' || n.instance,
        left(coalesce(lower(substring(n.callback_url from '(?i)^https?://[^/?#]+')), n.callback_url), 200), n.message_id
      from new_rows n where n.callback_url is not null;
      return null;
    end $$;
    create trigger events_fan_out after insert on events referencing new table as new_rows
    for each statement execute function fan_out_events();

    create function record_event(an_instance text, a_type text, a_key text, an_at timestamptz, a_data json)
    returns void language sql as $$
      insert into events (instance, type, ordering_key, at, data)
      select an_instance, a_type, a_key, an_at, json_strip_nulls(a_data)
      where exists (select from event_endpoints e where e.instance = an_instance and wants_event(e, a_type, false))
    $$;

${messageRecorder('inserted', "select n.* from new_rows n where n.state <> 'pending'")}
${messageRecorder('changed', 'select n.* from new_rows n join old_rows o on o.id = n.id where n.state <> o.state')}
    create trigger messages_record_inserted_events after insert on messages referencing new table as new_rows
    for each statement execute function record_inserted_messages();
    create trigger messages_record_changed_events after update on messages referencing old table as old_rows
    new table as new_rows for each statement execute function record_changed_messages();

    create function record_edit_event() returns trigger language plpgsql as $$
    begin
      perform record_event(m.instance, 'edit.ended', coalesce(m.chat_id, m.id), coalesce(new.ended_at, clock_timestamp()),
        json_build_object('id', new.id, 'messageId', m.id, 'state', new.state, 'via', new.via, 'reason', new.reason))
      from messages m where m.id = new.message_id;
      return null;
    end $$;
    create trigger edits_record_event after update of state on edits for each row
    when (new.state <> old.state and new.state not in ('pending', 'sending', 'posted'))
    execute function record_edit_event();

    create function record_campaign_event() returns trigger language plpgsql as $$
    begin
      perform record_event(new.instance, 'campaign.state_changed', 'campaign:' || new.id, clock_timestamp(),
        json_build_object('id', new.id, 'state', new.state, 'version', new.version, 'reference', new.reference));
      return null;
    end $$;
    create trigger campaigns_record_event after update of state on campaigns for each row
    when (new.state <> old.state and new.plan_until is null)
    execute function record_campaign_event();

    create function record_campaign_reply() returns trigger language plpgsql as $$
    begin
      if old.replied_at is null and new.replied_at is not null then
        perform record_event(m.instance, 'campaign.replied', m.chat_id, new.replied_at, json_build_object(
          'id', m.campaign_id, 'messageId', m.id, 'line', m.line, 'idMessage', new.replied_id, 'reference', m.reference))
        from messages m where m.id = new.message_id;
      end if;
      return null;
    end $$;
    create trigger campaign_responses_record_event after insert or update on campaign_responses for each row
    execute function record_campaign_reply();

    create function record_schedule_failure() returns trigger language plpgsql as $$
    begin
      perform record_event(coalesce(s.definition -> 'campaign' ->> 'instance',
        s.definition -> 'campaign' -> 'instances' ->> 0, s.definition -> 'message' ->> 'instance'),
        'schedule.failed', 'schedule:' || s.id, new.ended_at, json_build_object('id', s.id,
          'at', to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'state', new.state, 'reason', new.reason))
      from schedules s where s.id = new.schedule_id;
      return null;
    end $$;
    create trigger schedule_runs_record_event after update of state on schedule_runs for each row
    when (new.state in ('missed', 'failed') and new.state <> old.state)
    execute function record_schedule_failure();

    create function record_possible_opt_out() returns trigger language plpgsql as $$
    begin
      perform record_event(new.instance, 'suppression.possible', new.chat_id, new.recorded_at,
        json_build_object('id', new.id, 'idMessage', new.id_message, 'word', new.word, 'language', new.language));
      return null;
    end $$;
    create trigger possible_opt_outs_record_event after insert on possible_opt_outs for each row
    when (new.state = 'open')
    execute function record_possible_opt_out();

    create function record_template_event() returns trigger language plpgsql as $$
    begin
      perform record_event(new.instance, 'template.reviewed', 'template:' || new.element_name, clock_timestamp(),
        json_build_object('elementName', new.element_name, 'templateId', new.template_id, 'status', new.status,
          'reason', new.reason));
      return null;
    end $$;
    create trigger templates_record_event after update of status on templates for each row
    when (new.status is not null and new.status is distinct from old.status)
    execute function record_template_event();
`;

/**
 * If no instance has an endpoint and no message of the statement has a callback, this costs only the check.
 * @param changed  the rows of the statement whose state is reported
 */
function messageRecorder(name: string, changed: string): string {
  return `
    create function record_${name}_messages() returns trigger language plpgsql as $$
    begin
      if not exists (select from event_endpoints)
        and not exists (select from new_rows where status_callback is not null) then
        return null;
      end if;
      insert into events (instance, type, ordering_key, at, message_id, callback_url, data)
      select c.instance, t.type, coalesce(c.chat_id, c.id),
        coalesce(
          case c.state
            when 'accepted' then c.accepted_at
            when 'sent' then greatest(c.sent_seen_at, c.accepted_at)
            when 'delivered' then greatest(c.delivered_seen_at, c.sent_seen_at, c.accepted_at)
            when 'read' then greatest(c.read_seen_at, c.delivered_seen_at, c.sent_seen_at, c.accepted_at)
            else c.ended_at
          end,
          clock_timestamp()),
        c.id, case when t.type = 'message.state_changed' then c.status_callback end,
        json_strip_nulls(json_build_object('id', c.id, 'state', c.state, 'version', c.version, 'reason', c.reason,
          'idMessage', c.id_message, 'reference', c.reference, 'campaignId', c.campaign_id, 'line', c.line,
          'testOf', c.test_of))
      from (${changed}) c
      cross join (values ('message.state_changed'), ('message.unresolved')) t(type)
      where (t.type = 'message.state_changed' or c.state = 'unresolved')
        and (t.type = 'message.state_changed' and c.status_callback is not null
          or exists (select from event_endpoints e where e.instance = c.instance and wants_event(e, t.type, false)))
      order by c.id, t.type;
      return null;
    end $$;`;
}
