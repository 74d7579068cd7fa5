/** The state of accounts, operations of the gateway on them, and tables of the installation. */
export const ACCOUNTS = `
    create table ledger_identity (
      id text not null,
      hash_key bytea not null,
      text_key text not null,
      origin text
    );
    -- With its column, so that it is read without a scan of the table: the dispatcher's statements forbid scans.
    create unique index ledger_identity_one on ledger_identity ((true)) include (hash_key);

    -- Differs after a restore into another server, database or tables, and after the promotion of a standby, which has a
    -- timeline of its own. A server that hides both still shows its database and tables.
    create function database_origin() returns text language plpgsql as $$
    declare place text := 'ledger_identity'::regclass::oid::text;
    begin
      place := (select oid from pg_database where datname = current_database()) || '/' || place;
      return (select system_identifier from pg_control_system()) || '/' ||
        left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || place;
    exception when insufficient_privilege or undefined_function or feature_not_supported then
      return place;
    end $$;

    create table restores (
      number integer primary key,
      found_at timestamptz not null default clock_timestamp(),
      found_by text not null check (found_by in ('command', 'database', 'dispatcher')),
      known_until timestamptz,
      known_place bigint not null,
      place bigint not null default nextval('ledger_seq')
    );

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
      ended_at timestamptz,
      begun_seq bigint,
      stops_posts_until timestamptz,
      queue_before json
    );
    create index operations_ended on operations (ended_at) where ended_at is not null;
    create index operations_changing_queue on operations (instance, ended_at)
    where method in ('clearMessagesQueue', 'setSettings', 'reboot', 'logout');
    create index operations_stopping_posts on operations (instance) where stops_posts_until is not null;

    -- Recurring jobs that read account data, and the data that they read.
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
    );

    create table stories (
      instance text not null,
      id_message text collate "C" not null,
      at timestamptz not null,
      seen_at timestamptz not null,
      story json not null,
      primary key (instance, id_message)
    );
    create index stories_newest on stories (at desc, id_message desc);

    create table group_snapshots (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      group_id text not null,
      taken_at timestamptz not null,
      seen_until timestamptz not null,
      data json not null,
      data_hash text not null
    );
    create index group_snapshots_of on group_snapshots (instance, group_id, seq);

    create table gateway_clocks (
      instance text primary key,
      measured_at timestamptz not null,
      lowest_offset_ms bigint not null,
      highest_offset_ms bigint not null,
      constraint gateway_clocks_check check (lowest_offset_ms <= highest_offset_ms)
    );

    -- Unlogged, since turns are useless after a crash of the database. The free space keeps each update on its page.
    create unlogged table rate_limit_buckets (
      instance text not null,
      operation text not null,
      next_turn timestamptz not null,
      blocked_until timestamptz not null,
      granted_from timestamptz not null,
      granted integer not null,
      primary key (instance, operation)
    ) with (fillfactor = 50);

    create table queue_readings (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      begun_at timestamptz not null,
      ended_at timestamptz not null,
      length integer not null,
      items json not null,
      recorded_at timestamptz not null default clock_timestamp(),
      unchanged_since timestamptz not null,
      stands_still boolean not null,
      -- Not by seq alone: the planner would search all readings for the newest one of an instance.
      primary key (instance, seq)
    );
    create index queue_readings_longest on queue_readings (instance, length, seq);

    create table templates (
      instance text not null,
      element_name text collate "C" not null,
      definition json not null,
      definition_hash text not null,
      state text not null check (state in ('pending', 'sending', 'unknown', 'submitted', 'refused')),
      version integer not null default 1,
      template_id text,
      category text,
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
    );
    create index templates_by_id on templates (instance, template_id);
    create index templates_unfinished on templates (instance, element_name)
    where state <> 'refused' and unwatched_since is null
      and (state <> 'submitted' or coalesce(status, '') not in ('APPROVED', 'REJECTED', 'FAILED'));

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
    );
    create index template_changes_of on template_changes (instance, element_name, seq);

    create table instance_pauses (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      reason text not null check (reason in ('yellowCard', 'blocked', 'suspended', 'operator')),
      since timestamptz not null,
      witness text not null,
      resumed_at timestamptz,
      resumed_by text check (resumed_by in ('operator', 'authorized')),
      constraint instance_pauses_check check ((resumed_at is null) = (resumed_by is null))
    );
    create unique index instance_pauses_on on instance_pauses (instance, reason) where resumed_at is null;

    create table instance_connections (
      instance text primary key,
      status text not null,
      since timestamptz not null
    );

    create table instance_states (
      seq bigint default nextval('ledger_seq') primary key,
      instance text not null,
      state text not null,
      since timestamptz not null,
      seen_until timestamptz not null
    );
    create index instance_states_by_end on instance_states (seen_until);
    create index instance_states_by_time on instance_states (instance, since);
    create index instance_states_newest on instance_states (instance, seq);

    create table files (
      id text collate "C" primary key,
      sha256 text not null,
      content_type text not null,
      size_bytes bigint not null,
      stored_at timestamptz,
      expires_at timestamptz not null,
      stored_by text
    );

    create table file_parts (
      file_id text collate "C" not null references files (id) on update cascade on delete cascade,
      no integer not null,
      bytes bytea not null,
      primary key (file_id, no)
    );
    -- The files are compressed already.
    alter table file_parts alter column bytes set storage external;
    create index files_expires_at on files (expires_at);
    create index files_of_key on files (stored_by) where stored_by is not null;

    create table file_links (
      instance text not null,
      file_id text collate "C" not null references files (id) on delete cascade,
      url text not null,
      expires_at timestamptz not null,
      primary key (instance, file_id)
    );

    create table leases (
      name text primary key,
      holder text not null,
      held_until timestamptz not null
    );

    -- Commands of operators on campaigns and instances. A command takes effect once, and never after a later one.
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
      what text,
      primary key (subject, id)
    );
    create index commands_by_time on commands (asked_at);

    -- Only the hash of a key is stored. Revoked keys stay, since evidence and the audit list name them.
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
    );

    create table audit (
      seq bigint default nextval('ledger_seq') primary key,
      at timestamptz not null,
      witness text not null,
      route text not null,
      object_id text,
      instance text,
      status integer not null,
      code text,
      request_id text not null,
      address text
    );
    create index audit_by_time on audit (at);
    create index audit_of_witness on audit (witness, seq);
    create index audit_of_instance on audit (instance, seq);
`;
