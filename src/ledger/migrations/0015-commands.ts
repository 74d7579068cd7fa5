import { sql, type Kysely } from 'kysely';

/** What operators asked of campaigns and instances, so that a command takes effect once and never after a later one. */
export async function up(db: Kysely<never>): Promise<void> {
  const statements = [
    sql`create table commands (
      subject text not null,
      id text not null,
      kind text not null,
      request_hash text,
      asked bigint not null default nextval('ledger_seq'),
      asked_at timestamptz not null,
      begun_at timestamptz,
      retried integer not null default 0,
      result json,
      primary key (subject, id)
    )`,
    sql`create index commands_by_time on commands (asked_at)`,
    sql`alter table campaigns add column command_asked bigint not null default 0`,
  ];
  for (const statement of statements) await statement.execute(db);
}
