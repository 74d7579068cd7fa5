import { sql, type Kysely } from 'kysely';

/** What reconciling asks for: messages seen at the gateway before anyone knew whose they are, and changes of an instance. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table observations (
      seq bigint not null default nextval('ledger_seq'),
      instance text not null,
      id_message text not null,
      notification json not null,
      seen_at timestamptz not null,
      primary key (instance, id_message)
    )`.execute(db);
  await sql`create index observations_newest on observations (instance, seq)`.execute(db);
  await sql`
    create table instance_changes (
      seq bigint primary key default nextval('ledger_seq'),
      instance text not null,
      state text not null,
      noted_at timestamptz not null
    )`.execute(db);
  await sql`create index instance_changes_newest on instance_changes (instance, seq)`.execute(db);
  await sql`create index attempts_of_id on attempts (id_message) where id_message is not null`.execute(db);
  await sql`create index parked_receipts_newest on parked_receipts (instance, seq)`.execute(db);
}
