import { sql, type Kysely } from 'kysely';

/** The turns of requests to the gateway, shared by all workers of a ledger. */
export async function up(db: Kysely<never>): Promise<void> {
  // Unlogged, since a turn is worth nothing after a crash of the database: a restarted bucket is one without history. The
  // free space keeps each change of a row on its page.
  await sql`
    create unlogged table rate_limit_buckets (
      instance text not null,
      operation text not null,
      next_turn timestamptz not null,
      blocked_until timestamptz not null,
      granted_from timestamptz not null,
      granted integer not null,
      primary key (instance, operation)
    ) with (fillfactor = 50)`.execute(db);
}
