import { Migrator, type Kysely } from 'kysely';
import { ledgerError } from './database-error.js';
import { MIGRATIONS } from './migrations/index.js';
import type { Schema } from './schema.js';

/** Brings the tables up to date: one process at a time, all migrations that are missing or none. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw ledgerError(error);
}
