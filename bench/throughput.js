// Messages a second, all the way: HTTP API → Temporal's dev server → worker → simulated gateway → ledger.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MESSAGES = 200;
/** Requests to the API at a time. */
const AT_ONCE = 20;
/** The bound on a slow machine: for the start, and for each message. */
const START_AT_MOST_MS = 120_000;
const AT_MOST_MS = 30_000;
const PROGRAM = fileURLToPath(new URL('../bin/everpost.js', import.meta.url));

/**
 * @param {string} dir
 * @returns {Promise<{ messages: number, seconds: number }>}
 */
export async function measureThroughput(dir) {
  const dev = spawn(process.execPath, [PROGRAM, 'dev', '--json', '--http-port', '0', '--data-dir', join(dir, 'dev')], {
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: '',
      DATABASE_URL: '',
      EVERPOST_INSTANCES_FILE: '',
      EVERPOST_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(dev, 'exit');
  try {
    const [line] = await Promise.race([
      once(createInterface(dev.stdout), 'line', { signal: AbortSignal.timeout(START_AT_MOST_MS) }),
      ended.then(() => Promise.reject(new Error('everpost dev ended before it was ready.'))),
    ]);
    const { apiUrl } = /** @type {{ apiUrl: string }} */ (JSON.parse(String(line)));
    // The first message pays for loading workflow code; it is not counted.
    await sendUntilAccepted(apiUrl, -1);
    const startedMs = performance.now();
    await inTurn(MESSAGES, (number) => sendUntilAccepted(apiUrl, number));
    return { messages: MESSAGES, seconds: (performance.now() - startedMs) / 1_000 };
  } finally {
    dev.kill('SIGTERM');
    await ended;
  }
}

/**
 * @param {string} apiUrl
 * @param {number} number  makes its recipient and text its own
 */
async function sendUntilAccepted(apiUrl, number) {
  const { id } = await request(`${apiUrl}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `bench-${number}` },
    body: JSON.stringify({
      instance: 'main',
      to: String(15_550_001_000 + number),
      content: { kind: 'text', text: `Message ${number}` },
    }),
  });
  const { state } = await request(`${apiUrl}/v1/messages/${id}?wait=accepted&timeoutMs=${AT_MOST_MS}`);
  if (!['accepted', 'sent', 'delivered', 'read'].includes(state)) throw new Error(`Message ${number} is ${state}.`);
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<{ id: string, state: string }>}
 */
async function request(url, init) {
  const response = await fetch(url, init);
  const answer = await response.text();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${answer}`);
  return JSON.parse(answer);
}

/**
 * @param {number} count
 * @param {(number: number) => Promise<void>} work
 */
async function inTurn(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
