// Measures the share of their gateways' pace that many instances reach at once: every instance has a campaign that
// always has messages, every gateway releases a message each half second, and one worker sends for all.
import { setTimeout as delay } from 'node:timers/promises';
import { forEachConcurrently } from '../dist/contract/index.js';
import { apiAt, defineCampaign, instancesAt, startCampaign, startEverpost } from './everpost-system.js';
import { cpuShares, onStand } from './measure-system.js';
import { peer } from './peer-system.js';
import { quantile } from './table.js';

const DELAY_MS = 500;
/** By the end of this time, Temporal has started the shifts that this machine can serve. */
const WARM_UP_MS = 120_000;
const SPARE = 40;
const CALLERS = 8;
/** @type {Readonly<Record<string, import('./systems.js').Need>>} */
const PEERS = { 'bullmq-everysec': 'redis', 'bullmq-always': 'redis-always' };

/**
 * @param {number} [seconds]
 * @param {number} [count]  number of instances
 * @param {string} [instead]  `pool`: one campaign over all instances; or a name of PEERS, instead of everpost
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureInstances(seconds = 60, count = 500, instead = '') {
  const each = (seconds * 1_000 + WARM_UP_MS) / DELAY_MS + SPARE;
  const system =
    instead === '' || instead === 'pool'
      ? manyInstances(count, (api, names) =>
          instead === 'pool'
            ? startCampaign(api, { id: 'pool', instances: names }, count * each)
            : startCampaigns(api, names, each),
        )
      : {
          needs: [PEERS[instead] ?? 'redis'],
          start: peer('bullmq-paced', '', { instances: count, delayMs: DELAY_MS }),
        };
  return onStand(
    system,
    count * each,
    async (stand) => {
      const { running, gateway } = stand;
      await running.handOver();
      const worker = await stand.startWorker();
      await delay(WARM_UP_MS);
      const { nowMs: fromMs } = await gateway.released(0, 0);
      const shares = await cpuShares(worker, stand, () => delay(seconds * 1_000));
      const { count: released } = await gateway.released(fromMs, fromMs + seconds * 1_000);
      return [
        {
          instances: String(count),
          'messages a second': (released / seconds).toFixed(0),
          'of the pace': (released / ((count * seconds * 1_000) / DELAY_MS)).toFixed(3),
          ...shares,
          'ms a message': ((Number.parseFloat(shares['CPU'] ?? '') * 10 * seconds) / released).toFixed(2),
        },
      ];
    },
    DELAY_MS,
  );
}

/** Recipients of each campaign that is started at once with the others. */
const RECIPIENTS = 400;
const BEFORE_KILL_MS = 30_000;
const AT_MOST_MS = 180_000;

/**
 * Measures when all of many idle instances post after their campaigns were started at once, and when they post again
 * after the only worker was killed and a new one is ready.
 * @param {number} [count]  number of instances
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureStarts(count = 500) {
  /** @type {import('./everpost-system.js').Api | undefined} */
  let api;
  /** @type {readonly string[]} */
  let names = [];
  const system = manyInstances(count, async (own, instances) => {
    [api, names] = [own, instances];
    await forEachConcurrently(CALLERS, instances.entries(), ([at, instance]) =>
      defineCampaign(own, { id: instance, instance }, RECIPIENTS, at * RECIPIENTS),
    );
  });
  return onStand(
    system,
    0,
    async ({ running, gateway, startWorker, servers }) => {
      await running.handOver();
      const worker = await startWorker();
      /** @param {number} sinceMs */
      const firstPosts = async (sinceMs) => {
        const untilMs = Date.now() + AT_MOST_MS;
        let times = await gateway.firsts(sinceMs);
        while (times.length < count && Date.now() < untilMs) {
          await delay(500);
          times = await gateway.firsts(sinceMs);
        }
        const seconds = times.map((ms) => (ms - sinceMs) / 1_000);
        return {
          posting: String(times.length),
          'half after': `${quantile(seconds, 0.5).toFixed(1)} s`,
          'all after': `${Math.max(...seconds).toFixed(1)} s`,
        };
      };
      const startedMs = performance.timeOrigin + performance.now();
      const [shares] = await Promise.all([
        cpuShares(worker, { running, servers }, () => firstPosts(startedMs)),
        forEachConcurrently(CALLERS, names, async (id) => api?.json('POST', `/v1/campaigns/${id}/start`)),
      ]);
      const started = await firstPosts(startedMs);
      await delay(BEFORE_KILL_MS);
      await worker.end('SIGKILL');
      await startWorker();
      const resumed = await firstPosts(performance.timeOrigin + performance.now());
      return [
        { of: `${count} campaigns started at once`, ...started, ...shares },
        { of: 'the worker killed, the next one ready', ...resumed },
      ];
    },
    DELAY_MS,
  );
}

/**
 * @param {number} count
 * @param {(api: import('./everpost-system.js').Api, instances: readonly string[]) => Promise<unknown>} handOver
 * @returns {Pick<import('./systems.js').System, 'needs' | 'start'>}
 */
function manyInstances(count, handOver) {
  return {
    needs: ['temporal', 'postgres'],
    start: async (place) => {
      const instances = instancesAt(place.gatewayUrl, count);
      const started = await startEverpost(place, instances);
      return {
        ...started,
        handOver: async () => {
          await handOver(apiAt(started.apiUrl), Object.keys(instances));
        },
        open: async () => 0,
        owned: async () => ({ waiting: [], unresolved: [] }),
      };
    },
  };
}

/**
 * @param {import('./everpost-system.js').Api} api
 * @param {readonly string[]} instances
 * @param {number} recipients  of each campaign
 */
async function startCampaigns(api, instances, recipients) {
  await forEachConcurrently(CALLERS, instances.entries(), ([at, instance]) =>
    startCampaign(api, { id: instance, instance }, recipients, at * recipients),
  );
}
