// What a thousand instances cost that have nothing to send: worker and API with PostgreSQL and Temporal's dev server.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { instanceAt, startEverpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { treeCpuSeconds } from './processes.js';
import { temporalCost } from './temporal-cost.js';

/** Until then the state of each instance was asked for four times, and its clock is known. */
const WARM_UP_MS = 210_000;

/**
 * @param {number} [seconds]
 * @param {number} [count]  instances
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureIdle(seconds = 60, count = 1_000) {
  /** @type {import('./systems.js').System['needs']} */
  const needs = ['temporal', 'postgres-counted'];
  /** @type {import('./systems.js').System['start']} */
  const start = async (place) => {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    // With the gateway's own rate limits, as instances have them.
    const instances = numbers.map((number) => {
      const { rateLimits: _, ...instance } = instanceAt(place.gatewayUrl, number);
      return [`i${number}`, instance];
    });
    return { ...(await startEverpost(place, Object.fromEntries(instances))), ...NOTHING_TO_SEND };
  };
  return onStand({ needs, start }, 0, async ({ running, servers: { postgres, temporal }, startWorker }) => {
    const worker = await startWorker();
    const pids = [worker.pid, running.others[0]?.pid ?? 0, postgres?.pid ?? 0, temporal?.pid ?? 0];
    const database = new pg.Client(postgres?.url);
    await database.connect();
    try {
      await database.query('create extension pg_stat_statements');
      await delay(WARM_UP_MS);
      // To count the actions reads every history: outside of what is measured.
      const actionsBefore = await temporalCost(temporal?.address ?? '');
      const before = await costOf(pids, database);
      await delay(seconds * 1_000);
      const after = await costOf(pids, database);
      const actions = await temporalCost(temporal?.address ?? '');
      const shares = ['worker', 'API', 'PostgreSQL', 'Temporal'].map((name, at) => {
        const cpu = (after.cpu[at] ?? 0) - (before.cpu[at] ?? 0);
        return [`CPU ${name}`, `${((100 * cpu) / seconds).toFixed(2)} %`];
      });
      return [
        {
          'idle instances': String(count),
          seconds: String(seconds),
          ...Object.fromEntries(shares),
          'ledger statements': String(after.statements - before.statements),
          'Temporal actions': String(actions.actions - actionsBefore.actions),
        },
      ];
    } finally {
      await database.end();
    }
  });
}

/** @type {Pick<import('./systems.js').Running, 'handOver' | 'open' | 'owned'>} */
const NOTHING_TO_SEND = {
  handOver: async () => {},
  open: async () => 0,
  owned: async () => ({ waiting: [], unresolved: [] }),
};

/**
 * @param {readonly number[]} pids
 * @param {pg.Client} database
 */
async function costOf(pids, database) {
  const found = await database.query('select sum(calls)::float8 as statements from pg_stat_statements');
  return {
    statements: Number(found.rows[0].statements),
    cpu: await Promise.all(pids.map((pid) => treeCpuSeconds(pid))),
  };
}
