import { sql, type Kysely } from 'kysely';

/** When an attempt that was surely not accepted is followed by the next one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table attempts add column retry_at timestamptz`.execute(db);
}
