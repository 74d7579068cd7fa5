// Measures how long new work waits while the runs of sent messages, all due when the first worker returns, end: an urgent
// message over HTTP, one that a Temporal client starts, and the run of a schedule.
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { messageRuns } from '../dist/starter/index.js';
import { apiAt, instanceAt, instancesAt, singles, startEverpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { quantile } from './table.js';

const POLL_EVERY_MS = 100;
const STARTS_AT_ONCE = 32;
/** Each gets one urgent message, and has no shift before. */
const INSTANCES = 10;
const BETWEEN_MESSAGES_MS = 2_000;

/**
 * @param {number} [runs]
 * @returns {Promise<Record<string, string>>}
 */
export async function measureOpenRuns(runs = 3_000) {
  let apiUrl = '';
  /** @type {import('./systems.js').System['start']} */
  const start = async (place) => {
    const main = instanceAt(place.gatewayUrl, INSTANCES + 1);
    const instances = { main, ...instancesAt(place.gatewayUrl, INSTANCES) };
    const { apiUrl: url, ...processes } = await startEverpost(place, instances);
    apiUrl = url;
    return { ...processes, ...singles(apiAt(url), place.messages) };
  };
  return onStand({ needs: ['temporal', 'postgres'], start }, runs, async (stand) => {
    const { running, servers, startWorker } = stand;
    const { postgres, temporal } = servers;
    const database = new pg.Client(postgres?.url);
    await database.connect();
    const connection = await Connection.connect(temporal ?? {});
    const client = new Client({ connection });
    try {
      await running.handOver();
      await startRuns(client, await markSent(database));
      const beforeReady = new Date().toISOString();

      const ready = await startWorker();
      const readyMs = performance.now();
      // The ends of all runs take minutes: what is known is printed at once.
      const since = async (/** @type {string} */ what, /** @type {Promise<unknown>} */ work, fromMs = readyMs) => {
        await work;
        const seconds = (performance.now() - fromMs) / 1_000;
        console.error(`${what}: ${seconds.toFixed(1)} s`);
        return seconds;
      };
      const sendOver = async (/** @type {number} */ number) => {
        await delay(number * BETWEEN_MESSAGES_MS);
        return since('urgent over HTTP', sendUrgent(apiUrl, `i${number + 1}`), performance.now());
      };
      const [overHttp, started, schedule, all] = await Promise.all([
        Promise.all(Array.from({ length: INSTANCES }, (_, number) => sendOver(number))),
        since('urgent by Temporal', startUrgent(client, database)),
        since('schedule run', runSchedule(client)),
        since('all runs ended', untilEnded(client, beforeReady)),
      ]);
      await ready.end('SIGTERM');
      return {
        'due runs': String(runs),
        'urgent over HTTP, first': overHttp[0]?.toFixed(1) ?? '',
        median: quantile(overHttp, 0.5).toFixed(1),
        longest: Math.max(...overHttp).toFixed(1),
        'urgent by Temporal': started.toFixed(1),
        'schedule run': schedule.toFixed(1),
        'all runs ended': all.toFixed(1),
      };
    } finally {
      await connection.close();
      await database.end();
    }
  });
}

/**
 * Makes all messages sent ones that can no longer be edited.
 * @param {pg.Client} database
 * @returns {Promise<import('../dist/starter/messages/message-runs.js').MessageOfRow[]>}
 */
async function markSent(database) {
  await database.query('delete from due_messages');
  const { rows } = await database.query(
    `update messages set state = 'sent', version = version + 1, id_message = 'BENCH-' || id, run = 'started',
       accepted_at = $1, sent_at = $1, sent_seen_at = $1, stream_id = null, due_at = null, place = null
     returning id, instance, kind`,
    [new Date(Date.now() - 60 * 60_000)],
  );
  return rows;
}

/**
 * @param {Client} client
 * @param {Awaited<ReturnType<typeof markSent>>} rows
 */
async function startRuns(client, rows) {
  const { start } = messageRuns({ client });
  const left = rows.values();
  const starting = async () => {
    for (const row of left) await start(row);
  };
  await Promise.all(Array.from({ length: STARTS_AT_ONCE }, starting));
}

/**
 * @param {Client} client
 * @param {string} before  ISO UTC
 */
async function openRuns(client, before) {
  const open = "WorkflowType = 'message' AND ExecutionStatus = 'Running'";
  const { count } = await client.workflow.count(`${open} AND StartTime < '${before}'`);
  return count;
}

/**
 * @param {Client} client
 * @param {string} before
 */
async function untilEnded(client, before) {
  while ((await openRuns(client, before)) > 0) await delay(1_000);
}

const MESSAGE = { content: { kind: 'text', text: 'Urgent' }, priority: 'urgent' };

/**
 * @param {string} apiUrl
 * @param {string} instance
 */
async function sendUrgent(apiUrl, instance) {
  const api = apiAt(apiUrl);
  const { id } = await api.post('/v1/messages', `urgent-${instance}`, { ...MESSAGE, instance, to: '15559000001' });
  for (;;) {
    const { state } = await api.json('GET', `/v1/messages/${id}?wait=accepted&timeoutMs=20000`);
    if (state === 'accepted') return;
  }
}

/**
 * @param {Client} client
 * @param {pg.Client} database
 */
async function startUrgent(client, database) {
  const args = [{ ...MESSAGE, instance: 'main', to: '15559000002', key: 'started' }];
  await client.workflow.start('message', { workflowId: 'started', taskQueue: 'everpost', args });
  for (;;) {
    const found = await database.query(`select from messages where workflow_id = 'started' and state = 'accepted'`);
    if (found.rowCount === 1) return;
    await delay(POLL_EVERY_MS);
  }
}

/** The run ends at once, since there is no such schedule. @param {Client} client */
async function runSchedule(client) {
  // As a schedule's action starts it.
  const args = [{ scheduleId: 'bench', at: new Date().toISOString() }];
  const options = { workflowId: 'schedule:bench', taskQueue: 'everpost', priority: { priorityKey: 1 }, args };
  const run = await client.workflow.start('scheduleRun', options);
  await run.result().catch(() => undefined);
}
