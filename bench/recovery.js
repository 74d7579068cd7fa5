// How long after kill -9 and a new start messages go on: those that no request was under way for, and one that had one.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSimulator } from '../dist/simulator/index.js';
import { request, send, startDev } from './dev.js';

/** When the product is killed, counted from the moment at which the messages of a round are asked for. */
const KILLED_AFTER_MS = [30, 100, 200, 300, 450, 600, 900];
const MESSAGES_A_ROUND = 8;
/** So slow that what is in the queue stays there until the lost request can be judged. */
const SLOW_RELEASE_MS = 60_000;
const AT_MOST_MS = 90_000;

/** @typedef {{ state: string, attempts: { claimedAt: string, outcomeAt?: string, outcome?: string }[], acceptedAt?: string }} Message */

/** @param {string} dir */
export async function measureRecovery(dir) {
  const httpPort = await aFreePort();
  const simulator = await startSimulator({
    settings: { ...NOTIFICATIONS, webhookUrl: `http://127.0.0.1:${httpPort}/webhooks/main` },
  });
  const instancesFile = join(dir, 'instances.json');
  const main = { baseUrl: simulator.url, idInstance: '1101000001', apiTokenInstance: 'simulator-token' };
  await writeFile(instancesFile, JSON.stringify({ main }));
  const start = () => startDev({ dataDir: join(dir, 'recovery'), httpPort, instancesFile });
  try {
    const notUnderWay = [];
    for (const [round, killedAfterMs] of KILLED_AFTER_MS.entries()) {
      notUnderWay.push(...(await killWhileSending(start, round, killedAfterMs)));
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
 * @param {number} killedAfterMs
 * @returns {Promise<number[]>} milliseconds from ready again to accepted, of messages without a request under way at the kill
 */
async function killWhileSending(start, round, killedAfterMs) {
  const keys = Array.from({ length: MESSAGES_A_ROUND }, (_, number) => `recovery-${round}-${number}`);
  /** @param {string} apiUrl */
  const sendAll = (apiUrl) =>
    Promise.allSettled(keys.map((key, number) => send(apiUrl, key, String(15_550_002_000 + round * 100 + number))));

  const first = await start();
  const sending = sendAll(first.apiUrl);
  await delay(killedAfterMs);
  const killedAtMs = Date.now();
  await first.end('SIGKILL');
  const acknowledged = await sending;

  const second = await start();
  const readyAtMs = Date.now();
  try {
    const ids = acknowledged.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
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
 * A request that the gateway never took is lost with the worker; one before it is still in the queue and shows that.
 * @param {() => ReturnType<typeof startDev>} start
 * @param {string} simulatorUrl
 * @returns {Promise<{ judgedAfterMs: number, acceptedAfterMs: number }>} milliseconds from the claim
 */
async function killWhilePosting(start, simulatorUrl) {
  /** @param {string} method @param {string} path @param {object} body */
  const control = async (method, path, body) => {
    await request(`${simulatorUrl}/_sim/${path}`, { method, body: JSON.stringify(body) });
  };
  const first = await start();
  await control('PATCH', 'instances/1101000001', { settings: { delaySendMessagesMilliseconds: SLOW_RELEASE_MS } });
  for (const key of ['leaves at once', 'stays in the queue']) {
    await accepted(first.apiUrl, await send(first.apiUrl, key, '15550003001'));
  }
  const fault = { method: 'sendMessage', kind: 'lose-answer', accepted: false, ms: 2 * SLOW_RELEASE_MS };
  await control('POST', 'faults', fault);
  const id = await send(first.apiUrl, 'lost with the worker', '15550003002');
  while ((await find(first.apiUrl, id)).state !== 'posting') await delay(20);
  await first.end('SIGKILL');

  const second = await start();
  try {
    const { attempts, acceptedAt = '' } = await accepted(second.apiUrl, id);
    const [lost, posted] = attempts.map(({ claimedAt }) => Date.parse(claimedAt));
    if (lost === undefined || posted === undefined) throw new Error('The request was not lost, or not sent again.');
    return { judgedAfterMs: posted - lost, acceptedAfterMs: Date.parse(acceptedAt) - lost };
  } finally {
    await second.end('SIGTERM');
  }
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

async function aFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
