import { sql, type Kysely } from 'kysely';

/** For how long an instance was seen in each state, and who of several workers does what only one should do. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table instance_changes rename to instance_states`.execute(db);
  await sql`alter table instance_states rename constraint instance_changes_pkey to instance_states_pkey`.execute(db);
  await sql`alter index instance_changes_newest rename to instance_states_newest`.execute(db);
  await sql`alter table instance_states rename column noted_at to since`.execute(db);
  await sql`alter table instance_states add column seen_until timestamptz`.execute(db);
  await sql`update instance_states set seen_until = since`.execute(db);
  await sql`alter table instance_states alter column seen_until set not null`.execute(db);
  await sql`create index instance_states_by_time on instance_states (instance, since)`.execute(db);
  await sql`
    create table leases (
      name text primary key,
      holder text not null,
      held_until timestamptz not null
    )`.execute(db);
}
