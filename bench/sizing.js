// Measures what a message needs, from the hand-over to the last receipt: npm run bench -- sizing [messages]
//
//   as a recipient of a campaign, and as a single message over HTTP, with a workflow and without; then what a firing of a
//   schedule costs in Temporal. Worker, API, PostgreSQL and Temporal's dev server are separate processes; the simulator
//   releases 200 messages a second from 20 accounts, and pushes every notification that everpost asks for.
//
// Actions are those that Temporal's server counts itself, heartbeats included.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { ask } from './campaign-stand.js';
import { startProgram } from './dev.js';
import { apiAt, instanceAt, startCampaign, startEverpost } from './everpost-system.js';
import { peakMb, treeCpuSeconds, treeMb } from './processes.js';
import { startDatabase, startTemporal } from './servers.js';

const ACCOUNTS = 20;
/** Less than in any account, so that a run takes a minute. */
const SETTINGS = {
  delaySendMessagesMilliseconds: 100,
  outgoingWebhook: 'yes',
  outgoingAPIMessageWebhook: 'yes',
};
/** The shortest that an account can have, so that the workflows of single messages end. */
const EDIT_WINDOW_MS = 60_000;
const CALLERS = 16;
const SAMPLE_EVERY_MS = 500;
const FIRST_PHONE = 15_550_000_000;
const FIRINGS = 2;
/** Tables whose rows are deleted after the retention of notifications; the audit list is kept for a year. */
const KEPT_FOR_A_MONTH =
  /^((failed_|pending_)?notifications|events|event_deliveries|observations|outbox|audit|commands)$/;

/** @typedef {Awaited<ReturnType<typeof startStand>>} Stand */

/**
 * How the messages are handed over; workflows take Temporal so long that fewer of them are measured.
 * @type {Readonly<Record<string, { instance?: object, share?: number, handOver: (stand: Stand, messages: number) => Promise<unknown> }>>}
 */
const WAYS = {
  campaign: {
    handOver: ({ api, names }, messages) => startCampaign(api, { id: 'sizing', instances: names }, messages),
  },
  single: { share: 0.2, handOver: sendSingles },
  'single, on_demand': { instance: { messageWorkflows: 'on_demand' }, handOver: sendSingles },
};

/** @param {number} [messages] */
export async function measureSizing(messages = 10_000) {
  /** @type {Record<string, string>[]} */
  const rows = [];
  for (const [way, { instance = {}, share = 1, handOver }] of Object.entries(WAYS)) {
    const row = await onStand(instance, (stand) => measureMessages(stand, messages * share, handOver));
    rows.push({ way, ...row });
    console.error(rows.at(-1));
  }
  const actions = await onStand({}, measureFirings);
  console.error(`A firing of a schedule that sends one message: ${actions.toFixed(1)} actions`);
  return rows;
}

/**
 * @param {Stand} stand
 * @param {number} messages
 * @param {(stand: Stand, messages: number) => Promise<unknown>} handOver
 */
async function measureMessages(stand, messages, handOver) {
  const before = await countsOf(stand);
  const connections = watchConnections(stand.database);
  await handOver(stand, messages);
  await until(stand, 'select count(*) filter (where delivered_at is not null) from messages', messages);
  await until(stand, "select -count(*) from messages where run = 'wanted'", 0);
  await untilRunsEnded(stand);
  const most = await connections.stop();
  await stand.database.query('vacuum analyze');
  const after = await countsOf(stand);
  const each = (/** @type {keyof typeof before} */ count) => (after[count] - before[count]) / messages;
  const cpu = (/** @type {keyof typeof before} */ count) => (1_000 * each(count)).toFixed(2);
  const [worker, api, temporal] = await Promise.all(
    [stand.worker, stand.apiProcess, stand.temporal].map(({ pid }) => peakMb(pid)),
  );
  return {
    messages: String(messages),
    'CPU ms: worker': cpu('worker'),
    'CPU ms: API': cpu('api'),
    'CPU ms: PostgreSQL': cpu('postgres'),
    'CPU ms: Temporal': cpu('temporal'),
    'peak MB: worker': (worker ?? 0).toFixed(0),
    'peak MB: API': (api ?? 0).toFixed(0),
    'MB: PostgreSQL': (await treeMb(stand.postgres.pid)).toFixed(0),
    'peak MB: Temporal': (temporal ?? 0).toFixed(0),
    connections: String(most),
    'ledger bytes, kept with the message': each('messageBytes').toFixed(0),
    'ledger bytes, kept 30 days': each('monthBytes').toFixed(0),
    'Temporal bytes': each('temporalBytes').toFixed(0),
    'Temporal actions': each('actions').toFixed(4),
  };
}

/**
 * @param {Stand} stand
 * @returns {Promise<number>} actions of a firing
 */
async function measureFirings(stand) {
  const message = { instance: stand.names[0], to: String(FIRST_PHONE), content: { kind: 'text', text: 'It is time.' } };
  const schedule = { id: 'sizing', cron: ['* * * * *'], message };
  const before = await actionsOf(stand.temporal);
  await stand.api.json('POST', '/v1/schedules', JSON.stringify(schedule));
  await until(stand, 'select count(*) filter (where delivered_at is not null) from messages', FIRINGS);
  await untilRunsEnded(stand);
  return ((await actionsOf(stand.temporal)) - before) / FIRINGS;
}

/**
 * @template Result
 * @param {object} instance  added to each account
 * @param {(stand: Stand) => Promise<Result>} measure
 */
async function onStand(instance, measure) {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-bench-'));
  /** @type {(() => Promise<void>)[]} */
  const closing = [() => rm(dir, { recursive: true, force: true })];
  try {
    return await measure(await startStand(dir, instance, (close) => closing.unshift(close)));
  } finally {
    for (const close of closing) await close();
  }
}

/**
 * @param {string} dir
 * @param {object} instance
 * @param {(close: () => Promise<void>) => void} opened
 */
async function startStand(dir, instance, opened) {
  const postgres = await startDatabase();
  opened(postgres.close);
  const temporal = await startTemporal(join(dir, 'temporal'));
  opened(temporal.close);
  const simulator = await startProgram(['simulator', '--port', '0']);
  opened(() => simulator.end('SIGKILL'));
  const simulatorUrl = simulator.facts['simulatorUrl'] ?? '';
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => ({
    ...instanceAt(simulatorUrl, at),
    editWindowMs: EDIT_WINDOW_MS,
    ...instance,
  }));
  const instances = Object.fromEntries(accounts.map((account, at) => [`i${at}`, account]));
  const { apiUrl, others, startWorker } = await startEverpost({ dir, servers: { postgres, temporal } }, instances);
  const worker = await startWorker();
  const [apiProcess = worker] = others;
  for (const process of [worker, apiProcess]) opened(() => process.end('SIGKILL'));
  for (const [name, { idInstance }] of Object.entries(instances)) {
    const settings = { ...SETTINGS, webhookUrl: `${apiUrl}/webhooks/${name}` };
    await ask(`${simulatorUrl}/_sim/instances/${idInstance}`, 'PATCH', { settings, rateLimits: false });
  }
  const database = new pg.Client(postgres.url);
  await database.connect();
  opened(() => database.end());
  const temporalFile = join(dir, 'temporal', 'temporal.db');
  const names = Object.keys(instances);
  return { api: apiAt(apiUrl), names, worker, apiProcess, postgres, temporal, temporalFile, database };
}

/**
 * @param {Stand} stand
 * @param {number} messages
 */
async function sendSingles({ api, names }, messages) {
  let next = 0;
  const caller = async () => {
    while (next < messages) {
      const number = next++;
      const content = { kind: 'text', text: `Your order ${number} is ready` };
      const message = { instance: names[number % names.length], to: String(FIRST_PHONE + number), content };
      await api.post('/v1/messages', `sizing-${number}`, message);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

/** @param {Stand} stand */
async function countsOf({ worker, apiProcess, postgres, temporal, temporalFile, database }) {
  const [workerSeconds, apiSeconds, postgresSeconds, temporalSeconds] = await Promise.all(
    [worker, apiProcess, postgres, temporal].map(({ pid }) => treeCpuSeconds(pid)),
  );
  const { rows } = await database.query(
    "select relname, pg_total_relation_size(oid)::float8 as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const bytes = (/** @type {boolean} */ forAMonth) =>
    rows.filter(({ relname }) => KEPT_FOR_A_MONTH.test(relname) === forAMonth).reduce((sum, row) => sum + row.bytes, 0);
  const files = await Promise.all(
    [temporalFile, `${temporalFile}-wal`].map((file) => stat(file).catch(() => ({ size: 0 }))),
  );
  return {
    worker: workerSeconds ?? 0,
    api: apiSeconds ?? 0,
    postgres: postgresSeconds ?? 0,
    temporal: temporalSeconds ?? 0,
    messageBytes: bytes(false),
    monthBytes: bytes(true),
    temporalBytes: files.reduce((sum, { size }) => sum + size, 0),
    actions: await actionsOf(temporal),
  };
}

/**
 * The actions that the server has counted.
 * @param {{ metricsUrl: string }} temporal
 */
async function actionsOf({ metricsUrl }) {
  const text = await (await fetch(metricsUrl)).text();
  const counted = text.matchAll(/^action\{[^}]*namespace="default"[^}]*\} (\S+)$/gm);
  return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Waits until a query returns at least a number.
 * @param {Stand} stand
 * @param {string} query
 * @param {number} wanted
 */
async function until({ database }, query, wanted) {
  for (;;) {
    const { rows } = await database.query({ text: query, rowMode: 'array' });
    if (Number(rows[0]?.[0]) >= wanted) return;
    await delay(SAMPLE_EVERY_MS);
  }
}

/** @param {Stand} stand */
async function untilRunsEnded({ temporal }) {
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  const query = "WorkflowType != 'instance' AND ExecutionStatus = 'Running'";
  while ((await client.workflow.count(query)).count > 0) await delay(SAMPLE_EVERY_MS);
  await connection.close();
}

/**
 * Samples how many connections everpost has.
 * @param {pg.Client} database
 */
function watchConnections(database) {
  let most = 0;
  const sample = async () => {
    const { rows } = await database.query(
      "select count(*)::int as connections from pg_stat_activity where application_name like 'everpost%'",
    );
    most = Math.max(most, rows[0].connections);
  };
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await sample();
      return most;
    },
  };
}
