// The processes for measurements of campaigns: a gateway, and everpost as `everpost dev`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { request, startDev, startProgram } from './dev.js';
import { cpuSeconds, peakMb } from './processes.js';

export const ID_INSTANCE = '1101000001';
const INSTANCE = { name: 'main', idInstance: ID_INSTANCE, token: 'simulator-token' };
/** Every operation that a campaign needs. */
const LIFTED = { sendMessage: 0, showMessagesQueue: 0, getStateInstance: 0, getSettings: 0, getMessage: 0 };
const FIRST_PHONE = 15_550_000_000;

/**
 * @typedef {object} Stand
 * @property {string} apiUrl
 * @property {string} simulatorUrl
 * @property {string} temporalAddress
 * @property {() => Promise<{ peakMb: number, cpuSeconds: number }>} usage  of everpost's process, until now
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} options
 * @param {string} options.dir  an empty directory
 * @param {number} options.delayMs  between two releases of the gateway's queue
 * @param {boolean} options.lifted  true to remove the limits on requests a second on both sides
 * @param {string} [options.databaseUrl]  default: an embedded ledger
 * @returns {Promise<Stand>}
 */
export async function startStand({ dir, delayMs, lifted, databaseUrl }) {
  const simulator = await startProgram(['simulator', '--port', '0']);
  const { simulatorUrl = '' } = simulator.facts;
  try {
    const everpost = await startEverpost({ dir, gatewayUrl: simulatorUrl, lifted, databaseUrl });
    const settings = {
      delaySendMessagesMilliseconds: delayMs,
      webhookUrl: `${everpost.apiUrl}/webhooks/${INSTANCE.name}`,
      // Other notifications say nothing about accepted messages and would only take time.
      outgoingAPIMessageWebhook: 'no',
    };
    await ask(`${simulatorUrl}/_sim/instances/${INSTANCE.idInstance}`, 'PATCH', { settings, rateLimits: !lifted });
    const close = async () => {
      await everpost.close();
      await simulator.end('SIGTERM');
    };
    return { ...everpost, simulatorUrl, close };
  } catch (error) {
    await simulator.end('SIGTERM');
    throw error;
  }
}

/**
 * @param {object} options
 * @param {string} options.dir
 * @param {string} options.gatewayUrl
 * @param {boolean} options.lifted
 * @param {string | undefined} options.databaseUrl
 * @returns {Promise<Omit<Stand, 'simulatorUrl'>>}
 */
async function startEverpost({ dir, gatewayUrl, lifted, databaseUrl = '' }) {
  const instancesFile = join(dir, 'instances.json');
  const { name, idInstance, token } = INSTANCE;
  const limits = lifted ? { rateLimits: LIFTED } : {};
  const instance = {
    baseUrl: gatewayUrl,
    idInstance,
    apiTokenInstance: token,
    statusMeanings: { 503: 'not_accepted' },
  };
  await writeFile(instancesFile, JSON.stringify({ [name]: { ...instance, ...limits } }));
  const { pid, apiUrl, facts, end } = await startDev({ dataDir: join(dir, 'dev'), instancesFile, databaseUrl });
  const { temporalAddress = '' } = facts;
  return {
    apiUrl,
    temporalAddress,
    usage: async () => ({ peakMb: await peakMb(pid), cpuSeconds: await cpuSeconds(pid) }),
    close: () => end('SIGTERM'),
  };
}

/**
 * Imports recipients and starts the campaign.
 * @param {Pick<Stand, 'apiUrl'>} stand
 * @param {{ id: string, recipients: number, highWater?: number }} campaign
 */
export async function startCampaign({ apiUrl }, { id, recipients, highWater }) {
  const url = `${apiUrl}/v1/campaigns/${id}`;
  const definition = {
    instance: INSTANCE.name,
    content: { kind: 'text', text: 'Hello {{name}}, the garden opens on Friday.' },
    ...(highWater === undefined ? {} : { highWater }),
  };
  await ask(url, 'PUT', definition);
  await request(`${url}/recipients`, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: ReadableStream.from(csv(recipients)),
    duplex: 'half',
  });
  await ask(`${url}/start`, 'POST');
}

/** @param {number} recipients */
async function* csv(recipients) {
  const encoder = new TextEncoder();
  yield encoder.encode('phone,name\n');
  for (let from = 0; from < recipients; from += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, recipients - from) }, (_, at) => lineOf(from + at));
    yield encoder.encode(lines.join(''));
  }
}

/** @param {number} number */
function lineOf(number) {
  return `${FIRST_PHONE + number},Recipient ${number}\n`;
}

/**
 * @typedef {{ state: string, audience: number, counts: Record<string, number>, depth?: number, waiting?: { code: string
 *   }, startedAt: string, endedAt?: string }} Campaign
 * @param {Pick<Stand, 'apiUrl'>} stand
 * @param {string} id
 * @param {(campaign: Campaign) => void} [watch]  called every ten seconds
 * @returns {Promise<Campaign>} the ended campaign
 */
export async function untilEnded({ apiUrl }, id, watch = () => {}) {
  for (;;) {
    const url = `${apiUrl}/v1/campaigns/${id}?wait=ended&timeoutMs=10000`;
    const campaign = /** @type {Campaign} */ (await ask(url));
    watch(campaign);
    if (campaign.endedAt !== undefined) return campaign;
  }
}

/**
 * @typedef {{ idMessage: string, chatId: string, at: string, text?: string }} Delivered  at: by the simulator's clock
 * @param {Stand} stand
 * @returns {Promise<Delivered[]>}
 */
export async function delivered({ simulatorUrl }) {
  return ask(`${simulatorUrl}/_sim/delivered`);
}

/**
 * Posts a text to the gateway, as a caller without everpost does.
 * @param {Stand} stand
 * @param {number} phone
 * @param {string} message
 */
export async function postStraight({ simulatorUrl }, phone, message) {
  const { idInstance, token } = INSTANCE;
  await ask(`${simulatorUrl}/waInstance${idInstance}/sendMessage/${token}`, 'POST', {
    chatId: `${phone}@c.us`,
    message,
  });
}

/**
 * @param {Stand} stand
 * @returns {Promise<number>} items in the gateway's queue
 */
export async function queueDepth({ simulatorUrl }) {
  const { queue } = await ask(`${simulatorUrl}/_sim/instances/${INSTANCE.idInstance}`);
  return queue.length;
}

/**
 * @typedef {{ chatId: string, state: string, idMessage?: string, acceptedAt?: string }} Reported
 * @param {Pick<Stand, 'apiUrl'>} stand
 * @param {string} id
 * @returns {AsyncGenerator<Reported>}
 */
export async function* report({ apiUrl }, id) {
  const { body } = await fetch(`${apiUrl}/v1/campaigns/${id}/report.ndjson`);
  if (body === null) return;
  const lines = createInterface(Readable.fromWeb(body));
  for await (const line of lines) yield JSON.parse(line);
}

/**
 * @param {string} url
 * @param {string} [method]
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 */
export async function ask(url, method = 'GET', body, headers = {}) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return request(url, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
}
