// Measures the two writes of a message, each in a tick of the dispatcher: the intent (the claim, before the POST) and
// the outcome (after the 200); both writes in one tick, as under load; and a bare insert for comparison.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { acceptance, aShift, aTick } from './accepted-messages.js';
import { quantile } from './table.js';

const MESSAGES = 1_000;
/** Writes until plans are cached and the code is compiled. */
const WARM_UP = 200;
/** The limit on a slow machine, which measures fewer messages. */
const AT_MOST_MS = 12_000;

const MAKE_YARDSTICK = 'create table yardstick (id text primary key, body text not null, at timestamptz not null)';
const INSERT = 'insert into yardstick (id, body, at) values ($1, $2, $3)';

/** @typedef {import('../dist/ledger/index.js').Ledger} Ledger */
/** @typedef {{ query: (text: string, values: unknown[]) => Promise<unknown> }} Bare  one connection of the store's own driver */

/** @param {string} dir */
export async function measureEmbeddedLedger(dir) {
  const bare = await PGlite.create({ dataDir: join(dir, 'bare'), relaxedDurability: false });
  const ledger = await openLedger({ dataDir: join(dir, 'ledger') }, { atRest: atRest(undefined) });
  try {
    return { store: 'PGlite, on disk', ...(await measure(ledger, bare)) };
  } finally {
    await ledger.close();
    await bare.close();
  }
}

/** Undefined without PostgreSQL. A server that is started here uses fsync, which is the default. */
export async function measurePostgresLedger() {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startDurablePostgres() : { url: given, close: async () => {} };
  if (server === undefined) return undefined;
  try {
    const database = await aDatabase(server.url);
    const bare = new Client(database.url);
    await bare.connect();
    const ledger = await openLedger({ databaseUrl: database.url }, { atRest: atRest(undefined) });
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
 * Interleaves two messages with a bare insert, so that other load of the machine affects all of them.
 * @param {Ledger} ledger
 * @param {Bare} bare
 */
async function measure(ledger, bare) {
  await bare.query(MAKE_YARDSTICK, []);
  const shift = aShift('main');
  await ledger.dispatch.beginShift(shift, Date.now());
  /** @type {{ insert: number[], intent: number[], both: number[], outcome: number[] }} */
  const took = { insert: [], intent: [], both: [], outcome: [] };
  const startedMs = performance.now();
  for (let count = -WARM_UP; count < MESSAGES && performance.now() - startedMs < AT_MOST_MS; count += 2) {
    const name = await open(ledger);
    await open(ledger);
    const insert = await timed(() => bare.query(INSERT, [name, `Your order ${name} is ready`, new Date()]));
    const intent = await timed(() => claim(ledger, shift, []));
    const both = await timed(() => claim(ledger, shift, [intent.result]));
    const outcome = await timed(() => ledger.dispatch.tick(aTick([], [both.result], 0)));
    if (count < 0) continue;
    for (const [write, { ms }] of Object.entries({ insert, intent, both, outcome })) {
      took[/** @type {keyof typeof took} */ (write)].push(ms);
    }
  }
  const inInserts = quantile(took.both, 0.5) / quantile(took.insert, 0.5);
  return {
    'bare insert': figures(took.insert),
    intent: figures(took.intent),
    outcome: figures(took.outcome),
    'outcome and next intent': figures(took.both),
    'in inserts': inInserts.toFixed(1),
  };
}

/**
 * @param {Ledger} ledger
 * @returns {Promise<string>}  a unique name
 */
async function open(ledger) {
  const name = randomUUID().replaceAll('-', '');
  const nowMs = Date.now();
  await ledger.intake.open({
    id: /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${name}`),
    requestHash: name,
    request: {
      instance: 'main',
      chatId: '15551234567@c.us',
      content: { kind: 'text', text: `Your order ${name} is ready` },
    },
    expiresAtMs: nowMs + 86_400_000,
    nowMs,
  });
  return name;
}

/**
 * Runs one tick, which writes the outcomes and claims the next message.
 * @param {Ledger} ledger
 * @param {import('../dist/ledger/index.js').Shift} shift
 * @param {readonly import('../dist/ledger/index.js').Outcome[]} outcomes
 * @returns {Promise<import('../dist/ledger/index.js').Outcome>}  the outcome of the claimed message
 */
async function claim(ledger, shift, outcomes) {
  const { claimed } = await ledger.dispatch.tick(aTick([shift], outcomes, 1));
  const [attempt] = claimed;
  if (attempt === undefined) throw new Error('No message was claimed.');
  return acceptance(attempt.token, `BAE5${randomUUID()}`);
}

/**
 * @template Result
 * @param {() => Promise<Result>} work
 */
async function timed(work) {
  const startedMs = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedMs };
}

/** @param {readonly number[]} samples */
function figures(samples) {
  return `${quantile(samples, 0.5).toFixed(2)} / ${quantile(samples, 0.99).toFixed(2)}`;
}
