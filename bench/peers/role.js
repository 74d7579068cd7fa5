// The interface between the benchmark and a peer: bench/peer-system.js runs each script in two processes.
//
//   client  hands the messages over, and reports which ones the system still has to send
//   worker  takes messages from the system and posts each to the gateway; this process is killed
import { Pool } from 'undici';

/** Concurrent POSTs, the same for every system. */
export const CONCURRENCY = 16;
const FIRST_PHONE = 15_550_000_000;

/**
 * @typedef {object} Options
 * @property {string} gatewayUrl
 * @property {number} messages
 * @property {string} variant
 * @property {string} [databaseUrl]
 * @property {number} [redisPort]
 * @property {string} [temporalAddress]
 * @property {number} [instances]
 * @property {number} [delayMs]   between two messages of an instance
 * @property {string} [bundlePath]  the bundled code of temporal-workflows.js
 */

/**
 * @typedef {object} Client
 * @property {() => Promise<void>} handOver   returns when the system has every message
 * @property {() => Promise<number>} open     the number of messages that the system has not finished
 * @property {() => Promise<number[]>} waiting  the numbers of those messages
 */

/**
 * @param {{ client?: (options: Options) => Promise<Client>, worker: (options: Options) => Promise<void> }} roles
 */
export async function serve({ client, worker }) {
  const [role, json = '{}'] = process.argv.slice(2);
  const options = JSON.parse(json);
  // The benchmark has ended, so this process ends too.
  process.once('disconnect', () => process.exit());
  if (role === 'worker') {
    await worker(options);
  } else if (client !== undefined) {
    const commands = await client(options);
    process.on('message', (/** @type {{ id: number, command: keyof Client }} */ { id, command }) => {
      void commands[command]().then(
        (result) => process.send?.({ id, result }),
        (error) => process.send?.({ id, error: String(error) }),
      );
    });
  }
  process.send?.({ ready: true });
}

/** @param {string} gatewayUrl */
export function gateway(gatewayUrl) {
  const pool = new Pool(gatewayUrl, { connections: CONCURRENCY });
  const headers = { 'content-type': 'application/json' };
  return {
    /**
     * @param {number} number
     * @param {number} [instance]
     */
    post: async (number, instance = 1) => {
      const body = JSON.stringify({ chatId: `${FIRST_PHONE + number}@c.us`, message: `Message ${number}` });
      const path = `/waInstance${1_101_000_000 + instance}/sendMessage/simulator-token`;
      const response = await pool.request({ method: 'POST', path, headers, body });
      await response.body.json();
      if (response.statusCode !== 200) throw new Error(`The gateway responded ${response.statusCode}.`);
    },
  };
}

/**
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} work
 * @param {number} [atOnce]
 */
export async function concurrently(items, work, atOnce = CONCURRENCY) {
  // One iterator for all: each takes the next item.
  const rest = items.values();
  const loop = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

/** @param {number} count */
export function numbersBelow(count) {
  return Array.from({ length: count }, (_, number) => number);
}

/**
 * @param {number} count
 * @param {number} size
 */
export function* chunks(count, size) {
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, at) => from + at);
  }
}
