// Counts the work for a message, which is the same on every machine: npm run build && node bench/guard.js
//
//   statements, blocks that they read and writing transactions in PostgreSQL, bytes of its write-ahead log, and actions
//   in Temporal per message: for a campaign and for single messages over HTTP, each from the hand-over until the last
//   outcome is recorded
//
// Fails if a count is above its limit in guard-limits.json, or if the programs of PostgreSQL or Temporal are missing.
// `--write` replaces the limits with the measured counts and some headroom; a change that needs it explains why.
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { everpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { table } from './table.js';
import { temporalCost } from './temporal-cost.js';

const LIMITS_FILE = fileURLToPath(new URL('./guard-limits.json', import.meta.url));
/** How many messages each way sends. A campaign's are enough for a statement that reads a whole index to be seen. */
const WAYS = /** @type {const} */ ({ campaign: 10_000, singles: 300 });
const POLL_EVERY_MS = 250;
/** A limit for a hanging run, not for a slow machine. */
const WITHIN_MS = 300_000;
/** Polls execute statements: a machine four times as slow counted 1.4 times as many. Other counts hardly vary. */
const HEADROOM = { statements: 1.6, blocks: 1.3, writingTransactions: 1.3, walBytes: 1.3, temporalActions: 1 };
/** A slow machine adds a few polls and timers. */
const SPARE = 0.1;

/** @typedef {Record<'statements' | 'blocks' | 'writingTransactions' | 'walBytes' | 'temporalActions', number>} Counts */

/** @type {Record<string, Counts>} */
const limits = JSON.parse(await readFile(LIMITS_FILE, 'utf8'));
const rows = [];
const hanging = setTimeout(() => {
  console.error(`The messages were not sent within ${WITHIN_MS / 1_000} s.`);
  process.exit(1);
}, WITHIN_MS);
for (const way of /** @type {(keyof typeof WAYS)[]} */ (Object.keys(WAYS))) {
  const counts = await countsOf(way);
  if (process.argv.includes('--write')) limits[way] = withHeadroom(counts);
  for (const [name, count] of entriesOf(counts)) {
    const limit = limits[way]?.[name] ?? 0;
    const isOver = count > limit;
    if (isOver) process.exitCode = 1;
    rows.push({ way, 'a message': name, counted: count.toFixed(2), limit: String(limit), '': isOver ? 'over' : 'ok' });
  }
}
clearTimeout(hanging);
console.log(table(rows));
if (process.argv.includes('--write')) await writeFile(LIMITS_FILE, `${JSON.stringify(limits, undefined, 2)}\n`);
if (process.exitCode === 1) console.error('A message costs more than bench/guard-limits.json allows.');

/**
 * @param {keyof typeof WAYS} way
 * @returns {Promise<Counts>}  per message
 */
async function countsOf(way) {
  const system = { needs: /** @type {const} */ (['temporal', 'postgres-counted']), start: everpost(way) };
  const messages = WAYS[way];
  return onStand(system, messages, async ({ running, servers: { postgres, temporal }, gateway, startWorker }) => {
    await startWorker();
    const database = new pg.Client(postgres?.url);
    await database.connect();
    try {
      await database.query('create extension pg_stat_statements');
      const before = await databaseCounts(database);
      const actionsBefore = await temporalCost(temporal?.address ?? '');
      await running.handOver();
      await gateway.reaches(messages);
      while ((await running.open()) > 0 || (await workflowsToStart(database)) > 0) await delay(POLL_EVERY_MS);
      const after = await databaseCounts(database);
      const actions = await temporalCost(temporal?.address ?? '');
      return {
        statements: (after.statements - before.statements) / messages,
        blocks: (after.blocks - before.blocks) / messages,
        writingTransactions: (after.transactions - before.transactions) / messages,
        walBytes: (after.bytes - before.bytes) / messages,
        temporalActions: (actions.actions - actionsBefore.actions) / messages,
      };
    } finally {
      await database.end();
    }
  });
}

/** @param {pg.Client} database */
async function workflowsToStart(database) {
  const found = await database.query("select count(*)::int as wanted from messages where run = 'wanted'");
  return found.rows[0].wanted;
}

/**
 * @param {pg.Client} database
 * @returns {Promise<{ statements: number, blocks: number, transactions: number, bytes: number }>}
 */
async function databaseCounts(database) {
  const { rows: found } = await database.query(
    `select statements, blocks,
            pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes
     from (select sum(calls)::float8 as statements, sum(shared_blks_hit + shared_blks_read)::float8 as blocks
           from pg_stat_statements) counted`,
  );
  return found[0];
}

/**
 * @param {Counts} counts
 * @returns {Counts}
 */
function withHeadroom(counts) {
  const raised = entriesOf(counts).map(([name, count]) => [
    name,
    Number((count * HEADROOM[name] + SPARE).toPrecision(2)),
  ]);
  return Object.fromEntries(raised);
}

/** @param {Counts} counts */
function entriesOf(counts) {
  return /** @type {[keyof Counts, number][]} */ (Object.entries(counts));
}
