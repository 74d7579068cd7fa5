-- Generated from the migrations by `npm run generate`. Do not edit.

create sequence ledger_seq;

create table amendments (
  campaign_id text collate "C" not null,
  content_version integer not null,
  content json not null,
  content_before json not null,
  stop boolean not null,
  begun_at timestamp with time zone not null,
  counts_before json not null,
  opened_at timestamp with time zone,
  ended_at timestamp with time zone,
  counts_after json,
  constraint amendments_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint amendments_pkey PRIMARY KEY (campaign_id, content_version)
);
CREATE INDEX amendments_open ON amendments USING btree (campaign_id) WHERE (ended_at IS NULL);

create table api_keys (
  id text collate "C" not null,
  name text collate "C" not null,
  hash text not null,
  previous_hash text,
  previous_until timestamp with time zone,
  scopes json not null,
  instances json,
  rate_per_second double precision,
  created_at timestamp with time zone not null,
  created_by text not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_name_key UNIQUE (name),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_previous CHECK (((previous_hash IS NULL) = (previous_until IS NULL))),
  constraint api_keys_rate_per_second_check CHECK ((rate_per_second > (0)::double precision))
);

create table attempts (
  seq bigint not null default nextval('ledger_seq'::regclass),
  token text not null,
  message_id text collate "C" not null,
  worker text not null,
  content json not null,
  body_hash text not null,
  claimed_at timestamp with time zone not null,
  posting_deadline_at timestamp with time zone not null,
  reconcile_after timestamp with time zone not null,
  loss_seen_at timestamp with time zone,
  outcome text,
  outcome_seq bigint,
  outcome_at timestamp with time zone,
  id_message text,
  code text,
  text text,
  http_status integer,
  retry_at timestamp with time zone,
  instance text,
  epoch bigint,
  identical_hash bytea,
  text_length integer,
  hidden text,
  constraint attempts_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
  constraint attempts_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'rejected'::text, 'not_accepted'::text, 'unknown'::text]))),
  constraint attempts_pkey PRIMARY KEY (seq),
  constraint attempts_token_key UNIQUE (token)
);
CREATE INDEX attempts_hidden ON attempts USING btree (message_id) WHERE ((hidden IS NOT NULL) AND ((outcome IS NULL) OR (outcome = 'unknown'::text)));
CREATE INDEX attempts_of_message ON attempts USING btree (message_id, seq);
CREATE INDEX attempts_unknown ON attempts USING btree (instance, message_id) WHERE ((outcome = 'unknown'::text) AND (identical_hash IS NOT NULL));
CREATE UNIQUE INDEX attempts_in_flight ON attempts USING btree (instance, identical_hash) WHERE ((identical_hash IS NOT NULL) AND ((outcome IS NULL) OR (outcome = 'unknown'::text)));

create table audiences (
  no bigint generated always as identity not null,
  campaign_id text collate "C" not null,
  source_hash text,
  lines integer not null default 0,
  verdicts json,
  columns json,
  reject_columns json,
  likely_country text,
  adds_to bigint,
  after_line integer not null default 0,
  additions json not null default '[]'::json,
  begun_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  discarded boolean not null default false,
  constraint audiences_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint audiences_pkey PRIMARY KEY (no)
);
CREATE INDEX audiences_of_campaign ON audiences USING btree (campaign_id);

create table audit (
  seq bigint not null default nextval('ledger_seq'::regclass),
  at timestamp with time zone not null,
  witness text not null,
  route text not null,
  object_id text,
  instance text,
  status integer not null,
  code text,
  request_id text not null,
  address text,
  constraint audit_pkey PRIMARY KEY (seq)
);
CREATE INDEX audit_by_time ON audit USING btree (at);
CREATE INDEX audit_of_instance ON audit USING btree (instance, seq);
CREATE INDEX audit_of_witness ON audit USING btree (witness, seq);

create table campaign_accounts (
  campaign_id text collate "C" not null,
  instance text not null,
  place integer not null,
  since timestamp with time zone not null,
  blocked_since timestamp with time zone,
  out_at timestamp with time zone,
  out_why text,
  out_text text,
  outcomes_from timestamp with time zone,
  constraint campaign_accounts_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE,
  constraint campaign_accounts_out CHECK (((out_at IS NULL) = (out_why IS NULL))),
  constraint campaign_accounts_out_why_check CHECK ((out_why = ANY (ARRAY['removed'::text, 'not_configured'::text, 'cannot_send'::text, 'too_many_failures'::text]))),
  constraint campaign_accounts_pkey PRIMARY KEY (campaign_id, instance)
);
CREATE INDEX campaign_accounts_of ON campaign_accounts USING btree (instance, campaign_id);

create table campaign_counts (
  campaign_id text collate "C" not null,
  instance text not null,
  variant text,
  state text not null,
  is_open boolean not null,
  reason text,
  recipients bigint not null
);
CREATE INDEX campaign_counts_of ON campaign_counts USING btree (campaign_id);

create table campaign_response_counts (
  campaign_id text collate "C" not null,
  instance text not null,
  variant text not null,
  replied bigint not null,
  opted_out bigint not null,
  constraint campaign_response_counts_pkey PRIMARY KEY (campaign_id, instance, variant)
);

create table campaign_responses (
  message_id text collate "C" not null,
  campaign_id text collate "C" not null,
  instance text not null,
  line integer not null,
  replied_at timestamp with time zone,
  replied_id text,
  opted_out_at timestamp with time zone,
  opted_out_id text,
  constraint campaign_responses_opted_out CHECK (((opted_out_at IS NULL) = (opted_out_id IS NULL))),
  constraint campaign_responses_pkey PRIMARY KEY (message_id),
  constraint campaign_responses_replied CHECK (((replied_at IS NULL) = (replied_id IS NULL)))
);
CREATE INDEX campaign_responses_opt_outs ON campaign_responses USING btree (opted_out_id) WHERE (opted_out_id IS NOT NULL);
CREATE INDEX campaign_responses_opted_out ON campaign_responses USING btree (campaign_id, line) WHERE (opted_out_at IS NOT NULL);
CREATE INDEX campaign_responses_replied ON campaign_responses USING btree (campaign_id, line) WHERE (replied_at IS NOT NULL);

create table campaign_timezones (
  campaign_id text collate "C" not null,
  timezone text not null,
  recipients integer not null,
  read_ahead_line integer not null default 0,
  read_recipients integer not null default 0,
  constraint campaign_timezones_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint campaign_timezones_pkey PRIMARY KEY (campaign_id, timezone)
);

create table campaigns (
  id text collate "C" not null,
  key text not null,
  instance text not null,
  request_hash text not null,
  definition json not null,
  content json not null,
  content_version integer not null default 1,
  priority text not null,
  category text not null,
  on_unknown text not null,
  high_water integer not null,
  reference text,
  deadline_at timestamp with time zone,
  state text not null,
  version integer not null default 1,
  audience_no bigint,
  audience integer not null default 0,
  read_ahead_line integer not null default 0,
  doubtful integer not null default 0,
  state_without_message text not null default 'pending'::text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  paused_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  ended_at timestamp with time zone,
  pause_text text,
  namespace text,
  auto_pause_from timestamp with time zone,
  command_asked bigint not null default 0,
  plan_until timestamp with time zone,
  name text,
  start_at timestamp with time zone,
  start_missed_at timestamp with time zone,
  sending_windows json,
  limits json,
  by_timezone boolean not null default false,
  recipients_removed_at timestamp with time zone,
  replies_for_seconds integer not null,
  variants json,
  winner text,
  constraint campaigns_audience FOREIGN KEY (audience_no) REFERENCES audiences(no),
  constraint campaigns_high_water_check CHECK ((high_water >= 1)),
  constraint campaigns_key_key UNIQUE (key),
  constraint campaigns_pkey PRIMARY KEY (id),
  constraint campaigns_plans_never_start CHECK (((plan_until IS NULL) OR (state = ANY (ARRAY['draft'::text, 'cancelled'::text])))),
  constraint campaigns_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'running'::text, 'paused'::text, 'cancelling'::text, 'completed'::text, 'completed_with_failures'::text, 'cancelled'::text, 'expired'::text]))),
  constraint campaigns_state_without_message_check CHECK ((state_without_message = ANY (ARRAY['pending'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE INDEX campaigns_newest ON campaigns USING btree (created_at DESC, id DESC);
CREATE INDEX campaigns_open ON campaigns USING btree (instance) WHERE (state = ANY (ARRAY['running'::text, 'paused'::text, 'cancelling'::text]));
CREATE INDEX campaigns_plans ON campaigns USING btree (plan_until) WHERE (plan_until IS NOT NULL);
CREATE INDEX campaigns_scheduled ON campaigns USING btree (start_at) WHERE (state = 'scheduled'::text);

create table commands (
  subject text not null,
  id text not null,
  kind text not null,
  request_hash text,
  asked bigint not null default nextval('ledger_seq'::regclass),
  asked_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  retried integer not null default 0,
  result json,
  requested_by text,
  what text,
  constraint commands_pkey PRIMARY KEY (subject, id)
);
CREATE INDEX commands_by_time ON commands USING btree (asked_at);

create table conversations (
  recipient_key text not null,
  instance text not null,
  received_at timestamp with time zone not null,
  chat_id text not null,
  arrived_at timestamp with time zone not null,
  is_unread boolean not null default true,
  constraint conversations_pkey PRIMARY KEY (recipient_key, instance)
);
CREATE INDEX conversations_newest ON conversations USING btree (arrived_at DESC, recipient_key DESC, instance DESC);
CREATE INDEX conversations_of_instance ON conversations USING btree (instance, arrived_at DESC, recipient_key DESC);
CREATE INDEX conversations_unread ON conversations USING btree (arrived_at DESC, recipient_key DESC, instance DESC) WHERE is_unread;
CREATE INDEX conversations_unread_of_instance ON conversations USING btree (instance, arrived_at DESC, recipient_key DESC) WHERE is_unread;

create table daily_caps (
  scope text not null,
  day_starts_at timestamp with time zone not null,
  day_ends_at timestamp with time zone not null,
  cap integer not null,
  posted integer not null,
  reached_at timestamp with time zone,
  constraint daily_caps_pkey PRIMARY KEY (scope, day_starts_at)
);

create table dispatchers (
  instance text not null,
  epoch bigint not null,
  run text not null,
  former_runs text[] not null default '{}'::text[],
  shift integer not null,
  attempt integer not null,
  worker text not null,
  process text,
  task_token text,
  begun_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  queue_depth integer,
  depth_estimated_at timestamp with time zone,
  release_interval_ms integer,
  in_flight integer not null default 0,
  post_window integer,
  delays json,
  mark bigint not null default 0,
  restore integer not null default 0,
  constraint dispatchers_pkey PRIMARY KEY (instance)
);

create table due_messages (
  stream_id bigint not null,
  due_at timestamp with time zone not null,
  place bigint not null,
  message_id text collate "C" not null,
  recipient_key text,
  expires_at timestamp with time zone not null,
  behind text collate "C",
  constraint due_messages_behind_check CHECK (((behind IS NULL) = (due_at < 'infinity'::timestamp with time zone))),
  constraint due_messages_pkey PRIMARY KEY (stream_id, due_at, place)
);
CREATE INDEX due_messages_behind ON due_messages USING btree (behind, place) WHERE (behind IS NOT NULL);
CREATE INDEX due_messages_expiry ON due_messages USING btree (expires_at);

create table edits (
  seq bigint not null default nextval('ledger_seq'::regclass),
  id text not null,
  message_id text collate "C" not null,
  text text not null,
  body_hash text not null,
  state text not null,
  via text,
  requested_at timestamp with time zone not null,
  posted_at timestamp with time zone,
  ended_at timestamp with time zone,
  id_message_given text,
  id_message_returned text,
  reason text,
  try_token text,
  may_have_arrived boolean not null default false,
  campaign_id text collate "C",
  content_version integer,
  tried_at timestamp with time zone,
  text_length integer,
  hidden text,
  instance text not null,
  closes_at timestamp with time zone,
  step text,
  due_at timestamp with time zone,
  settles_at timestamp with time zone,
  constraint edits_amendment CHECK (((campaign_id IS NULL) = (content_version IS NULL))),
  constraint edits_due CHECK (((step IS NULL) = (due_at IS NULL))),
  constraint edits_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
  constraint edits_pkey PRIMARY KEY (id),
  constraint edits_seq_key UNIQUE (seq),
  constraint edits_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'posted'::text, 'edited'::text, 'too_late'::text, 'refused'::text, 'unconfirmed'::text, 'superseded'::text, 'not_possible'::text]))),
  constraint edits_step_check CHECK ((step = ANY (ARRAY['post'::text, 'read'::text]))),
  constraint edits_via_check CHECK ((via = ANY (ARRAY['before_send'::text, 'gateway'::text])))
);
CREATE INDEX edits_closing ON edits USING btree (closes_at) WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text, 'posted'::text]));
CREATE INDEX edits_due ON edits USING btree (instance, step, due_at) WHERE (step IS NOT NULL);
CREATE INDEX edits_of_amendment ON edits USING btree (campaign_id, content_version, state) WHERE (campaign_id IS NOT NULL);
CREATE INDEX edits_of_message ON edits USING btree (message_id, seq);
CREATE INDEX edits_to_post ON edits USING btree (instance, seq) WHERE ((step = 'post'::text) AND (campaign_id IS NULL));
CREATE INDEX edits_to_post_of_amendments ON edits USING btree (instance, closes_at) WHERE ((step = 'post'::text) AND (campaign_id IS NOT NULL));
CREATE INDEX edits_under_way ON edits USING btree (message_id) WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text, 'posted'::text]));

create table erased_chats (
  chat_hash text not null,
  erasure_id text collate "C" not null,
  constraint erased_chats_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES erasures(id),
  constraint erased_chats_pkey PRIMARY KEY (chat_hash, erasure_id)
);

create table erasures (
  id text collate "C" not null,
  chat_id text,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  rows json not null default '{}'::json,
  waiting json not null default '{}'::json,
  kept json not null default '{}'::json,
  constraint erasures_check CHECK (((chat_id IS NULL) = (ended_at IS NOT NULL))),
  constraint erasures_pkey PRIMARY KEY (id)
);
CREATE INDEX erasures_open ON erasures USING btree (requested_at) WHERE (ended_at IS NULL);

create table event_deliveries (
  event_seq bigint not null,
  endpoint_id text collate "C" not null,
  target text collate "C" not null,
  ordering_key text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  next_try_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  tries integer not null default 0,
  problem text,
  ended_at timestamp with time zone,
  delivered boolean not null default false,
  constraint event_deliveries_pkey PRIMARY KEY (event_seq, endpoint_id)
);
CREATE INDEX event_deliveries_due ON event_deliveries USING btree (target, next_try_at, event_seq) WHERE (ended_at IS NULL);
CREATE INDEX event_deliveries_failed ON event_deliveries USING btree (endpoint_id, event_seq) WHERE ((ended_at IS NOT NULL) AND (NOT delivered));
CREATE INDEX event_deliveries_open ON event_deliveries USING btree (endpoint_id, ordering_key, event_seq) WHERE (ended_at IS NULL);
CREATE INDEX event_deliveries_waiting ON event_deliveries USING btree (endpoint_id, created_at) WHERE (ended_at IS NULL);

create table event_endpoints (
  id text collate "C" not null,
  instance text not null,
  url text,
  events text[] not null,
  raw boolean not null,
  description text,
  auth_header text,
  secrets json not null,
  enabled boolean not null default true,
  disabled_reason text,
  disabled_at timestamp with time zone,
  held_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  request_hash text not null,
  created_at timestamp with time zone not null,
  constraint event_endpoints_pkey PRIMARY KEY (id)
);
CREATE INDEX event_endpoints_of_instance ON event_endpoints USING btree (instance);

create table events (
  seq bigint not null default nextval('ledger_seq'::regclass),
  tx bigint not null default ((pg_current_xact_id())::text)::bigint,
  instance text not null,
  type text not null,
  ordering_key text not null,
  at timestamp with time zone not null,
  data json not null,
  raw bytea,
  content_type text,
  notification_id bigint,
  message_id text collate "C",
  callback_url text,
  endpoint_id text collate "C",
  constraint events_pkey PRIMARY KEY (seq),
  constraint events_type_check CHECK ((type = ANY (ARRAY['message.received'::text, 'reaction.received'::text, 'call.received'::text, 'notification.received'::text, 'message.state_changed'::text, 'message.unresolved'::text, 'edit.ended'::text, 'campaign.state_changed'::text, 'campaign.replied'::text, 'schedule.failed'::text, 'template.reviewed'::text, 'instance.state_changed'::text, 'instance.queue_standstill'::text, 'ledger.went_back'::text, 'suppression.possible'::text, 'endpoint.test'::text])))
);
CREATE INDEX events_by_time ON events USING btree (at, seq);
CREATE INDEX events_in_order ON events USING btree (tx, seq);
CREATE INDEX events_of_callbacks ON events USING btree (message_id, seq) WHERE (callback_url IS NOT NULL);

create table evidence (
  seq bigint not null default nextval('ledger_seq'::regclass),
  message_id text collate "C" not null,
  fact text not null,
  at timestamp with time zone not null,
  witness text not null,
  what text not null,
  detail json,
  constraint evidence_pkey PRIMARY KEY (message_id, fact)
);

create table failed_notifications (
  notification_id bigint not null,
  outcome text not null,
  problem text,
  constraint failed_notifications_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE,
  constraint failed_notifications_pkey PRIMARY KEY (notification_id)
);

create table file_links (
  instance text not null,
  file_id text collate "C" not null,
  url text not null,
  expires_at timestamp with time zone not null,
  constraint file_links_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON DELETE CASCADE,
  constraint file_links_pkey PRIMARY KEY (instance, file_id)
);

create table file_parts (
  file_id text collate "C" not null,
  no integer not null,
  bytes bytea not null,
  constraint file_parts_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint file_parts_pkey PRIMARY KEY (file_id, no)
);

create table files (
  id text collate "C" not null,
  sha256 text not null,
  content_type text not null,
  size_bytes bigint not null,
  stored_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  stored_by text,
  constraint files_pkey PRIMARY KEY (id)
);
CREATE INDEX files_expires_at ON files USING btree (expires_at);
CREATE INDEX files_of_key ON files USING btree (stored_by) WHERE (stored_by IS NOT NULL);

create table gateway_clocks (
  instance text not null,
  measured_at timestamp with time zone not null,
  lowest_offset_ms bigint not null,
  highest_offset_ms bigint not null,
  constraint gateway_clocks_check CHECK ((lowest_offset_ms <= highest_offset_ms)),
  constraint gateway_clocks_pkey PRIMARY KEY (instance)
);

create table group_snapshots (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  group_id text not null,
  taken_at timestamp with time zone not null,
  seen_until timestamp with time zone not null,
  data json not null,
  data_hash text not null,
  constraint group_snapshots_pkey PRIMARY KEY (seq)
);
CREATE INDEX group_snapshots_of ON group_snapshots USING btree (instance, group_id, seq);

create table instance_connections (
  instance text not null,
  status text not null,
  since timestamp with time zone not null,
  constraint instance_connections_pkey PRIMARY KEY (instance)
);

create table instance_pauses (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  reason text not null,
  since timestamp with time zone not null,
  witness text not null,
  resumed_at timestamp with time zone,
  resumed_by text,
  constraint instance_pauses_check CHECK (((resumed_at IS NULL) = (resumed_by IS NULL))),
  constraint instance_pauses_pkey PRIMARY KEY (seq),
  constraint instance_pauses_reason_check CHECK ((reason = ANY (ARRAY['yellowCard'::text, 'blocked'::text, 'suspended'::text, 'operator'::text]))),
  constraint instance_pauses_resumed_by_check CHECK ((resumed_by = ANY (ARRAY['operator'::text, 'authorized'::text])))
);
CREATE UNIQUE INDEX instance_pauses_on ON instance_pauses USING btree (instance, reason) WHERE (resumed_at IS NULL);

create table instance_settings (
  instance text not null,
  settings json not null,
  constraint instance_settings_pkey PRIMARY KEY (instance)
);

create table instance_states (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  state text not null,
  since timestamp with time zone not null,
  seen_until timestamp with time zone not null,
  constraint instance_states_pkey PRIMARY KEY (seq)
);
CREATE INDEX instance_states_by_end ON instance_states USING btree (seen_until);
CREATE INDEX instance_states_by_time ON instance_states USING btree (instance, since);
CREATE INDEX instance_states_newest ON instance_states USING btree (instance, seq);

create table known_lids (
  lid text not null,
  recipient_key text not null,
  chat_id text not null,
  learned_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  source text not null,
  constraint known_lids_pkey PRIMARY KEY (lid),
  constraint known_lids_source_check CHECK ((source = ANY (ARRAY['group'::text, 'notification'::text])))
);
CREATE INDEX known_lids_of_recipient ON known_lids USING btree (recipient_key);

create table leases (
  name text not null,
  holder text not null,
  held_until timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
);

create table ledger_identity (
  id text not null,
  hash_key bytea not null,
  text_key text not null,
  origin text
);
CREATE UNIQUE INDEX ledger_identity_one ON ledger_identity USING btree ((true)) INCLUDE (hash_key);

create table message_counts (
  instance text not null,
  from_state text,
  state text not null,
  messages bigint not null
);

create table message_ids (
  instance text not null,
  id_message text not null,
  message_id text collate "C" not null,
  role text not null,
  stored_at timestamp with time zone not null,
  notified_at timestamp with time zone,
  left_at timestamp with time zone,
  constraint message_ids_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
  constraint message_ids_pkey PRIMARY KEY (id_message, instance),
  constraint message_ids_role_check CHECK ((role = ANY (ARRAY['message'::text, 'edit'::text])))
);
CREATE INDEX message_ids_by_time ON message_ids USING btree (instance, stored_at) WHERE (role = 'message'::text);
CREATE INDEX message_ids_of_message ON message_ids USING btree (message_id);

create table messages (
  id text collate "C" not null,
  instance text not null,
  chat_id text,
  recipient_key text,
  kind text not null,
  content json not null,
  body_hash text not null,
  request_hash text not null,
  state text not null,
  version integer not null default 1,
  priority text not null,
  category text not null,
  on_unknown text not null,
  reference text,
  status_callback text,
  attempt_token text,
  cancel_requested_at timestamp with time zone,
  id_message text,
  reason text,
  reason_text text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  sent_seen_at timestamp with time zone,
  ended_at timestamp with time zone,
  namespace text,
  campaign_id text collate "C",
  line integer,
  content_version integer,
  delivered_seen_at timestamp with time zone,
  read_seen_at timestamp with time zone,
  workflow_id text,
  stream_id bigint,
  due_at timestamp with time zone,
  place bigint,
  run text not null default 'none'::text,
  send_at timestamp with time zone,
  requested_by text,
  text_length integer,
  hidden text,
  text_removed_at timestamp with time zone,
  test_of text collate "C",
  variant text,
  trace_context json,
  constraint messages_campaign FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint messages_dispatched CHECK ((((stream_id IS NULL) = (due_at IS NULL)) AND ((stream_id IS NULL) = (place IS NULL)))),
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_recipient CHECK (
CASE
    WHEN (test_of IS NULL) THEN ((campaign_id IS NULL) = (line IS NULL))
    ELSE (campaign_id IS NULL)
END),
  constraint messages_recipient_key CHECK (((chat_id IS NULL) = (recipient_key IS NULL))),
  constraint messages_run_check CHECK ((run = ANY (ARRAY['none'::text, 'wanted'::text, 'started'::text]))),
  constraint messages_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'unknown'::text, 'unresolved'::text, 'accepted'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'rejected'::text, 'failed'::text, 'no_account'::text, 'expired'::text, 'cancelled'::text, 'suppressed'::text, 'held_out'::text])))
);
CREATE INDEX messages_hidden ON messages USING btree (id) WHERE (hidden IS NOT NULL);
CREATE INDEX messages_in_flight ON messages USING btree (instance) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text]));
CREATE INDEX messages_newest ON messages USING btree (created_at DESC, id DESC);
CREATE INDEX messages_of_campaign ON messages USING btree (campaign_id, state, line) WHERE (campaign_id IS NOT NULL);
CREATE INDEX messages_of_file ON messages USING btree (((content ->> 'fileId'::text))) WHERE (kind = 'file'::text);
CREATE INDEX messages_of_instance ON messages USING btree (instance, created_at DESC, id DESC);
CREATE INDEX messages_of_reason ON messages USING btree (reason, created_at DESC, id DESC) WHERE (reason IS NOT NULL);
CREATE INDEX messages_of_recipient ON messages USING btree (recipient_key, created_at DESC, id DESC);
CREATE INDEX messages_of_reference ON messages USING btree (reference) WHERE (reference IS NOT NULL);
CREATE INDEX messages_of_state ON messages USING btree (state, created_at DESC, id DESC) WHERE (state <> ALL (ARRAY['sent'::text, 'delivered'::text, 'read'::text]));
CREATE INDEX messages_outcomes ON messages USING btree (campaign_id, COALESCE(ended_at, sent_seen_at)) WHERE ((campaign_id IS NOT NULL) AND (state = ANY (ARRAY['sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'no_account'::text, 'rejected'::text])) AND (reason IS DISTINCT FROM 'content_invalid'::text));
CREATE INDEX messages_runs_wanted ON messages USING btree (place) WHERE (run = 'wanted'::text);
CREATE INDEX messages_unfinished ON messages USING btree (id) WHERE ((run = 'started'::text) AND (ended_at IS NULL) AND (state = ANY (ARRAY['pending'::text, 'sending'::text, 'unknown'::text, 'unresolved'::text, 'accepted'::text])));
CREATE INDEX messages_without_receipt ON messages USING btree (instance, accepted_at) WHERE ((state = 'accepted'::text) AND (ended_at IS NULL));

create table notifications (
  id bigint generated always as identity not null,
  hash uuid not null,
  received_at timestamp with time zone not null,
  repeats integer not null default 0,
  instance text not null,
  kind text,
  oddity text,
  odd_type text,
  body json not null,
  about text collate "C",
  hidden text,
  chat_id text,
  constraint notifications_hash_key UNIQUE (hash),
  constraint notifications_oddity_check CHECK ((oddity = ANY (ARRAY['cut'::text, 'malformed'::text, 'another_instance'::text, 'unknown_kind'::text, 'incomplete'::text, 'unreadable_chat'::text, 'unknown_message_type'::text]))),
  constraint notifications_pkey PRIMARY KEY (id)
);
CREATE INDEX notifications_by_time ON notifications USING btree (received_at);
CREATE INDEX notifications_hidden ON notifications USING btree (about) WHERE (hidden IS NOT NULL);
CREATE INDEX notifications_of_chat ON notifications USING btree (chat_id, received_at, id) WHERE (chat_id IS NOT NULL);
CREATE INDEX notifications_of_instance ON notifications USING btree (instance, id);
CREATE INDEX notifications_of_quota ON notifications USING btree (instance, received_at) WHERE (kind = 'quotaExceeded'::text);

create table observations (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  id_message text not null,
  notification json not null,
  seen_at timestamp with time zone not null,
  about text collate "C",
  hidden text,
  constraint observations_pkey PRIMARY KEY (instance, id_message)
);
CREATE INDEX observations_by_time ON observations USING btree (seen_at);
CREATE INDEX observations_hidden ON observations USING btree (about) WHERE (hidden IS NOT NULL);
CREATE INDEX observations_newest ON observations USING btree (instance, seq);

create table operations (
  id text collate "C" not null,
  method text not null,
  instance text not null,
  request_hash text not null,
  request json,
  state text not null,
  result json,
  code text,
  text text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  begun_seq bigint,
  stops_posts_until timestamp with time zone,
  queue_before json,
  constraint operations_pkey PRIMARY KEY (id),
  constraint operations_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'done'::text, 'failed'::text, 'may_have_happened'::text])))
);
CREATE INDEX operations_changing_queue ON operations USING btree (instance, ended_at) WHERE (method = ANY (ARRAY['clearMessagesQueue'::text, 'setSettings'::text, 'reboot'::text, 'logout'::text]));
CREATE INDEX operations_ended ON operations USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX operations_stopping_posts ON operations USING btree (instance) WHERE (stops_posts_until IS NOT NULL);

create table outbox (
  seq bigint not null default nextval('ledger_seq'::regclass),
  message_id text collate "C",
  campaign_id text collate "C",
  edit_id text,
  workflow_id text not null,
  run_id text,
  activity_id text,
  until text[],
  deadline_at timestamp with time zone,
  due_at timestamp with time zone not null,
  reached_at timestamp with time zone,
  tries integer not null default 0,
  problem text,
  constraint outbox_activity UNIQUE (run_id, activity_id),
  constraint outbox_kind CHECK (((run_id IS NULL) = (activity_id IS NULL))),
  constraint outbox_one CHECK (((message_id IS NULL) <> (campaign_id IS NULL))),
  constraint outbox_pkey PRIMARY KEY (seq)
);
CREATE INDEX outbox_due ON outbox USING btree (due_at, seq);
CREATE INDEX outbox_of_campaign ON outbox USING btree (campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX outbox_of_edit ON outbox USING btree (edit_id) WHERE (edit_id IS NOT NULL);
CREATE INDEX outbox_of_message ON outbox USING btree (message_id);
CREATE INDEX outbox_reached ON outbox USING btree (reached_at) WHERE (reached_at IS NOT NULL);

create table parked_receipts (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  id_message text not null,
  receipt json not null,
  receipt_hash uuid not null,
  parked_at timestamp with time zone not null,
  constraint parked_receipts_pkey PRIMARY KEY (instance, id_message, receipt_hash)
);
CREATE INDEX parked_receipts_by_time ON parked_receipts USING btree (parked_at);
CREATE INDEX parked_receipts_newest ON parked_receipts USING btree (instance, seq);

create table pending_notifications (
  notification_id bigint not null,
  constraint pending_notifications_pkey PRIMARY KEY (notification_id)
);

create table possible_opt_outs (
  id text collate "C" not null,
  instance text not null,
  id_message text not null,
  chat_id text not null,
  recipient_key text not null,
  text text,
  text_hash text not null,
  word text not null,
  language text not null,
  at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  state text not null,
  first_id text collate "C",
  decided_by text,
  decided_at timestamp with time zone,
  suppression_id text,
  constraint possible_opt_outs_message UNIQUE (instance, id_message),
  constraint possible_opt_outs_pkey PRIMARY KEY (id),
  constraint possible_opt_outs_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'dismissed'::text, 'repeated'::text])))
);
CREATE INDEX possible_opt_outs_newest ON possible_opt_outs USING btree (recorded_at DESC, id DESC) WHERE (state <> 'repeated'::text);
CREATE INDEX possible_opt_outs_of_chat ON possible_opt_outs USING btree (chat_id);
CREATE INDEX possible_opt_outs_of_recipient ON possible_opt_outs USING btree (recipient_key);
CREATE INDEX possible_opt_outs_repeated ON possible_opt_outs USING btree (first_id) WHERE (first_id IS NOT NULL);
CREATE UNIQUE INDEX possible_opt_outs_open ON possible_opt_outs USING btree (instance, recipient_key) WHERE (state = 'open'::text);

create table privacy_state (
  keeps_hashes boolean not null default false,
  notifications_checked bigint not null default 0
);
CREATE UNIQUE INDEX privacy_state_one ON privacy_state USING btree ((true)) INCLUDE (keeps_hashes);

create table queue_readings (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  length integer not null,
  items json not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  unchanged_since timestamp with time zone not null,
  stands_still boolean not null,
  constraint queue_readings_pkey PRIMARY KEY (instance, seq)
);
CREATE INDEX queue_readings_longest ON queue_readings USING btree (instance, length, seq);

create unlogged table rate_limit_buckets (
  instance text not null,
  operation text not null,
  next_turn timestamp with time zone not null,
  blocked_until timestamp with time zone not null,
  granted_from timestamp with time zone not null,
  granted integer not null,
  constraint rate_limit_buckets_pkey PRIMARY KEY (instance, operation)
);

create table recipient_rejects (
  audience_no bigint not null,
  line integer not null,
  reason text not null,
  value text not null,
  columns json not null,
  chat_id text,
  duplicate_of integer,
  constraint recipient_rejects_pkey PRIMARY KEY (audience_no, line)
);

create table recipients (
  audience_no bigint not null,
  line integer not null,
  chat_id text not null,
  key text,
  values json not null,
  timezone text,
  constraint recipients_line_check CHECK ((line < 1073741824)),
  constraint recipients_pkey PRIMARY KEY (audience_no, line)
);
CREATE INDEX recipients_timezones ON recipients USING btree (audience_no, timezone, line) WHERE (timezone IS NOT NULL);
CREATE UNIQUE INDEX recipients_keys ON recipients USING btree (audience_no, COALESCE(key, chat_id));

create table recurring_jobs (
  id text not null,
  kind text not null,
  instance text not null,
  group_id text,
  every_ms bigint not null,
  created_at timestamp with time zone not null,
  next_at timestamp with time zone not null,
  last_at timestamp with time zone,
  problem text,
  constraint recurring_jobs_group CHECK (((kind = 'group'::text) = (group_id IS NOT NULL))),
  constraint recurring_jobs_kind_check CHECK ((kind = ANY (ARRAY['stories'::text, 'group'::text]))),
  constraint recurring_jobs_pkey PRIMARY KEY (id)
);

create table replays (
  id text not null,
  instance text,
  since timestamp with time zone not null,
  after_id bigint not null,
  until_id bigint not null,
  total integer not null,
  done integer not null default 0,
  outcomes json not null default '{}'::json,
  begun_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint replays_pkey PRIMARY KEY (id)
);
CREATE INDEX replays_open ON replays USING btree (begun_at) WHERE (ended_at IS NULL);

create table restores (
  number integer not null,
  found_at timestamp with time zone not null default clock_timestamp(),
  found_by text not null,
  known_until timestamp with time zone,
  known_place bigint not null,
  place bigint not null default nextval('ledger_seq'::regclass),
  constraint restores_found_by_check CHECK ((found_by = ANY (ARRAY['command'::text, 'database'::text, 'dispatcher'::text]))),
  constraint restores_pkey PRIMARY KEY (number)
);

create table schedule_runs (
  schedule_id text collate "C" not null,
  at timestamp with time zone not null,
  kind text not null,
  key text,
  campaign_id text collate "C",
  state text not null,
  schedule_version integer not null,
  due_at timestamp with time zone not null,
  reason text,
  text text,
  tries integer not null default 0,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  message_id text collate "C",
  constraint schedule_runs_kind_check CHECK ((kind = ANY (ARRAY['schedule'::text, 'trigger'::text, 'backfill'::text]))),
  constraint schedule_runs_one CHECK (((campaign_id IS NULL) <> (message_id IS NULL))),
  constraint schedule_runs_pkey PRIMARY KEY (schedule_id, at),
  constraint schedule_runs_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id),
  constraint schedule_runs_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'started'::text, 'skipped'::text, 'missed'::text, 'failed'::text])))
);
CREATE INDEX schedule_runs_bad ON schedule_runs USING btree (schedule_id) WHERE (state = ANY (ARRAY['missed'::text, 'failed'::text]));
CREATE INDEX schedule_runs_open ON schedule_runs USING btree (schedule_id, at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX schedule_runs_key ON schedule_runs USING btree (schedule_id, key);

create table schedules (
  id text collate "C" not null,
  request_hash text not null,
  definition json not null,
  state text not null,
  note text,
  version integer not null default 1,
  synced_version integer not null default 0,
  missed_seen integer not null default 0,
  missed_until timestamp with time zone not null,
  overlapped integer not null default 0,
  problem text,
  namespace text not null,
  created_at timestamp with time zone not null,
  constraint schedules_pkey PRIMARY KEY (id),
  constraint schedules_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text, 'deleted'::text])))
);
CREATE INDEX schedules_newest ON schedules USING btree (created_at DESC, id DESC);
CREATE INDEX schedules_unsynced ON schedules USING btree (id) WHERE (synced_version < version);

create table start_words (
  instance text not null,
  id_message text not null,
  chat_id text not null,
  word text not null,
  at timestamp with time zone not null,
  constraint start_words_pkey PRIMARY KEY (chat_id, instance, id_message)
);

create table stories (
  instance text not null,
  id_message text collate "C" not null,
  at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  story json not null,
  constraint stories_pkey PRIMARY KEY (instance, id_message)
);
CREATE INDEX stories_newest ON stories USING btree (at DESC, id_message DESC);

create table streams (
  id bigint generated always as identity not null,
  instance text not null,
  class smallint not null,
  campaign_id text collate "C",
  element_name text collate "C",
  template_id text,
  needs_phone boolean not null,
  kind text not null,
  extra_room integer not null default 0,
  served bigint not null default nextval('ledger_seq'::regclass),
  category text not null,
  timezone text,
  content_version integer,
  opens_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  closes_at timestamp with time zone not null default 'infinity'::timestamp with time zone,
  next_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  closed_by text,
  closed_since timestamp with time zone,
  is_capped boolean not null default false,
  is_jittered boolean not null default false,
  frequency_messages integer,
  frequency_days integer,
  constraint streams_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id),
  constraint streams_class_check CHECK (((class >= 0) AND (class <= 3))),
  constraint streams_closed_by_check CHECK ((closed_by = ANY (ARRAY['SENDING_WINDOW_CLOSED'::text, 'QUIET_HOURS'::text]))),
  constraint streams_pkey PRIMARY KEY (id)
);
CREATE INDEX streams_closing ON streams USING btree (instance, closes_at) WHERE (closes_at < 'infinity'::timestamp with time zone);
CREATE INDEX streams_of_campaign ON streams USING btree (campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX streams_of_templates ON streams USING btree (instance, element_name) WHERE ((element_name IS NOT NULL) OR (template_id IS NOT NULL));
CREATE UNIQUE INDEX streams_key ON streams USING btree (instance, class, COALESCE(campaign_id, ''::text), COALESCE(element_name, ''::text), COALESCE(template_id, ''::text), needs_phone, kind, category, COALESCE(timezone, ''::text), COALESCE(content_version, 0));

create table suppressed_chats (
  chat_id text not null,
  suppression_id text not null,
  constraint suppressed_chats_pkey PRIMARY KEY (chat_id, suppression_id),
  constraint suppressed_chats_suppression_id_fkey FOREIGN KEY (suppression_id) REFERENCES suppressions(id)
);
CREATE INDEX suppressed_chats_of ON suppressed_chats USING btree (suppression_id);

create table suppressions (
  id text not null,
  instance text,
  chat_id text not null,
  scope text not null,
  source text not null,
  since timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  word text,
  id_message text,
  note text,
  removed_at timestamp with time zone,
  removed_by text,
  removed_word text,
  removed_id_message text,
  constraint suppressions_check CHECK (((removed_at IS NULL) = (removed_by IS NULL))),
  constraint suppressions_check1 CHECK (((source <> 'stop_word'::text) OR ((instance IS NOT NULL) AND (id_message IS NOT NULL)))),
  constraint suppressions_pkey PRIMARY KEY (id),
  constraint suppressions_removed_by_check CHECK ((removed_by = ANY (ARRAY['start_word'::text, 'operator'::text]))),
  constraint suppressions_scope_check CHECK ((scope = ANY (ARRAY['marketing'::text, 'all'::text]))),
  constraint suppressions_source_check CHECK ((source = ANY (ARRAY['stop_word'::text, 'operator'::text, 'import'::text])))
);
CREATE INDEX suppressions_newest ON suppressions USING btree (recorded_at DESC, id DESC);
CREATE UNIQUE INDEX suppressions_wishes ON suppressions USING btree (COALESCE(instance, ''::text), chat_id, source, scope) WHERE ((source <> 'stop_word'::text) AND (removed_at IS NULL));
CREATE UNIQUE INDEX suppressions_words ON suppressions USING btree (instance, id_message) WHERE (source = 'stop_word'::text);

create table template_changes (
  seq bigint not null default nextval('ledger_seq'::regclass),
  instance text not null,
  element_name text collate "C" not null,
  at timestamp with time zone not null,
  witness text not null,
  what text not null,
  status text,
  reason text,
  detail json,
  constraint template_changes_instance_element_name_fkey FOREIGN KEY (instance, element_name) REFERENCES templates(instance, element_name),
  constraint template_changes_pkey PRIMARY KEY (seq)
);
CREATE INDEX template_changes_of ON template_changes USING btree (instance, element_name, seq);

create table templates (
  instance text not null,
  element_name text collate "C" not null,
  definition json not null,
  definition_hash text not null,
  state text not null,
  version integer not null default 1,
  template_id text,
  category text,
  status text,
  status_since timestamp with time zone,
  reason text,
  last_reading text,
  may_exist boolean not null default false,
  attempt_token text,
  reconcile_after timestamp with time zone,
  created_at timestamp with time zone not null,
  submitted_at timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone,
  check_code text,
  check_text text,
  unwatched_since timestamp with time zone,
  namespace text,
  constraint templates_pkey PRIMARY KEY (instance, element_name),
  constraint templates_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'unknown'::text, 'submitted'::text, 'refused'::text])))
);
CREATE INDEX templates_by_id ON templates USING btree (instance, template_id);
CREATE INDEX templates_unfinished ON templates USING btree (instance, element_name) WHERE ((state <> 'refused'::text) AND (unwatched_since IS NULL) AND ((state <> 'submitted'::text) OR (COALESCE(status, ''::text) <> ALL (ARRAY['APPROVED'::text, 'REJECTED'::text, 'FAILED'::text]))));

create table worker_processes (
  process text not null,
  alive_since timestamp with time zone not null,
  alive_until timestamp with time zone not null,
  constraint worker_processes_pkey PRIMARY KEY (process)
);

CREATE OR REPLACE FUNCTION count_changed_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    end $function$;

CREATE OR REPLACE FUNCTION count_inserted_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into message_counts (instance, state, messages)
      select instance, state, count(*) from new_rows group by 1, 2;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION count_recipients()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    end $function$;

CREATE OR REPLACE FUNCTION count_response()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      insert into campaign_response_counts as c (campaign_id, instance, variant, replied, opted_out)
      select new.campaign_id, new.instance, coalesce(m.variant, ''),
        (new.replied_at is not null)::integer - (old.replied_at is not null)::integer,
        (new.opted_out_at is not null)::integer - (old.opted_out_at is not null)::integer
      from messages m where m.id = new.message_id
      on conflict (campaign_id, instance, variant) do update
        set replied = c.replied + excluded.replied, opted_out = c.opted_out + excluded.opted_out;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION database_origin()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
    declare place text := 'ledger_identity'::regclass::oid::text;
    begin
      place := (select oid from pg_database where datname = current_database()) || '/' || place;
      return (select system_identifier from pg_control_system()) || '/' ||
        left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || place;
    exception when insufficient_privilege or undefined_function or feature_not_supported then
      return place;
    end $function$;

CREATE OR REPLACE FUNCTION end_waits_for_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where campaign_id = new.id;
      -- Its run shows the end, and may be closing (AWAIT-7).
      if old.ended_at is not null and new.ended_at is null then
        insert into outbox (campaign_id, workflow_id, due_at, reached_at)
        values (new.id, 'campaign:' || new.id, '-infinity', clock_timestamp());
      end if;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION end_waits_for_edit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where edit_id = new.id and activity_id is not null;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION end_waits_for_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      update outbox set due_at = '-infinity', tries = 0, reached_at = coalesce(reached_at, clock_timestamp())
      where message_id = new.id and (new.state = any(until) or new.ended_at is not null and until is not null);
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION fan_out_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
    end $function$;

CREATE OR REPLACE FUNCTION lock_id_message(an_instance text, an_id_message text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
    begin
      perform pg_advisory_xact_lock(
        hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0));
      return not exists (select from message_ids where instance = an_instance and id_message = an_id_message)
        and not exists (select from parked_receipts where instance = an_instance and id_message = an_id_message);
    end $function$;

CREATE OR REPLACE FUNCTION record_campaign_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform record_event(new.instance, 'campaign.state_changed', 'campaign:' || new.id, clock_timestamp(),
        json_build_object('id', new.id, 'state', new.state, 'version', new.version, 'reference', new.reference));
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_campaign_reply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      if old.replied_at is null and new.replied_at is not null then
        perform record_event(m.instance, 'campaign.replied', m.chat_id, new.replied_at, json_build_object(
          'id', m.campaign_id, 'messageId', m.id, 'line', m.line, 'idMessage', new.replied_id, 'reference', m.reference))
        from messages m where m.id = new.message_id;
      end if;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_changed_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      from (select n.* from new_rows n join old_rows o on o.id = n.id where n.state <> o.state) c
      cross join (values ('message.state_changed'), ('message.unresolved')) t(type)
      where (t.type = 'message.state_changed' or c.state = 'unresolved')
        and (t.type = 'message.state_changed' and c.status_callback is not null
          or exists (select from event_endpoints e where e.instance = c.instance and wants_event(e, t.type, false)))
      order by c.id, t.type;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_edit_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform record_event(m.instance, 'edit.ended', coalesce(m.chat_id, m.id), coalesce(new.ended_at, clock_timestamp()),
        json_build_object('id', new.id, 'messageId', m.id, 'state', new.state, 'via', new.via, 'reason', new.reason))
      from messages m where m.id = new.message_id;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_event(an_instance text, a_type text, a_key text, an_at timestamp with time zone, a_data json)
 RETURNS void
 LANGUAGE sql
AS $function$
      insert into events (instance, type, ordering_key, at, data)
      select an_instance, a_type, a_key, an_at, json_strip_nulls(a_data)
      where exists (select from event_endpoints e where e.instance = an_instance and wants_event(e, a_type, false))
    $function$;

CREATE OR REPLACE FUNCTION record_inserted_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      from (select n.* from new_rows n where n.state <> 'pending') c
      cross join (values ('message.state_changed'), ('message.unresolved')) t(type)
      where (t.type = 'message.state_changed' or c.state = 'unresolved')
        and (t.type = 'message.state_changed' and c.status_callback is not null
          or exists (select from event_endpoints e where e.instance = c.instance and wants_event(e, t.type, false)))
      order by c.id, t.type;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_possible_opt_out()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform record_event(new.instance, 'suppression.possible', new.chat_id, new.recorded_at,
        json_build_object('id', new.id, 'idMessage', new.id_message, 'word', new.word, 'language', new.language));
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_schedule_failure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform record_event(coalesce(s.definition -> 'campaign' ->> 'instance',
        s.definition -> 'campaign' -> 'instances' ->> 0, s.definition -> 'message' ->> 'instance'),
        'schedule.failed', 'schedule:' || s.id, new.ended_at, json_build_object('id', s.id,
          'at', to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'state', new.state, 'reason', new.reason))
      from schedules s where s.id = new.schedule_id;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION record_template_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      perform record_event(new.instance, 'template.reviewed', 'template:' || new.element_name, clock_timestamp(),
        json_build_object('elementName', new.element_name, 'templateId', new.template_id, 'status', new.status,
          'reason', new.reason));
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION try_lock_unowned_id(an_instance text, an_id_message text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
    begin
      return pg_try_advisory_xact_lock(
          hashtextextended(length(an_instance) || ':' || an_instance || an_id_message, 0))
        and not exists (select from message_ids where instance = an_instance and id_message = an_id_message);
    end $function$;

CREATE OR REPLACE FUNCTION wants_event(e event_endpoints, a_type text, is_notification boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
      select case when e.raw then is_notification else '*' = any(e.events) or a_type = any(e.events) end $function$;

CREATE TRIGGER campaign_responses_count AFTER INSERT OR UPDATE ON campaign_responses FOR EACH ROW EXECUTE FUNCTION count_response();

CREATE TRIGGER campaign_responses_record_event AFTER INSERT OR UPDATE ON campaign_responses FOR EACH ROW EXECUTE FUNCTION record_campaign_reply();

CREATE TRIGGER campaigns_end_waits AFTER UPDATE OF version ON campaigns FOR EACH ROW WHEN (new.version <> old.version) EXECUTE FUNCTION end_waits_for_campaign();

CREATE TRIGGER campaigns_record_event AFTER UPDATE OF state ON campaigns FOR EACH ROW WHEN (new.state <> old.state AND new.plan_until IS NULL) EXECUTE FUNCTION record_campaign_event();

CREATE TRIGGER edits_end_waits AFTER UPDATE OF state ON edits FOR EACH ROW WHEN (new.campaign_id IS NULL AND (new.state <> ALL (ARRAY['pending'::text, 'sending'::text, 'posted'::text]))) EXECUTE FUNCTION end_waits_for_edit();

CREATE TRIGGER edits_record_event AFTER UPDATE OF state ON edits FOR EACH ROW WHEN (new.state <> old.state AND (new.state <> ALL (ARRAY['pending'::text, 'sending'::text, 'posted'::text]))) EXECUTE FUNCTION record_edit_event();

CREATE TRIGGER events_fan_out AFTER INSERT ON events REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION fan_out_events();

CREATE TRIGGER messages_count_changed AFTER UPDATE ON messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_recipients();

CREATE TRIGGER messages_count_inserted AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_recipients();

CREATE TRIGGER messages_count_states_changed AFTER UPDATE ON messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_messages();

CREATE TRIGGER messages_count_states_inserted AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_messages();

CREATE TRIGGER messages_end_waits AFTER UPDATE OF state, ended_at ON messages FOR EACH ROW WHEN (new.run = 'started'::text AND (new.state <> old.state OR new.ended_at IS DISTINCT FROM old.ended_at)) EXECUTE FUNCTION end_waits_for_message();

CREATE TRIGGER messages_record_changed_events AFTER UPDATE ON messages REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changed_messages();

CREATE TRIGGER messages_record_inserted_events AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_inserted_messages();

CREATE TRIGGER possible_opt_outs_record_event AFTER INSERT ON possible_opt_outs FOR EACH ROW WHEN (new.state = 'open'::text) EXECUTE FUNCTION record_possible_opt_out();

CREATE TRIGGER schedule_runs_record_event AFTER UPDATE OF state ON schedule_runs FOR EACH ROW WHEN ((new.state = ANY (ARRAY['missed'::text, 'failed'::text])) AND new.state <> old.state) EXECUTE FUNCTION record_schedule_failure();

CREATE TRIGGER templates_record_event AFTER UPDATE OF status ON templates FOR EACH ROW WHEN (new.status IS NOT NULL AND new.status IS DISTINCT FROM old.status) EXECUTE FUNCTION record_template_event();

