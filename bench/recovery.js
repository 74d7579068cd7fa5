// Measures how long messages take to continue after kill -9 and a restart: without a request under way, and with one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSimulator } from '../dist/simulator/index.js';
import { request, send, startDev } from './dev.js';

/**
 * Acknowledged messages before the kill of each round, so that the first messages are at different steps.
 */
const KILLED_AFTER = [1, 2, 3, 4, 5, 6, 8];
const MESSAGES_A_ROUND = 8;
/** Slow enough that items stay in the queue until the lost request can be reconciled. */
const SLOW_RELEASE_MS = 60_000;
const AT_MOST_MS = 90_000;

/** @typedef {{ state: string, attempts: { claimedAt: string, outcomeAt?: string, outcome?: string }[], acceptedAt?: string }} Message */

/** @param {string} dir */
export async function measureRecovery(dir) {
  const simulator = await startSimulator({ settings: NOTIFICATIONS });
  const instancesFile = join(dir, 'instances.json');
  const main = { baseUrl: simulator.url, idInstance: '1101000001', apiTokenInstance: 'simulator-token' };
  await writeFile(instancesFile, JSON.stringify({ main }));
  const start = async () => {
    const dev = await startDev({ dataDir: join(dir, 'recovery'), instancesFile });
    await settings(simulator.url, { webhookUrl: `${dev.apiUrl}/webhooks/main` });
    return dev;
  };
  try {
    const notUnderWay = [];
    for (const [round, killedAfter] of KILLED_AFTER.entries()) {
      notUnderWay.push(...(await killWhileSending(start, round, killedAfter)));
    }
    return { notUnderWay, underWay: await killWhilePosting(start, simulator.url) };
  } finally {
    await simulator.close();
  }
}

const NOTIFICATIONS = {
  outgoingWebhook: /** @type {const} */ ('yes'),
  outgoingMessageWebhook: /** @type {const} */ ('yes'),
  outgoingAPIMessageWebhook: /** @type {const} */ ('yes'),
  stateWebhook: /** @type {const} */ ('yes'),
};

/**
 * @param {() => ReturnType<typeof startDev>} start
 * @param {number} round
 * @param {number} killedAfter  acknowledgements
 * @returns {Promise<number[]>} milliseconds from the restart to the acceptance, for messages without a request under way
 *   at the kill
 */
async function killWhileSending(start, round, killedAfter) {
  const first = await start();
  /** @type {string[]} */
  const ids = [];
  const sending = Array.from({ length: MESSAGES_A_ROUND }, async (_, number) => {
    ids.push(await send(first.apiUrl, `recovery-${round}-${number}`, String(15_550_002_000 + round * 100 + number)));
  });
  while (ids.length < killedAfter) await Promise.race([delay(1), Promise.all(sending)]);
  const killedAtMs = Date.now();
  await first.end('SIGKILL');
  // The other requests end with the connection; they were not acknowledged.
  await Promise.allSettled(sending);

  const second = await start();
  const readyAtMs = Date.now();
  try {
    const messages = await Promise.all(ids.map((id) => accepted(second.apiUrl, id)));
    return messages.flatMap(({ attempts, acceptedAt = '' }) => {
      const wasUnderWay = attempts.some(
        ({ claimedAt, outcomeAt = '9999' }) =>
          Date.parse(claimedAt) <= killedAtMs && !(Date.parse(outcomeAt) <= killedAtMs),
      );
      const afterMs = Date.parse(acceptedAt) - readyAtMs;
      return wasUnderWay || Date.parse(acceptedAt) <= killedAtMs ? [] : [Math.max(0, afterMs)];
    });
  } finally {
    await second.end('SIGTERM');
  }
}

/**
 * A request that the gateway never accepted is lost with the worker. An earlier one is still in the queue and proves
 * it.
 * @param {() => ReturnType<typeof startDev>} start
 * @param {string} simulatorUrl
 * @returns {Promise<{ reconciledAfterMs: number, acceptedAfterMs: number }>} milliseconds from the claim
 */
async function killWhilePosting(start, simulatorUrl) {
  const first = await start();
  await settings(simulatorUrl, { delaySendMessagesMilliseconds: SLOW_RELEASE_MS });
  for (const key of ['leaves at once', 'stays in the queue']) {
    await accepted(first.apiUrl, await send(first.apiUrl, key, '15550003001'));
  }
  const fault = { method: 'sendMessage', kind: 'lose-answer', accepted: false, ms: 2 * SLOW_RELEASE_MS };
  await request(`${simulatorUrl}/_sim/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const id = await send(first.apiUrl, 'lost with the worker', '15550003002');
  while ((await find(first.apiUrl, id)).state !== 'sending') await delay(20);
  await first.end('SIGKILL');

  const second = await start();
  try {
    const { attempts, acceptedAt = '' } = await accepted(second.apiUrl, id);
    const [lost, posted] = attempts.map(({ claimedAt }) => Date.parse(claimedAt));
    if (lost === undefined || posted === undefined) throw new Error('The request was not lost, or not sent again.');
    return { reconciledAfterMs: posted - lost, acceptedAfterMs: Date.parse(acceptedAt) - lost };
  } finally {
    await second.end('SIGTERM');
  }
}

/**
 * @param {string} simulatorUrl
 * @param {object} changed
 */
async function settings(simulatorUrl, changed) {
  const body = JSON.stringify({ settings: changed });
  await request(`${simulatorUrl}/_sim/instances/1101000001`, { method: 'PATCH', body });
}

/**
 * @param {string} apiUrl
 * @param {string} id
 * @returns {Promise<Message>}
 */
function find(apiUrl, id) {
  return request(`${apiUrl}/v1/messages/${id}`);
}

/**
 * @param {string} apiUrl
 * @param {string} id
 */
async function accepted(apiUrl, id) {
  const untilMs = Date.now() + AT_MOST_MS;
  while (Date.now() < untilMs) {
    const message = await find(apiUrl, id);
    if (message.acceptedAt !== undefined) return message;
    await delay(50);
  }
  throw new Error(`Message ${id} was not accepted within ${AT_MOST_MS} ms.`);
}
