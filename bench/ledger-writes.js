// The intent write (the claim, before a POST) and the outcome write (after a 200), and a bare insert as the yardstick.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { openLedger } from '../dist/ledger/index.js';
import { startPostgres } from '../test/support/postgres.js';
import { quantile } from './table.js';

const MESSAGES = 1_000;
/** Until plans are cached and the machine code is made. */
const WARM_UP = 200;
/** The bound on a slow machine: it measures fewer messages. */
const AT_MOST_MS = 12_000;

const MAKE_YARDSTICK = 'create table yardstick (id text primary key, body text not null, at timestamptz not null)';
const INSERT = 'insert into yardstick (id, body, at) values ($1, $2, $3)';

/** @typedef {import('../dist/ledger/index.js').Ledger} Ledger */
/** @typedef {{ query: (text: string, values: unknown[]) => Promise<unknown> }} Bare  one connection of the store's own driver */

/** @param {string} dir */
export async function measureEmbeddedLedger(dir) {
  const bare = await PGlite.create({ dataDir: join(dir, 'bare'), relaxedDurability: false });
  const ledger = await openLedger({ dataDir: join(dir, 'ledger') });
  try {
    return { store: 'PGlite, on disk', ...(await measure(ledger, bare)) };
  } finally {
    await ledger.close();
    await bare.close();
  }
}

/** Undefined where there is no PostgreSQL. One that is started here waits for the disk, as a server does by default. */
export async function measurePostgresLedger() {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startDurablePostgres() : { url: given, close: async () => {} };
  if (server === undefined) return undefined;
  try {
    const database = await aDatabase(server.url);
    const bare = new Client(database.url);
    await bare.connect();
    const ledger = await openLedger({ databaseUrl: database.url });
    try {
      const { rows } = await bare.query('show server_version');
      const { rows: durability } = await bare.query('show fsync');
      const store = `PostgreSQL ${parseInt(rows[0].server_version, 10)}, fsync ${durability[0].fsync}`;
      return { store, ...(await measure(ledger, bare)) };
    } finally {
      await ledger.close();
      await bare.end();
      await database.drop();
    }
  } finally {
    await server.close();
  }
}

async function startDurablePostgres() {
  try {
    return await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** @param {string} serverUrl */
async function aDatabase(serverUrl) {
  const name = `everpost_bench_${randomUUID().replaceAll('-', '')}`;
  /** @param {string} statement */
  const run = async (statement) => {
    const client = new Client(serverUrl);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

/**
 * One message after the other, each beside a bare insert, so that whatever else the machine does is in both.
 * @param {Ledger} ledger
 * @param {Bare} bare
 */
async function measure(ledger, bare) {
  await bare.query(MAKE_YARDSTICK, []);
  /** @type {{ insert: number[], intent: number[], outcome: number[], both: number[] }} */
  const took = { insert: [], intent: [], outcome: [], both: [] };
  const startedMs = performance.now();
  for (let count = -WARM_UP; count < MESSAGES && performance.now() - startedMs < AT_MOST_MS; count += 1) {
    const id = /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${randomUUID().replaceAll('-', '')}`);
    const text = `Your order ${id} is ready`;
    const nowMs = Date.now();
    const request = {
      instance: 'main',
      chatId: '15551234567@c.us',
      content: { kind: /** @type {const} */ ('text'), text },
    };
    await ledger.messages.open({ id, requestHash: id, request, expiresAtMs: nowMs + 86_400_000, nowMs });

    const claim = {
      id,
      token: randomUUID(),
      worker: 'bench',
      postingDeadlineMs: nowMs,
      reconcileAfterMs: nowMs,
      nowMs,
    };
    const idMessage = `BAE5${randomUUID()}`;
    const insertMs = await timed(() => bare.query(INSERT, [id, text, new Date(nowMs)]));
    const intentMs = await timed(() => ledger.messages.claim(claim));
    const outcomeMs = await timed(() =>
      ledger.messages.recordOutcome(claim.token, { kind: 'accepted', idMessage, httpStatus: 200 }, nowMs),
    );
    if (count < 0) continue;
    took.insert.push(insertMs);
    took.intent.push(intentMs);
    took.outcome.push(outcomeMs);
    took.both.push(intentMs + outcomeMs);
  }
  const ratio = quantile(took.both, 0.5) / quantile(took.insert, 0.5);
  return {
    'bare insert': figures(took.insert),
    intent: figures(took.intent),
    outcome: figures(took.outcome),
    'intent and outcome': figures(took.both),
    'in inserts': ratio.toFixed(1),
  };
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** @param {readonly number[]} samples */
function figures(samples) {
  return `${quantile(samples, 0.5).toFixed(2)} / ${quantile(samples, 0.99).toFixed(2)}`;
}
