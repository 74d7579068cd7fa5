/** A ledger with the rows of the world on each store, whose sessions report the plans of their statements. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { auto_explain } from '@electric-sql/pglite/contrib/auto_explain';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import type { Schema } from '../../src/ledger/storage/schema.js';
import { prepareDatabase } from '../../src/ledger/storage/new-database.js';
import { pgliteDialect } from '../../src/ledger/storage/pglite-dialect.js';
import type { Db } from '../../src/ledger/storage/store.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { startPostgres } from '../support/ledger/postgres.js';
import { Plans, REPORT_PLANS } from './plans.js';
import { fillWorld } from './world.js';

export interface WorldLedger {
  readonly ledger: Ledger;
  readonly plans: Plans;
  close(): Promise<void>;
}

export type StoreName = 'postgres' | 'embedded';

export const STORES: Readonly<Record<StoreName, (messages: number) => Promise<WorldLedger>>> = {
  postgres: postgresWorld,
  embedded: embeddedWorld,
};

/** Nothing has to survive a crash here, and the largest index fits into memory. */
const FAST = [
  'shared_buffers=512MB',
  'maintenance_work_mem=256MB',
  'max_wal_size=16GB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
];

/** A server with the rows of the world, and a connection to it. */
export async function filledPostgres(messages: number, settings: string[] = []) {
  const server = await startPostgres({ settings });
  await (await openLedger({ databaseUrl: server.url }, UNENCRYPTED)).close();
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await fillWorld(db, messages);
  return { server, db };
}

async function postgresWorld(messages: number): Promise<WorldLedger> {
  const { server, db } = await filledPostgres(messages, FAST);
  const plans = new Plans(await growingTables(db));
  for (const [name, value] of Object.entries({ session_preload_libraries: 'auto_explain', ...REPORT_PLANS })) {
    await sql.raw(`alter database postgres set ${name} = '${value}'`).execute(db);
  }
  await db.destroy();
  const stopListening = listenToClients(plans);
  const ledger = await openLedger({ databaseUrl: server.url }, UNENCRYPTED);
  return {
    ledger,
    plans,
    async close() {
      await ledger.close();
      stopListening();
      await server.close();
    },
  };
}

/**
 * Plans each prepared statement without its parameters every second time, as the server may after five runs, and all
 * others with them. A tick decides itself how its statements are planned.
 */
function listenToClients(plans: Plans): () => void {
  const { query } = pg.Client.prototype;
  const runs = new Map<string, number>();
  const known = new WeakMap<pg.Client, { inTick: boolean }>();
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
    const ask = (...parameters: unknown[]): unknown => Reflect.apply(query, this, parameters);
    const client = known.get(this) ?? { inTick: false };
    if (!known.has(this)) this.on('notice', plans.take);
    known.set(this, client);
    const { name, text = '' } = Object(given[0]) as { readonly name?: string; readonly text?: string };
    if (name === 'dispatch_lock') client.inTick = true;
    if (text === 'commit' || text === 'rollback') client.inTick = false;
    const run = runs.get(name ?? '') ?? 0;
    runs.set(name ?? '', run + 1);
    const mode = name === undefined ? 'auto' : run % 2 === 0 ? 'force_generic_plan' : 'force_custom_plan';
    // In a transaction that has failed this fails, too, and so does the statement.
    if (!client.inTick) ask(`set plan_cache_mode = ${mode}`, () => undefined);
    return ask(...given);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}

async function embeddedWorld(messages: number): Promise<WorldLedger> {
  const dataDir = await mkdtemp(join(tmpdir(), 'everpost-statements-'));
  const loadDataDir = new Blob([await prepareDatabase([])]);
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=128MB', '-c', 'maintenance_work_mem=128MB'];
  const database = await PGlite.create({ dataDir, loadDataDir, extensions: { auto_explain }, startParams });
  const db = new Kysely<Schema>({ dialect: pgliteDialect(database) });
  await fillWorld(db, messages);
  const plans = new Plans(await growingTables(db));
  await database.exec("load 'auto_explain'");
  for (const [name, value] of Object.entries(REPORT_PLANS)) await database.exec(`set ${name} = '${value}'`);
  const listening = { onNotice: plans.take };
  const ledger = await openLedger(
    {
      database: {
        serializers: database.serializers,
        parsers: database.parsers,
        query: (text, parameters) => database.query(text, parameters, listening),
        execProtocolStream: (message, options) => database.execProtocolStream(message, { ...options, ...listening }),
        close: () => database.close(),
      },
    },
    UNENCRYPTED,
  );
  return {
    ledger,
    plans,
    async close() {
      await ledger.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** More blocks than a table has whose rows are counted by instances. */
const GROWS_ABOVE_BLOCKS = 100;

async function growingTables(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages > ${GROWS_ABOVE_BLOCKS}`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
