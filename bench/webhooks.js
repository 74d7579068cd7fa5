// Measures how long the receiver lets the gateway wait for its 200, at 50 notifications a second for a minute: the rate
// at which the gateway pushes. Posts receipts of accepted messages to `everpost dev` with its embedded ledger.
import { join } from 'node:path';
import { atRest } from '../dist/codec/at-rest.js';
import { openLedger } from '../dist/ledger/index.js';
import { seedAccepted } from './accepted-messages.js';
import { request, startDev } from './dev.js';
import { quantile } from './table.js';

const PER_SECOND = 50;
const STATUSES = ['sent', 'delivered', 'read'];
/** The first notifications include compilation, and are not counted. */
const WARM_UP_SECONDS = 3;
/** The limit for all notifications on a slow machine. */
const APPLIED_WITHIN_MS = 60_000;
const INSTANCE = 'main';
const ID_INSTANCE = 1101000001;

/**
 * @param {string} scratchDir
 * @param {number} [seconds]
 * @returns {Promise<Record<string, string>>}
 */
export async function measureWebhooks(scratchDir, seconds = 60) {
  const dataDir = join(scratchDir, 'webhooks');
  const total = PER_SECOND * seconds;
  const messages = Math.ceil(total / STATUSES.length);
  await seed(dataDir, messages);
  const dev = await startDev({ dataDir });
  try {
    const authorization = await tokenOf(dev.facts['simulatorUrl'] ?? '');
    const url = `${dev.apiUrl}/webhooks/${INSTANCE}`;
    const warmUp = PER_SECOND * WARM_UP_SECONDS;
    await postAtPace(warmUp, url, authorization, (number) => receipt(messages + number, 'sent'));
    const waits = await postAtPace(total, url, authorization, (number) =>
      receipt(number % messages, STATUSES[Math.floor(number / messages)] ?? 'read'),
    );
    const appliedMs = await untilApplied(dev.apiUrl, warmUp + total);
    return {
      notifications: String(total),
      'a second': String(PER_SECOND),
      median: `${quantile(waits, 0.5).toFixed(1)} ms`,
      p99: `${quantile(waits, 0.99).toFixed(1)} ms`,
      longest: `${Math.max(...waits).toFixed(1)} ms`,
      'applied after the last': `${(appliedMs / 1_000).toFixed(1)} s`,
    };
  } finally {
    await dev.end('SIGTERM');
  }
}

/**
 * @param {number} count
 * @param {string} url
 * @param {string} authorization
 * @param {(number: number) => string} bodyOf
 * @returns {Promise<number[]>}  how long each waited for its response, in milliseconds
 */
async function postAtPace(count, url, authorization, bodyOf) {
  const startedMs = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const dueMs = startedMs + (number * 1_000) / PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', authorization },
        body: bodyOf(number),
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`A notification was answered ${response.status}.`);
      // Measure from the due time, so that a pause in which nothing could be sent counts too.
      return performance.now() - dueMs;
    }),
  );
}

/**
 * Creates messages that the gateway has accepted.
 * @param {string} dataDir
 * @param {number} count
 */
async function seed(dataDir, count) {
  const ledger = await openLedger({ dataDir }, { atRest: atRest(undefined) });
  try {
    const accepted = Array.from({ length: count }, (_, number) => ({
      id: /** @type {import('../dist/contract/index.js').MessageId} */ (`msg_${String(number).padStart(40, '0')}`),
      instance: INSTANCE,
      chatId: `${15_550_001_000 + number}@c.us`,
      text: `Message ${number}`,
      idMessage: idOf(number),
    }));
    await seedAccepted(ledger, accepted);
  } finally {
    await ledger.close();
  }
}

/** @param {number} number */
function idOf(number) {
  return `3EB0${number.toString(16).toUpperCase().padStart(16, '0')}`;
}

/**
 * @param {number} number
 * @param {string} status
 */
function receipt(number, status) {
  return JSON.stringify({
    typeWebhook: 'outgoingMessageStatus',
    instanceData: { idInstance: ID_INSTANCE, wid: '15550000009@c.us', typeInstance: 'whatsapp' },
    timestamp: Math.floor(Date.now() / 1_000),
    chatId: `${15_550_001_000 + number}@c.us`,
    idMessage: idOf(number),
    status,
    sendByApi: true,
  });
}

/**
 * Reads the webhook token from the settings of the simulated gateway.
 * @param {string} simulatorUrl
 */
async function tokenOf(simulatorUrl) {
  /** @type {{ webhookUrlToken: string }} */
  const settings = await request(`${simulatorUrl}/waInstance${ID_INSTANCE}/getSettings/simulator-token`);
  return `Bearer ${settings.webhookUrlToken}`;
}

/**
 * @param {string} apiUrl
 * @param {number} count
 * @returns {Promise<number>}  milliseconds until all were applied
 */
async function untilApplied(apiUrl, count) {
  const startedMs = performance.now();
  for (;;) {
    /** @type {{ items: { instance: string, kinds: Record<string, number>, waiting: number, failed: number }[] }} */
    const { items } = await request(`${apiUrl}/v1/notifications`);
    const own = items.find(({ instance }) => instance === INSTANCE);
    const came = own?.kinds['outgoingMessageStatus'] ?? 0;
    const afterMs = performance.now() - startedMs;
    if (own?.waiting === 0 && own.failed === 0 && came === count) return afterMs;
    if (afterMs > APPLIED_WITHIN_MS) throw new Error(`Not all were applied: ${JSON.stringify(own)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
