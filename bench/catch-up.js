// Measures how soon workflows follow their messages. Single messages over HTTP are sent first; their workflows start
// from the rows afterwards. The time runs from the last POST until every message has a workflow that knows its outcome.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { everpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { treeCpuSeconds } from './processes.js';

const POLL_EVERY_MS = 250;

/**
 * @param {number} [messages]
 * @returns {Promise<Record<string, string>>}
 */
export async function measureCatchUp(messages = 600) {
  const system = { needs: /** @type {const} */ (['temporal', 'postgres']), start: everpost('singles') };
  return onStand(system, messages, async ({ running, gateway, servers: { postgres, temporal }, startWorker }) => {
    const worker = await startWorker();
    const database = new pg.Client(postgres?.url);
    await database.connect();
    try {
      const begunMs = performance.now();
      await running.handOver();
      await gateway.reaches(messages);
      const sentMs = performance.now();
      const wanted = (await behind(database)).wanted;
      const pids = [worker.pid, temporal?.pid ?? 0];
      const before = await Promise.all(pids.map((pid) => treeCpuSeconds(pid)));
      for (let left = await behind(database); left.wanted + left.unsent > 0; left = await behind(database)) {
        await delay(POLL_EVERY_MS);
      }
      const seconds = (performance.now() - sentMs) / 1_000;
      const after = await Promise.all(pids.map((pid) => treeCpuSeconds(pid)));
      const [ours, theirs] = after.map((cpu, at) => (1_000 * (cpu - (before[at] ?? 0))) / wanted);
      return {
        messages: String(messages),
        'sent in s': ((sentMs - begunMs) / 1_000).toFixed(1),
        'workflows left then': String(wanted),
        'all done after s': seconds.toFixed(1),
        'a second': (wanted / seconds).toFixed(1),
        'CPU ms worker': ours?.toFixed(1) ?? '',
        'CPU ms Temporal': theirs?.toFixed(1) ?? '',
      };
    } finally {
      await database.end();
    }
  });
}

/**
 * @param {pg.Client} database
 * @returns {Promise<{ wanted: number, unsent: number }>}  messages without a workflow, and outcomes unknown to it
 */
async function behind(database) {
  const found = await database.query(
    `select (select count(*) from messages where run = 'wanted')::int as wanted,
            (select count(*) from outbox where reached_at is not null)::int as unsent`,
  );
  return found.rows[0];
}
