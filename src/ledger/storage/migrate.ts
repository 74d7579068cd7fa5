/**
 * MIGRATE-1 One process at a time migrates, under an advisory lock of the database, and applies all missing migrations or
 *    none. It begins again when the database rolled it back because it and the processes at work waited for each other.
 * MIGRATE-2 A migration whose name has `add` after its number only adds what a version without it need not know, so that
 *    older processes continue on the migrated ledger. Any other one stops them: they do not start (LEDGER_NEWER).
 * MIGRATE-3 A process that starts on PostgreSQL creates the tables of an empty database, and changes no others: they may
 *    belong to another role, and other processes may use them. It says how to migrate (LEDGER_OLDER). An embedded ledger
 *    belongs to one process, which migrates it.
 */
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely';
import { AppError, codeOf } from '../../contract/index.js';
import * as ledger from '../migrations/0001-ledger.js';
import type { Schema } from './schema.js';
import { checkServer } from './check-server.js';
import { ledgerError } from './database-error.js';
import { openMigrationPool } from './postgres-pool.js';
import { TRIES, gaveWay } from './store.js';

const UNDEFINED_TABLE = '42P01';

/** Every migration, by the name that a database records. Entries are only added. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = { '0001-ledger': ledger };

const THIS_DATABASE = 'of this database';
/** MIGRATE-2. */
const ADDS = /^\d{4}-add-/;

export interface LedgerPlace {
  /** The location of the ledger for an error's text, without a password. @default of this database */
  readonly place?: string;
  /** @default MIGRATIONS */
  readonly migrations?: Readonly<Record<string, Migration>>;
}

/**
 * Applies the missing migrations.
 * @returns their names
 * @throws AppError LEDGER_NEWER if an older version cannot work with this ledger; nothing is changed then
 */
export async function migrate(db: Kysely<Schema>, ledgerPlace: LedgerPlace = {}): Promise<readonly string[]> {
  const { migrations = MIGRATIONS } = ledgerPlace;
  // The migrator reads every table and column in the catalog, which most starts need not wait for.
  if ((await missingMigrations(db, ledgerPlace)).length === 0) return [];
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  for (let tries = 1; ; tries += 1) {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error === undefined) return results.map(({ migrationName }) => migrationName);
    const failure = ledgerError(error);
    if (tries === TRIES || !gaveWay(failure)) throw failure;
  }
}

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

/**
 * MIGRATE-3.
 * @throws AppError LEDGER_OLDER | LEDGER_NEWER
 */
export async function createTables(db: Kysely<Schema>, ledgerPlace: LedgerPlace): Promise<void> {
  const { place = THIS_DATABASE, migrations = MIGRATIONS } = ledgerPlace;
  const missing = await missingMigrations(db, ledgerPlace);
  if (missing.length === Object.keys(migrations).length) await migrate(db, ledgerPlace);
  else if (missing.length > 0) {
    throw new AppError(
      'LEDGER_OLDER',
      `The ledger ${place} is older than this everpost: ${listed(missing)} missing. Nothing was changed. ` +
        'Migrate it, with a database user that may change tables: everpost migrate',
    );
  }
}

/** @throws AppError LEDGER_NEWER */
export async function missingMigrations(
  db: Kysely<Schema>,
  { place = THIS_DATABASE, migrations = MIGRATIONS }: LedgerPlace = {},
): Promise<readonly string[]> {
  const listing = sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const { rows } = await listing.catch((error: unknown) => {
    // A database without tables.
    if (codeOf(error) === UNDEFINED_TABLE) return { rows: [] };
    throw ledgerError(error);
  });
  const applied = rows.map(({ name }) => name);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name) && !ADDS.test(name));
  if (unknown.length > 0) {
    throw new AppError(
      'LEDGER_NEWER',
      `The ledger ${place} was written by a newer everpost: ${listed(unknown)} unknown here. Nothing was changed. ` +
        'Install that version or a newer one: npm install everpost@latest',
    );
  }
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? `migration ${names[0]} is` : `migrations ${names.join(', ')} are`;
}
