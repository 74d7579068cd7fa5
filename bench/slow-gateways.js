// Measures the share of their gateways' pace that campaigns reach if responses are slow, or some time out: all at once,
// at one address, served by one worker. Each instance's gateway releases a message each half second.
import { setTimeout as delay } from 'node:timers/promises';
import { apiAt, instancesAt, startCampaign, startEverpost } from './everpost-system.js';
import { onStand } from './measure-system.js';

const DELAY_MS = 500;
/** By the end of this time, the pace of the queue and the latency of the gateway are known. */
const WARM_UP_MS = 30_000;
const SPARE = 40;

const GATEWAYS = [
  { name: 'no time', count: 1, slow: { responseMs: 0 } },
  { name: '50 ms, every 200th 15 s', count: 1, slow: { responseMs: 50, hangMs: 15_000, hangEvery: 200 } },
  { name: '2 s', count: 100, slow: { responseMs: 2_000 } },
];
const KINDS = GATEWAYS.flatMap((kind) => Array.from({ length: kind.count }, () => kind));

/** @param {number} [seconds] */
export async function measureSlowGateways(seconds = 180) {
  const each = (seconds * 1_000 + WARM_UP_MS) / DELAY_MS + SPARE;
  const instances = Object.entries(instancesAt('', KINDS.length)).map(([name, { idInstance }], at) => ({
    name,
    idInstance,
    kind: KINDS[at],
  }));
  /** @type {import('./systems.js').System['start']} */
  const start = async (place) => {
    const started = await startEverpost(place, instancesAt(place.gatewayUrl, KINDS.length));
    const api = apiAt(started.apiUrl);
    return {
      ...started,
      handOver: async () => {
        for (const [at, { name }] of instances.entries())
          await startCampaign(api, { id: name, instance: name }, each, at * each);
      },
      open: async () => 0,
      owned: async () => ({ waiting: [], unresolved: [] }),
    };
  };
  /** @type {import('./systems.js').System['needs']} */
  const needs = ['temporal', 'postgres'];
  const slow = Object.fromEntries(instances.map(({ idInstance, kind }) => [idInstance, kind?.slow]));
  return onStand(
    { needs, start },
    0,
    async ({ running, gateway, startWorker }) => {
      await startWorker();
      await running.handOver();
      await delay(WARM_UP_MS);
      const { nowMs: fromMs } = await gateway.released(0, 0);
      const toMs = fromMs + seconds * 1_000;
      await delay(seconds * 1_000);
      return Promise.all(
        GATEWAYS.map(async (kind) => {
          const own = instances.filter((instance) => instance.kind === kind);
          const counts = await Promise.all(own.map(({ idInstance }) => gateway.released(fromMs, toMs, idInstance)));
          const released = counts.reduce((sum, { count }) => sum + count, 0);
          return {
            'a response to a send takes': kind.name,
            instances: String(kind.count),
            released: String(released),
            'of the pace': (released / ((kind.count * seconds * 1_000) / DELAY_MS)).toFixed(3),
          };
        }),
      );
    },
    DELAY_MS,
    slow,
  );
}
