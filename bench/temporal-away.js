// Measures single messages that callers send over HTTP while Temporal is unavailable: none is refused, none is posted
// during the outage, and all are posted once after it.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { everpost } from './everpost-system.js';
import { onStand } from './measure-system.js';
import { startTemporal } from './servers.js';

const MINUTE_MS = 60_000;
const POLL_EVERY_MS = 250;
/** By the end of this time, the worker's first shift has ended; without Temporal no other one starts. */
const WARM_UP_MS = 30_000;

/**
 * @param {number} [minutes]   of the outage
 * @param {number} [messages]
 * @returns {Promise<Record<string, string>[]>}
 */
export async function measureTemporalAway(minutes = 60, messages = 10_000) {
  let dir = '';
  const start = everpost('singles');
  return onStand(
    {
      needs: ['temporal', 'postgres'],
      start: (place) => {
        dir = place.dir;
        return start(place);
      },
    },
    messages,
    async ({ running, gateway, servers, startWorker }) => {
      if (servers.temporal === undefined) throw new Error('Temporal was not started.');
      const { pid, address, close } = servers.temporal;
      await startWorker();
      await delay(WARM_UP_MS);
      const port = Number(address.split(':')[1]);
      process.kill(pid, 'SIGKILL');
      await close();
      // No other program gets the port meanwhile. A connection is reset at once.
      const placeholder = createServer((socket) => socket.resetAndDestroy()).listen(port, '127.0.0.1');
      await once(placeholder, 'listening');
      const awayMs = performance.now();
      await running.handOver();
      const acceptedSeconds = (performance.now() - awayMs) / 1_000;
      await delay(awayMs + minutes * MINUTE_MS - performance.now());
      const { posts: postedMeanwhile } = await gateway.log();
      const all = gateway.reaches(messages);
      placeholder.close();
      const returned = await startTemporal(join(dir, 'temporal'), port);
      try {
        const returnedMs = performance.timeOrigin + performance.now();
        await all;
        while ((await running.open()) > 0) await delay(POLL_EVERY_MS);
        const { posts, distinct, firstMs = Number.NaN, lastMs = Number.NaN } = await gateway.log();
        const { unresolved } = await running.owned();
        return [
          {
            'outage minutes': String(minutes),
            'accepted during outage': `${messages} in ${acceptedSeconds.toFixed(0)} s`,
            'posted during outage': String(postedMeanwhile),
            'first POST after s': ((firstMs - returnedMs) / 1_000).toFixed(1),
            'last POST after s': ((lastMs - returnedMs) / 1_000).toFixed(1),
            lost: String(messages - distinct),
            twice: String(posts - distinct),
            unresolved: String(unresolved.length),
          },
        ];
      } finally {
        await returned.close();
      }
    },
  );
}
