// Measures the duration and memory of an import of recipients: npm run bench -- import [recipients]
//
//   streams a CSV file, in which one recipient in fifty is a duplicate and one in fifty has no number, to the HTTP API,
//   into an embedded ledger and into PostgreSQL. Smaller files with a tenth and a hundredth of the recipients come
//   first, to show what grows with the size. Also measures how long other requests to the API wait during the import,
//   and how long the plan of all recipients takes.
//
// Each run has its own process, whose processor time and peak memory are printed; with the embedded ledger they include
// the database. On a busy machine, processor time is more reliable than elapsed time.
// This is not a test: a slow machine gets slow figures, not a failure.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { createGateway } from '../dist/gateway/index.js';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { createMetrics } from '../dist/metrics/index.js';
import { createApi } from '../dist/api/index.js';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { quantile } from './table.js';

const MOST_RECIPIENTS = 1_000_000;
const CHUNK_LINES = 1_000;
const POLL_EVERY_MS = 50;
const SCRIPT = fileURLToPath(import.meta.url);

if (process.argv[1] === SCRIPT) {
  const [kind = '', count = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await run(kind, Number(count))));
}

/** @param {number} [most]  recipients of the largest file */
export async function measureImports(most = MOST_RECIPIENTS) {
  /** @type {Record<string, string>[]} */
  const rows = [];
  for (const kind of ['PGlite', 'PostgreSQL']) {
    for (const recipients of [most / 100, most / 10, most]) {
      const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, kind, String(recipients)]);
      rows.push(JSON.parse(stdout));
    }
  }
  return rows;
}

/**
 * @param {string} kind
 * @param {number} recipients
 */
async function run(kind, recipients) {
  const scratchDir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  const server = kind === 'PGlite' ? undefined : await startPostgres({ settings: ['fsync=on', 'full_page_writes=on'] });
  const ledger = await openLedger(
    server === undefined ? { dataDir: scratchDir } : { databaseUrl: await aDatabase(server.url) },
    { atRest: atRest(undefined) },
  );
  const clock = { nowMs: () => Date.now() };
  const instances = { names: () => [], get: () => /** @type {never} */ ({ name: 'main' }) };
  const gateway = createGateway({ instances, clock });
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const api = createApi({
    client: new Client({ connection }),
    ledger,
    instances,
    receiver: { receive: async () => {}, wake: () => {} },
    decideByEvidence: () => Promise.reject(new Error('no gateway responds here')),
    checkOperation: (name, request) => gateway.check(name, request),
    clock,
    apiKeys: () => [],
    log: () => {},
    // No gateway responds here; without this answer the plan would wait for one.
    temporalTimeoutMs: 10,
    metrics: createMetrics({
      taskQueues: async () => [],
      ledger,
      instances,
      clock,
    }),
  });
  try {
    const { url } = await api.listen({ host: '127.0.0.1', port: 0 });
    return { store: kind, recipients: String(recipients), ...(await measure(url, recipients)) };
  } finally {
    await api.close();
    await gateway.close();
    await connection.close();
    await ledger.close();
    await server?.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

/** @param {string} serverUrl */
async function aDatabase(serverUrl) {
  const client = new PostgresClient(serverUrl);
  await client.connect();
  await client.query('create database everpost_bench');
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = '/everpost_bench';
  return url.href;
}

/**
 * @param {string} url
 * @param {number} recipients
 */
async function measure(url, recipients) {
  const path = `${url}/v1/campaigns/bench`;
  const content = { kind: 'text', text: 'Hello {{name}}, your order {{order}} is ready in {{city}}' };
  await responseOf(`${url}/v1/campaigns`, 'POST', JSON.stringify({ id: 'bench', instance: 'main', content }));
  /** @type {number[]} */
  const waited = [];
  const done = new AbortController();
  const looking = (async () => {
    while (!done.signal.aborted) {
      const startedMs = performance.now();
      await responseOf(path, 'GET');
      waited.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    }
  })();
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const body = ReadableStream.from(csv(recipients));
  const imported = await responseOf(`${path}/recipients`, 'PUT', body, 'text/csv');
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  done.abort();
  await looking;
  const planStartedMs = performance.now();
  await responseOf(`${path}/plan`, 'GET');
  const planSeconds = (performance.now() - planStartedMs) / 1_000;
  return {
    accepted: String(imported.verdicts.accepted),
    seconds: seconds.toFixed(1),
    'CPU s': ((user + system) / 1_000_000).toFixed(1),
    'lines/s': (recipients / seconds).toFixed(0),
    'peak RSS MB': (process.resourceUsage().maxRSS / 1_024).toFixed(0),
    'GET ms (median / p99 / max)': [0.5, 0.99, 1].map((share) => quantile(waited, share).toFixed(0)).join(' / '),
    'plan s': planSeconds.toFixed(1),
  };
}

/** @param {number} recipients */
async function* csv(recipients) {
  yield Buffer.from('phone,name,city,order\n');
  for (let at = 0; at < recipients; at += CHUNK_LINES) {
    const lines = Array.from({ length: Math.min(CHUNK_LINES, recipients - at) }, (_, n) => lineOf(at + n));
    yield Buffer.from(lines.join(''));
  }
}

/** @param {number} at */
function lineOf(at) {
  const number = at % 50 === 49 ? '' : `+49151${String(at % 50 === 48 ? at - 1 : at).padStart(8, '0')}`;
  return `${number},Recipient ${at},Berlin,A-${at}\n`;
}

/**
 * @param {string} url
 * @param {string} method
 * @param {string | ReadableStream} [body]
 * @param {string} [type]
 * @returns {Promise<any>}
 */
async function responseOf(url, method, body, type = 'application/json') {
  const request = body === undefined ? {} : { body, duplex: 'half', headers: { 'content-type': type } };
  const response = await fetch(url, /** @type {RequestInit} */ ({ method, ...request }));
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
