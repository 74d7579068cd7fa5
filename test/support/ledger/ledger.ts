/**
 * A ledger for a test: embedded by default, on PostgreSQL with `LEDGER=postgres` and `TEST_DATABASE_URL`.
 *
 * Creating the tables takes seconds, so both start from a prepared copy: the embedded one from a dump in the temporary
 * directory, PostgreSQL from a template database. Both are named after the migrations, so that a changed migration
 * creates a new copy. Both are ledgers of the next version (newer-ledger.ts).
 */
import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { pgliteDialect } from '../../../src/ledger/storage/pglite-dialect.js';
import { identityOf, ledgerParts } from '../../../src/ledger/open-ledger.js';
import { openPostgresPool } from '../../../src/ledger/storage/postgres-pool.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Texts } from '../../../src/ledger/sensitive/texts.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { ProcessWakes } from '../../../src/ledger/wakes.js';
import { ENCRYPTED, UNENCRYPTED } from './at-rest.js';
import { anEmbeddedDatabase, migrationsHash } from './embedded-database.js';
import { MAKE_NEWER } from './newer-ledger.js';

/** One lock number for all processes that prepare the template. */
const PREPARE_LOCK = 4_207_321;

/** True on a database server, where two connections can work at once. */
export const onPostgres = process.env['LEDGER'] === 'postgres';

/** The states and readings that a test observes come one by one. */
const OPTIONS = { ...ENCRYPTED, gatherMs: 0 };
export const TEXT_KEY = Buffer.alloc(32, 9).toString('base64');
export const TEXTS = new Texts(ENCRYPTED.atRest, TEXT_KEY);

/** A fresh, empty ledger. Close it when the test is done. */
export async function aLedger(): Promise<Ledger> {
  return onPostgres ? aPostgresLedger() : (await aDatabase()).ledger;
}

/** One ledger for all tests of a file, open from the first of them to the last. */
export function useLedger(): Ledger {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- filled before the first test
  const ledger = {} as Ledger;
  beforeAll(async () => {
    Object.assign(ledger, await aLedger());
  });
  afterAll(() => ledger.close());
  return ledger;
}

function testServer(): string {
  const server = process.env['TEST_DATABASE_URL'];
  if (server !== undefined) return server;
  throw new Error('LEDGER=postgres needs TEST_DATABASE_URL: a server where the tests may create databases.');
}

/** Address of a new, empty database with the tables; its caller drops it. */
export async function aDatabaseUrl(): Promise<string> {
  const server = testServer();
  const template = `everpost_template_${await migrationsHash()}`;
  const name = `everpost_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, async (client) => {
    // A template is copied only while no connection uses it: one copy at a time.
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      await client.query(`create database ${template}_new`);
      await (await openLedger({ databaseUrl: databaseUrl(server, `${template}_new`) }, UNENCRYPTED)).close();
      // Each copy is a ledger of its own, which was in no other database.
      await withClient(databaseUrl(server, `${template}_new`), async (own) => {
        await own.query('update ledger_identity set origin = null');
        await own.query(MAKE_NEWER);
      });
      await client.query(`alter database ${template}_new rename to ${template}`);
    }
    await client.query(`create database ${name} template ${template}`);
  });
  return databaseUrl(server, name);
}

/** Address of a new database without tables. @param options of `create database`, e.g. its collation */
export async function anEmptyDatabaseUrl(options = ''): Promise<string> {
  const server = testServer();
  const name = `everpost_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, (client) => client.query(`create database ${name} template template0 ${options}`));
  return databaseUrl(server, name);
}

/** A new ledger and the bare database under it, for tests that read the tables themselves. */
export async function aDatabase(): Promise<{ db: Kysely<Schema>; ledger: Ledger; close: () => Promise<void> }> {
  const { db, remove } = await aBareDatabase();
  const store = new Store(db);
  const wakes = new ProcessWakes();
  const close = async (): Promise<void> => {
    wakes.close();
    await store.close();
    await remove();
  };
  const ping = async (): Promise<void> => void (await store.run((any) => sql`select 1`.execute(any)));
  const { id, digest } = await identityOf(db, OPTIONS.atRest);
  const parts = ledgerParts(store, { ...OPTIONS, textKey: TEXT_KEY });
  return { db, ledger: { ...parts, wakes, id, digest, ping, close }, close };
}

/** Call `remove` once it is closed. */
async function aBareDatabase(): Promise<{ db: Kysely<Schema>; remove: () => Promise<void> }> {
  if (!onPostgres) {
    const database = await anEmbeddedDatabase();
    const db = new Kysely<Schema>({ dialect: pgliteDialect(database) });
    return { db, remove: () => database.close() };
  }
  const url = await aDatabaseUrl();
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPostgresPool(url, 2) }) });
  return { db, remove: () => dropDatabase(url) };
}

async function aPostgresLedger(): Promise<Ledger> {
  const url = await aDatabaseUrl();
  const ledger = await openLedger({ databaseUrl: url }, OPTIONS);
  return { ...ledger, close: () => ledger.close().then(() => dropDatabase(url)) };
}

/** Ends every connection to it first. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withClient(testServer(), (client) => client.query(`drop database ${name} with (force)`));
}

async function withClient(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
