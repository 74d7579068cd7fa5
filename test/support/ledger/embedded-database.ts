/**
 * Embedded databases with the ledger's tables, empty.
 *
 * To create one takes seconds, from a dump half a second, and to empty a used one some milliseconds: so they are
 * reused.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { prepareDatabase } from '../../../src/ledger/storage/new-database.js';
import type { EmbeddedDatabase, PreparedStatement } from '../../../src/ledger/storage/pglite-dialect.js';
import { statementName } from '../../../src/ledger/storage/statements.js';
import { MAKE_NEWER, UNKNOWN } from './newer-ledger.js';

/** Each start fills its shared buffers with zeros. A test's rows take some hundred kilobytes. */
const FEW_BUFFERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/** The databases of this process. */
const idle: PGlite[] = [];

/** The statements of each. They outlive a test: to prepare a statement again takes longer than to run it. */
const preparedBy = new WeakMap<PGlite, Map<string, PreparedStatement>>();

/** A table up to this size is emptied by row. Its statements keep their plans, which a truncated table loses. */
const SMALL_BYTES = 64 * 1_024;

/**
 * An empty ledger's database. Close it when the test is done: the test then gets the errors of a closed one.
 * It may be closed twice: Kysely closes only the databases that it has used.
 */
export async function anEmbeddedDatabase(): Promise<EmbeddedDatabase> {
  const database = idle.pop() ?? (await PGlite.create({ loadDataDir: await preparedDump(), startParams: FEW_BUFFERS }));
  const prepared = preparedBy.get(database) ?? new Map<string, PreparedStatement>();
  preparedBy.set(database, prepared);
  let isClosed = false;
  const whileOpen = (): PGlite => {
    // PGlite's own error text, which the ledger knows.
    if (isClosed) throw new Error('PGlite is closed');
    return database;
  };
  return {
    serializers: database.serializers,
    parsers: database.parsers,
    prepared,
    query: async (text, parameters) => whileOpen().query(text, parameters),
    execProtocolStream: async (message, options) => whileOpen().execProtocolStream(message, options),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await empty(database);
      await checkNamed(database, [...prepared.keys()]);
      idle.push(database);
    },
  };
}

/** By text: the statements with a name that were checked in this process. */
const checked = new Set<string>();

/** PostgreSQL refuses a kept plan whose result a migration has changed (0A000): UPGRADE-2. */
async function checkNamed(database: PGlite, statements: readonly string[]): Promise<void> {
  for (const text of statements.filter((one) => statementName(one) !== undefined && !checked.has(one))) {
    checked.add(text);
    const { resultFields } = await database.describeQuery(text);
    if (!resultFields.some(({ name }) => name === UNKNOWN)) continue;
    throw new Error(`The statement ${statementName(text)} returns all columns of a table: name those that it needs.`);
  }
}

async function empty(database: PGlite): Promise<void> {
  // A test may close it during a transaction, which is then lost.
  if (database.isInTransaction()) await database.exec('rollback');
  // All of `discard all` but the prepared statements and their plans.
  await database.exec(`
    close all; reset all; unlisten *; select pg_advisory_unlock_all(); discard temporary; discard sequences`);
  const { rows } = await database.query<{ name: string; bytes: number }>(`
    select quote_ident(relname) as name, pg_relation_size(oid)::integer as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and pg_relation_size(oid) > 0`);
  const large = rows.filter(({ bytes }) => bytes > SMALL_BYTES).map(({ name }) => name);
  const small = rows.filter(({ bytes }) => bytes <= SMALL_BYTES).map(({ name }) => `delete from ${name};`);
  if (large.length > 0) await database.exec(`truncate ${large.join(', ')} cascade`);
  // Without its triggers and foreign keys, so that the order of the tables does not matter.
  await database.exec(`set session_replication_role = replica; ${small.join(' ')} reset session_replication_role`);
}

/**
 * A dump of a data directory with the ledger's tables, created once for all processes, and again after a new migration.
 */
async function preparedDump(): Promise<Blob> {
  const path = join(tmpdir(), `everpost-test-database-${await migrationsHash()}.tar`);
  try {
    return new Blob([await readFile(path)]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  // Each start copies the dump: without segments of the log of 16 MB.
  const dump = await madeNewer(await prepareDatabase(['--wal-segsize=1']));
  // Two test processes may prepare it at once: the last one writes the same content again, as a whole.
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, dump);
  await rename(unfinished, path);
  return new Blob([new Uint8Array(dump)]);
}

async function madeNewer(dump: Buffer): Promise<Uint8Array> {
  const database = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(dump)]) });
  await database.exec(MAKE_NEWER);
  await database.exec('checkpoint');
  const newer = await database.dumpDataDir('none');
  await database.close();
  return new Uint8Array(await newer.arrayBuffer());
}

/**
 * A new data directory with an empty ledger, closed; also for a process, which would take seconds to create the tables.
 * Remove it when the test is done.
 */
export async function aDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'everpost-ledger-'));
  await cp(await preparedDirectory(), join(dataDir, 'ledger'), { recursive: true });
  return dataDir;
}

/** The content of the dump, as a directory that is only copied and never opened. */
async function preparedDirectory(): Promise<string> {
  const path = join(tmpdir(), `everpost-test-database-${await migrationsHash()}`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.${randomUUID()}`;
  const database = await PGlite.create({ dataDir: unfinished, loadDataDir: await preparedDump() });
  await database.close();
  try {
    await rename(unfinished, path);
  } catch (error) {
    // Another test process was first.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    await rm(unfinished, { recursive: true });
  }
  return path;
}

const MIGRATIONS = new URL('../../../src/ledger/migrations/', import.meta.url);

/** Names a database after the current migrations. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(MAKE_NEWER);
  for (const name of (await readdir(MIGRATIONS)).toSorted()) hash.update(await readFile(new URL(name, MIGRATIONS)));
  return hash.digest('hex').slice(0, 16);
}
