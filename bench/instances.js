// How near many instances at once come to the pace that their gateways allow: every instance has a campaign that never
// runs dry, every gateway releases a message each half second, and one worker sends for all.
import { setTimeout as delay } from 'node:timers/promises';
import { apiAt, instanceAt, startEverpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { treeCpuSeconds } from './processes.js';

const DELAY_MS = 500;
/** Until then Temporal has started the shifts that this machine can serve. */
const WARM_UP_MS = 120_000;
const SPARE = 40;
const CALLERS = 8;
const FIRST_PHONE = 15_550_000_000;

/**
 * @param {number} [seconds]
 * @param {number} [count]  instances
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureInstances(seconds = 60, count = 500) {
  const each = (seconds * 1_000 + WARM_UP_MS) / DELAY_MS + SPARE;
  const names = Array.from({ length: count }, (_, at) => `i${at + 1}`);
  /** @type {Pick<import('./systems.js').System, 'needs' | 'start'>} */
  const system = {
    needs: ['temporal', 'postgres'],
    start: async (place) => {
      const instances = names.map((name, at) => {
        const { rateLimits: _, ...instance } = instanceAt(place.gatewayUrl, at + 1);
        return [name, instance];
      });
      const started = await startEverpost(place, Object.fromEntries(instances));
      return {
        ...started,
        handOver: () => startCampaigns(apiAt(started.apiUrl), names, each),
        open: async () => 0,
        owned: async () => ({ waiting: [], unresolved: [] }),
      };
    },
  };
  const measure = async (/** @type {import('./measure-system.js').Stand} */ stand) => {
    const { running, gateway, servers } = stand;
    await running.handOver();
    const worker = await stand.startWorker();
    await delay(WARM_UP_MS);
    const pids = [worker.pid, running.others[0]?.pid ?? 0, servers.postgres?.pid ?? 0, servers.temporal?.pid ?? 0];
    const cpu = () => Promise.all(pids.map((pid) => treeCpuSeconds(pid)));
    const before = await cpu();
    const { nowMs: fromMs } = await gateway.released(0, 0);
    await delay(seconds * 1_000);
    const after = await cpu();
    const { count: released, nowMs: toMs } = await gateway.released(fromMs, fromMs + seconds * 1_000);
    const shares = ['worker', 'API', 'PostgreSQL', 'Temporal'].map((name, at) => {
      const spent = (after[at] ?? 0) - (before[at] ?? 0);
      return [`CPU ${name}`, `${((100_000 * spent) / (toMs - fromMs)).toFixed(0)} %`];
    });
    return [
      {
        instances: String(count),
        'messages a second': (released / seconds).toFixed(0),
        'of the pace': (released / ((count * seconds * 1_000) / DELAY_MS)).toFixed(3),
        ...Object.fromEntries(shares),
      },
    ];
  };
  return onStand(system, 0, measure, DELAY_MS);
}

/**
 * @param {import('./everpost-system.js').Api} api
 * @param {readonly string[]} instances
 * @param {number} recipients  of each
 */
async function startCampaigns(api, instances, recipients) {
  const left = [...instances.entries()];
  const caller = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [at, instance] = next;
      const path = `/v1/campaigns/${instance}`;
      const content = { kind: 'text', text: 'Message {{number}}' };
      await api.json('POST', '/v1/campaigns', JSON.stringify({ id: instance, instance, content }));
      const lines = Array.from(
        { length: recipients },
        (_, number) => `${FIRST_PHONE + at * recipients + number},${number}`,
      );
      await api.json('PUT', `${path}/recipients`, ['phone,number', ...lines, ''].join('\n'), {
        'content-type': 'text/csv',
      });
      await api.json('POST', `${path}/start`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
