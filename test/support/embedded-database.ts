/**
 * Embedded databases with the ledger's tables, empty.
 *
 * To create one takes seconds, from a dump half a second, and to empty a used one some milliseconds: so they are reused.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { migrate } from '../../src/ledger/storage/migrate.js';
import { PGliteDialect, type EmbeddedDatabase } from '../../src/ledger/storage/pglite-dialect.js';
import type { Schema } from '../../src/ledger/schema.js';
import { migrationsHash } from './migrations-hash.js';

/** Each start fills its shared buffers with zeros. A test's rows take some hundred kilobytes. */
const FEW_BUFFERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/** The databases of this process. */
const idle: PGlite[] = [];

/**
 * An empty ledger's database. Close it when the test is done: the test then gets the errors of a closed one.
 * It may be closed twice: Kysely closes only the databases that it has used.
 */
export async function anEmbeddedDatabase(): Promise<EmbeddedDatabase> {
  const database = idle.pop() ?? (await PGlite.create({ loadDataDir: await preparedDump(), startParams: FEW_BUFFERS }));
  let isClosed = false;
  const whileOpen = (): PGlite => {
    // PGlite's own error text, which the ledger knows.
    if (isClosed) throw new Error('PGlite is closed');
    return database;
  };
  return {
    serializers: database.serializers,
    parsers: database.parsers,
    query: async (text, parameters) => whileOpen().query(text, parameters),
    execProtocolStream: async (message, options) => whileOpen().execProtocolStream(message, options),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await empty(database);
      idle.push(database);
    },
  };
}

async function empty(database: PGlite): Promise<void> {
  // A test may close it during a transaction, which is then lost.
  if (database.isInTransaction()) await database.exec('rollback');
  await database.exec('discard all');
  // Truncating a table costs milliseconds for each of its files: those without a page are skipped.
  const { rows } = await database.query<{ names: string | null }>(`
    select string_agg(quote_ident(relname), ', ') as names from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      and pg_relation_size(oid) > 0`);
  const names = rows[0]?.names ?? null;
  if (names !== null) await database.exec(`truncate ${names} cascade`);
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
  // Each start copies the dump: without WAL segments of 16 MB, and without the databases that `create database` copies.
  const database = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
  await database.exec(`update pg_database set datistemplate = false where datname like 'template%'`);
  for (const name of ['template0', 'template1']) await database.exec(`drop database ${name}`);
  await migrate(new Kysely<Schema>({ dialect: new PGliteDialect(database) }));
  // Otherwise each start from the dump would first replay everything since the last checkpoint.
  await database.exec('checkpoint');
  const dump = await database.dumpDataDir('none');
  await database.close();
  // Two test processes may prepare it at once: the last one writes the same content again, as a whole.
  const unfinished = `${path}.${randomUUID()}`;
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
  await rename(unfinished, path);
  return dump;
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
