// Measures the share of their gateways' pace that many instances reach at once: every instance has a campaign that
// always has messages, every gateway releases a message each half second, and one worker sends for all.
import { setTimeout as delay } from 'node:timers/promises';
import { apiAt, instancesAt, startCampaign, startEverpost } from './everpost-system.js';
import { cpuShares, onStand } from './measure-system.js';

const DELAY_MS = 500;
/** By the end of this time, Temporal has started the shifts that this machine can serve. */
const WARM_UP_MS = 120_000;
const SPARE = 40;
const CALLERS = 8;

/**
 * @param {number} [seconds]
 * @param {number} [count]  number of instances
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureInstances(seconds = 60, count = 500) {
  const each = (seconds * 1_000 + WARM_UP_MS) / DELAY_MS + SPARE;
  /** @type {import('./systems.js').System['start']} */
  const start = async (place) => {
    const instances = instancesAt(place.gatewayUrl, count);
    const started = await startEverpost(place, instances);
    return {
      ...started,
      handOver: () => startCampaigns(apiAt(started.apiUrl), Object.keys(instances), each),
      open: async () => 0,
      owned: async () => ({ waiting: [], unresolved: [] }),
    };
  };
  /** @type {import('./systems.js').System['needs']} */
  const needs = ['temporal', 'postgres'];
  return onStand(
    { needs, start },
    0,
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
        },
      ];
    },
    DELAY_MS,
  );
}

/**
 * @param {import('./everpost-system.js').Api} api
 * @param {readonly string[]} instances
 * @param {number} recipients  of each campaign
 */
async function startCampaigns(api, instances, recipients) {
  const left = [...instances.entries()];
  const caller = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [at, instance] = next;
      await startCampaign(api, { id: instance, instance }, recipients, at * recipients);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
