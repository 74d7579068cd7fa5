import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { AppError, codeOf } from '../../contract/index.js';
import * as ledger from '../migrations/0001-ledger.js';
import type { Schema } from '../schema.js';
import { ledgerError } from './database-error.js';

const UNDEFINED_TABLE = '42P01';

/**
 * Updates the tables: one process at a time, either all missing migrations or none.
 * @param place  location of the ledger for the error text, without a password
 * @throws AppError LEDGER_NEWER if it has migrations that this version does not know; nothing is changed then
 */
export async function migrate(db: Kysely<Schema>, place = 'of this database'): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) throw ledgerNewer(place, unknown);
  // The migrator reads every table and column in the catalog, which most starts need not wait for.
  if (applied.length === Object.keys(MIGRATIONS).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw ledgerError(error);
}

/** The migrations that the database has; empty without tables. */
async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return [];
    throw ledgerError(error);
  }
}

function ledgerNewer(place: string, unknown: readonly string[]): AppError {
  const which = unknown.length === 1 ? `migration ${unknown[0]} is` : `migrations ${unknown.join(', ')} are`;
  return new AppError(
    'LEDGER_NEWER',
    `The ledger ${place} was written by a newer everpost: ${which} unknown here. Nothing was changed. ` +
      'Install that version or a newer one: npm install everpost@latest',
  );
}

/** Every migration, by the name that a database records. Entries are only added. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-ledger': ledger };
