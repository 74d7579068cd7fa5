import { sql, type Kysely } from 'kysely';

/** A message may be started under any workflow id; null stands for `message:<id>`, and for a message without a run. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messages add column workflow_id text`.execute(db);
}
