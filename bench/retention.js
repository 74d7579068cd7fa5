// Measures the duration of the removal of old messages, and its effect on sending: npm run bench -- retention
// [messages]
//
//   removes messages that were delivered a year ago, half of them of one campaign with its recipients, each with an
//   attempt, four pieces of evidence and a gateway id. Before and during the removal, another message is written,
//   claimed and accepted every 20 milliseconds.
//
// Each ledger has its own process, whose processor time is printed; with the embedded ledger it includes the database.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { acceptance, aShift, aTick } from './accepted-messages.js';
import { quantile } from './table.js';

const MOST_MESSAGES = 1_000_000;
const SEND_EVERY_MS = 20;
const BEFORE_MS = 5_000;
const DAY_MS = 86_400_000;
const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT) {
  const [kind = '', count = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await run(kind, Number(count))));
}

/** @param {number} [messages] */
export async function measureRetention(messages = MOST_MESSAGES) {
  /** @type {Record<string, string>[]} */
  const rows = [];
  for (const [kind, count] of [
    ['PGlite', messages / 10],
    ['PostgreSQL', messages],
  ]) {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, String(kind), String(count)]);
    rows.push(JSON.parse(stdout));
  }
  return rows;
}

/**
 * @param {string} kind
 * @param {number} messages
 */
async function run(kind, messages) {
  const dataDir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const server = kind === 'PGlite' ? undefined : await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] });
  try {
    const where = server === undefined ? { dataDir } : { databaseUrl: server.url };
    await (await openLedger(where, { atRest: atRest(undefined) })).close();
    const before = await withTables(server?.url, dataDir, (query) => fill(query, messages));
    const ledger = await openLedger(where, { atRest: atRest(undefined) });
    const measured = await measure(ledger);
    await ledger.close();
    const after = await withTables(server?.url, dataDir, rowsOf);
    return { store: kind, rows: String(before), 'rows left': String(after), ...measured };
  } finally {
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @typedef {(text: string) => Promise<{ rows: any[] }>} Query */

/**
 * @template Result
 * @param {string | undefined} url
 * @param {string} dataDir
 * @param {(query: Query) => Promise<Result>} work
 */
async function withTables(url, dataDir, work) {
  if (url === undefined) {
    const database = await PGlite.create({ dataDir: join(dataDir, 'ledger') });
    try {
      return await work((text) => database.query(text));
    } finally {
      await database.close();
    }
  }
  const client = new Client(url);
  await client.connect();
  try {
    return await work((text) => client.query(text));
  } finally {
    await client.end();
  }
}

/**
 * @param {Query} query
 * @param {number} messages
 * @returns the number of rows
 */
async function fill(query, messages) {
  const then = `now() - interval '365 days' + n * interval '1 millisecond'`;
  const id = `'msg_' || md5(n::text)`;
  const half = Math.floor(messages / 2);
  await query(`
    insert into campaigns (id, key, instance, request_hash, definition, content, priority, category, on_unknown, high_water,
      state, audience, created_at, started_at, ended_at)
    values ('old', 'aaaaaaaaaa', 'main', 'h', '{}', '{}', 'normal', 'marketing', 'manual', 20, 'completed', ${half},
      now() - interval '365 days', now() - interval '365 days', now() - interval '360 days')`);
  await query(
    `insert into audiences (campaign_id, begun_at, finished_at) values ('old', now() - interval '365 days', now() - interval '365 days')`,
  );
  await query(`update campaigns set audience_no = (select no from audiences)`);
  await query(`
    insert into recipients (audience_no, line, chat_id, "values")
    select a.no, n, 49151000000000 + n || '@c.us', '{"name":"Recipient"}' from audiences a, generate_series(1, ${half}) n`);
  await query(`
    insert into messages (id, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, priority, category, on_unknown,
      created_at, expires_at, accepted_at, sent_at, sent_seen_at, delivered_at, delivered_seen_at, attempt_token, id_message,
      campaign_id, line)
    select ${id}, 'main', 49151000000000 + n || '@c.us', 49151000000000 + n || '@c.us', 'text', json_build_object('kind', 'text', 'text', 'Your order ' || n || ' is ready'),
      md5(n::text), md5(n::text), 'delivered', 'normal', 'marketing', 'manual', ${then}, ${then} + interval '1 day', ${then}, ${then},
      ${then}, ${then}, ${then}, 't' || n, 'G' || n,
      case when n <= ${half} then 'old' end, case when n <= ${half} then n end
    from generate_series(1, ${messages}) n`);
  await query(`
    insert into attempts (token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after,
      outcome, outcome_at, id_message, http_status, instance)
    select 't' || n, ${id}, 'worker', json_build_object('kind', 'text', 'text', 'Your order ' || n || ' is ready'), md5(n::text),
      ${then}, ${then}, ${then}, 'accepted', ${then}, 'G' || n, 200, 'main'
    from generate_series(1, ${messages}) n`);
  await query(`
    insert into evidence (message_id, fact, at, witness, what)
    select ${id}, what, ${then}, 'notification', what
    from generate_series(1, ${messages}) n, unnest(array['claimed', 'accepted', 'sent', 'delivered']) what`);
  await query(`
    insert into message_ids (instance, id_message, message_id, role, stored_at)
    select 'main', 'G' || n, ${id}, 'message', ${then} from generate_series(1, ${messages}) n`);
  await query('analyze');
  return rowsOf(query);
}

/** @param {Query} query */
async function rowsOf(query) {
  const { rows } = await query(`
    select (select count(*) from messages where created_at < now() - interval '300 days')
      + (select count(*) from attempts where claimed_at < now() - interval '300 days')
      + (select count(*) from evidence where at < now() - interval '300 days')
      + (select count(*) from message_ids where stored_at < now() - interval '300 days')
      + (select count(*) from recipients) as count`);
  return Number(rows[0].count);
}

/** @param {import('../dist/ledger/index.js').Ledger} ledger */
async function measure(ledger) {
  const shift = aShift('main');
  await ledger.dispatch.beginShift(shift, Date.now());
  const before = await sendingUntil(ledger, shift, new Promise((resolve) => setTimeout(resolve, BEFORE_MS)));
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const nowMs = Date.now();
  const removal = ledger.retention.removeMessages({ nowMs, keptSinceMs: nowMs - 300 * DAY_MS });
  const meanwhile = await sendingUntil(ledger, shift, removal);
  const { messages } = await removal;
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    messages: String(messages),
    seconds: seconds.toFixed(1),
    'CPU s': ((user + system) / 1_000_000).toFixed(1),
    'messages/s': (messages / seconds).toFixed(0),
    'a send before, ms (median / p99 / max)': figures(before),
    meanwhile: figures(meanwhile),
  };
}

/**
 * @param {import('../dist/ledger/index.js').Ledger} ledger
 * @param {import('../dist/ledger/index.js').Shift} shift
 * @param {Promise<unknown>} end
 * @returns {Promise<number[]>}  how long each message took to be written, claimed and accepted
 */
async function sendingUntil(ledger, shift, end) {
  const done = new AbortController();
  const ended = end.finally(() => done.abort());
  /** @type {number[]} */
  const took = [];
  while (!done.signal.aborted) {
    const startedMs = performance.now();
    await sendOne(ledger, shift);
    took.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS));
  }
  await ended;
  return took;
}

/**
 * @param {import('../dist/ledger/index.js').Ledger} ledger
 * @param {import('../dist/ledger/index.js').Shift} shift
 */
async function sendOne(ledger, shift) {
  const name = randomUUID().replaceAll('-', '');
  const nowMs = Date.now();
  await ledger.intake.open({
    id: /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${name}`),
    requestHash: name,
    request: { instance: 'main', chatId: '15551234567@c.us', content: { kind: 'text', text: name } },
    expiresAtMs: nowMs + DAY_MS,
    nowMs,
  });
  const { claimed } = await ledger.dispatch.tick(aTick([shift], [], 1));
  const [attempt] = claimed;
  if (attempt === undefined) throw new Error('No message was claimed.');
  await ledger.dispatch.tick(aTick([], [acceptance(attempt.token, `BAE5${name}`)], 0));
}

/** @param {readonly number[]} samples */
function figures(samples) {
  return [0.5, 0.99, 1].map((share) => quantile(samples, share).toFixed(1)).join(' / ');
}
