// Messages a second, all the way: HTTP API → Temporal's dev server → worker → simulated gateway → ledger.
import { join } from 'node:path';
import { request, send, startDev } from './dev.js';

const MESSAGES = 200;
/** Requests to the API at a time. */
const AT_ONCE = 20;
/** The bound on a slow machine, for each message. */
const AT_MOST_MS = 30_000;

/**
 * @param {string} dir
 * @returns {Promise<{ messages: number, seconds: number }>}
 */
export async function measureThroughput(dir) {
  const dev = await startDev({ dataDir: join(dir, 'throughput') });
  try {
    // The first message pays for loading workflow code; it is not counted.
    await sendUntilAccepted(dev.apiUrl, MESSAGES);
    const startedMs = performance.now();
    await inTurn(MESSAGES, (number) => sendUntilAccepted(dev.apiUrl, number));
    return { messages: MESSAGES, seconds: (performance.now() - startedMs) / 1_000 };
  } finally {
    await dev.end('SIGTERM');
  }
}

/**
 * @param {string} apiUrl
 * @param {number} number  makes its recipient and text its own
 */
async function sendUntilAccepted(apiUrl, number) {
  const id = await send(apiUrl, `bench-${number}`, String(15_550_001_000 + number));
  /** @type {{ state: string }} */
  const { state } = await request(`${apiUrl}/v1/messages/${id}?wait=accepted&timeoutMs=${AT_MOST_MS}`);
  if (!['accepted', 'sent', 'delivered', 'read'].includes(state)) throw new Error(`Message ${number} is ${state}.`);
}

/**
 * @param {number} count
 * @param {(number: number) => Promise<void>} work
 */
async function inTurn(count, work) {
  let next = 0;
  const loop = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}
