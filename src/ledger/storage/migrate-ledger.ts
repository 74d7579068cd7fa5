import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Schema } from '../schema.js';
import { checkServer } from './check-server.js';
import { ledgerError } from './database-error.js';
import { migrate, missingMigrations } from './migrate.js';
import { openMigrationPool } from './postgres-pool.js';

export interface MigrateLedger {
  /** Of a role that may change tables. */
  readonly databaseUrl: string;
  /** The role of workers and API, which gets the rights to read and write all tables. @default the same role */
  readonly usedBy?: string;
  /** Only finds out what is missing. @default false */
  readonly dryRun?: boolean;
}

/**
 * Migrates a ledger in PostgreSQL, however long that takes: no statement has a time limit.
 * @returns the migrations that were applied, or that are missing
 * @throws AppError LEDGER_NEWER | LEDGER_UNAVAILABLE | CONFIG_INVALID
 */
export async function migrateLedger({
  databaseUrl,
  usedBy,
  dryRun = false,
}: MigrateLedger): Promise<readonly string[]> {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openMigrationPool(databaseUrl) }) });
  try {
    await checkServer(databaseUrl);
    if (dryRun) return await missingMigrations(db);
    const applied = await migrate(db);
    if (usedBy === undefined) return applied;
    const role = sql.id(usedBy);
    await sql`grant select, insert, update, delete on all tables in schema public to ${role}`.execute(db);
    await sql`grant usage, select on all sequences in schema public to ${role}`.execute(db);
    return applied;
  } catch (error) {
    throw ledgerError(error);
  } finally {
    await db.destroy();
  }
}
