// Measures the cost of a thousand idle instances: worker and API with PostgreSQL and Temporal's dev server.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { instancesAt, startEverpost } from './everpost-system.js';
import { cpuShares, onStand } from './measure-system.js';
import { temporalCost } from './temporal-cost.js';

/** By the end of this time, the worker has read the state of each instance four times, and knows its clock. */
const WARM_UP_MS = 210_000;

/**
 * @param {number} [seconds]
 * @param {number} [count]  number of instances
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureIdle(seconds = 60, count = 1_000) {
  /** @type {import('./systems.js').System['needs']} */
  const needs = ['temporal', 'postgres-counted'];
  /** @type {import('./systems.js').System['start']} */
  const start = async (place) => {
    return { ...(await startEverpost(place, instancesAt(place.gatewayUrl, count))), ...NOTHING_TO_SEND };
  };
  return onStand({ needs, start }, 0, async (stand) => {
    const { postgres, temporal } = stand.servers;
    const worker = await stand.startWorker();
    const database = new pg.Client(postgres?.url);
    await database.connect();
    try {
      await database.query('create extension pg_stat_statements');
      await delay(WARM_UP_MS);
      // Counting the actions reads every history, so it is done outside the measured time.
      const actionsBefore = await temporalCost(temporal?.address ?? '');
      const before = await statementsOf(database);
      const shares = await cpuShares(worker, stand, () => delay(seconds * 1_000));
      const statements = (await statementsOf(database)) - before;
      const actions = await temporalCost(temporal?.address ?? '');
      return [
        {
          'idle instances': String(count),
          seconds: String(seconds),
          ...shares,
          'ledger statements': String(statements),
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
 * @param {pg.Client} database
 * @returns {Promise<number>}
 */
async function statementsOf(database) {
  const found = await database.query('select sum(calls)::float8 as statements from pg_stat_statements');
  return Number(found.rows[0].statements);
}
