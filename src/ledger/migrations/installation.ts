import { sql, type Kysely } from 'kysely';

/** What belongs to the installation: files, leases, commands, API keys and the audit list. */
export async function createInstallation(db: Kysely<never>): Promise<void> {
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

  // Which of several workers runs a background job.
  await sql`
    create table leases (
      name text primary key,
      holder text not null,
      held_until timestamptz not null
    )`.execute(db);

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
}
