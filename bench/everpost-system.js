// Runs everpost for a measurement, through its commands and its HTTP API only. With PostgreSQL, `everpost worker` and
// `everpost api` are separate processes; with the embedded ledger, `everpost dev` is worker, API and database in one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startNode } from './processes.js';
import { freePort } from './servers.js';

const PROGRAM = fileURLToPath(new URL('../bin/everpost.js', import.meta.url));
const INSTANCE = 'main';
const CAMPAIGN = 'bench';
const FIRST_PHONE = 15_550_000_000;
/** Removes the limits on all operations that sending needs. */
const NO_LIMITS = { sendMessage: 0, showMessagesQueue: 0, getStateInstance: 0, getSettings: 0, getMessage: 0 };
const HIGH_WATER = 1_000;
/** Concurrent requests to the API. */
const CALLERS = 32;
const RETRY_AFTER_MS = 100;
const PAGE = 500;
const OPEN = /** @type {const} */ (['pending', 'sending', 'unknown']);

/**
 * @param {'campaign' | 'singles'} way
 * @returns {import('./systems.js').System['start']}
 */
export function everpost(way) {
  return async (place) => {
    const { apiUrl, ...processes } = await startEverpost(place, { [INSTANCE]: instanceAt(place.gatewayUrl) });
    const api = apiAt(apiUrl);
    const driven = way === 'campaign' ? campaign(api, place.messages) : singles(api, place.messages);
    return { ...processes, ...driven };
  };
}

/**
 * @param {Pick<Parameters<import('./systems.js').System['start']>[0], 'dir' | 'servers'>} place
 * @param {Record<string, Partial<ReturnType<typeof instanceAt>>>} instances
 */
export async function startEverpost({ dir, servers }, instances) {
  const instancesFile = join(dir, 'instances.json');
  await writeFile(instancesFile, JSON.stringify(instances));
  const port = String(await freePort());
  const env = {
    DATABASE_URL: servers.postgres?.url ?? '',
    TEMPORAL_ADDRESS: servers.temporal?.address ?? '',
    EVERPOST_DATA_DIR: join(dir, 'data'),
    EVERPOST_INSTANCES_FILE: instancesFile,
    EVERPOST_LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  };
  /** @param {readonly string[]} args */
  const start = (...args) => startNode([PROGRAM, ...args, '--json'], { ready: 'line', env });
  const others = servers.postgres === undefined ? [] : [await start('api', '--http-port', port)];
  const startWorker = () => (servers.postgres === undefined ? start('dev', '--http-port', port) : start('worker'));
  return { apiUrl: `http://127.0.0.1:${port}`, startWorker, others };
}

/**
 * @param {string} baseUrl
 * @param {number} [number]  the number of the instance
 */
export function instanceAt(baseUrl, number = 1) {
  const idInstance = String(1_101_000_000 + number);
  return { baseUrl, idInstance, apiTokenInstance: 'simulator-token', rateLimits: NO_LIMITS };
}

/**
 * Instances i1, i2 and so on, with the gateway's default rate limits.
 * @param {string} baseUrl
 * @param {number} count
 */
export function instancesAt(baseUrl, count) {
  const instances = Array.from({ length: count }, (_, at) => {
    const { rateLimits: _limits, ...instance } = instanceAt(baseUrl, at + 1);
    return [`i${at + 1}`, instance];
  });
  return Object.fromEntries(instances);
}

/** @typedef {ReturnType<typeof apiAt>} Api */

/** @param {string} url */
export function apiAt(url) {
  const pool = new Pool(url, { connections: CALLERS });
  /**
   * @param {'GET' | 'POST' | 'PUT'} method
   * @param {string} path
   * @param {string} [body]
   * @param {Record<string, string>} [headers]
   */
  const request = async (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await pool.request({
      method,
      path,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body }),
      // The API responds to an import at its end, which takes long for a large file.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (response.statusCode >= 300) {
      const error = new Error(`${method} ${path}: ${await response.body.text()}`);
      // A part of everpost is unavailable: the caller may retry.
      throw response.statusCode === 503 ? Object.assign(error, { code: 'UNAVAILABLE' }) : error;
    }
    return response.body;
  };
  return {
    request,
    /**
     * @param {Parameters<typeof request>} args
     * @returns {Promise<any>}
     */
    json: async (...args) => (await request(...args)).json(),
    /**
     * Retries with the same key while the API is unavailable, as a caller does.
     * @param {string} path
     * @param {string} key
     * @param {unknown} body
     */
    post: async (path, key, body) => {
      for (;;) {
        try {
          const response = await request('POST', path, JSON.stringify(body), { 'idempotency-key': key });
          return /** @type {{ id: string }} */ (await response.json());
        } catch (error) {
          if (!(error instanceof Error && 'code' in error)) throw error;
          await delay(RETRY_AFTER_MS);
        }
      }
    },
  };
}

/**
 * Defines a campaign, imports its recipients and starts it.
 * @param {Parameters<typeof defineCampaign>} given  as for defineCampaign
 */
export async function startCampaign(...given) {
  const [api, { id }] = given;
  await defineCampaign(...given);
  await api.json('POST', `/v1/campaigns/${id}/start`);
}

/**
 * Defines a campaign and imports its recipients.
 * @param {Api} api
 * @param {{ id: string, instance?: string, instances?: readonly string[], highWater?: number }} definition
 * @param {number} recipients
 * @param {number} [first]  the number of the first recipient
 */
export async function defineCampaign(api, definition, recipients, first = 0) {
  const path = `/v1/campaigns/${definition.id}`;
  const content = { kind: 'text', text: 'Message {{number}}' };
  await api.json('POST', '/v1/campaigns', JSON.stringify({ ...definition, content }));
  const lines = Array.from({ length: recipients }, (_, at) => `${FIRST_PHONE + first + at},${first + at}`);
  await api.json('PUT', `${path}/recipients`, ['phone,number', ...lines, ''].join('\n'), {
    'content-type': 'text/csv',
  });
}

/**
 * @param {Api} api
 * @param {number} messages
 */
function campaign(api, messages) {
  const path = `/v1/campaigns/${CAMPAIGN}`;
  return {
    handOver: () => startCampaign(api, { id: CAMPAIGN, instance: INSTANCE, highWater: HIGH_WATER }, messages),
    open: async () => {
      const { counts } = await api.json('GET', path);
      return OPEN.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
    },
    owned: async () => {
      /** @type {{ waiting: number[], unresolved: number[] }} */
      const owned = { waiting: [], unresolved: [] };
      for await (const line of createInterface(await api.request('GET', `${path}/report.ndjson`))) {
        const { chatId, state } = JSON.parse(line);
        if (state === 'unresolved') owned.unresolved.push(numberOf(chatId));
        if (OPEN.includes(state)) owned.waiting.push(numberOf(chatId));
      }
      return owned;
    },
  };
}

/**
 * @param {Api} api
 * @param {number} messages
 * @returns {Pick<import('./systems.js').Running, 'handOver' | 'open' | 'owned' | 'known'>}
 */
export function singles(api, messages) {
  /**
   * @param {string} state
   * @returns {Promise<number[]>}
   */
  const inState = async (state) => {
    /** @type {number[]} */
    const numbers = [];
    let cursor = '';
    do {
      const page = await api.json('GET', `/v1/messages?instance=${INSTANCE}&state=${state}&limit=${PAGE}${cursor}`);
      for (const { chatId } of page.items) numbers.push(numberOf(chatId));
      cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : '';
    } while (cursor !== '');
    return numbers;
  };
  const waiting = async () => (await Promise.all(OPEN.map(inState))).flat();
  /** @type {Map<number, string>} */
  const ids = new Map();
  return {
    known: async (numbers) => {
      /** @type {number[]} */
      const known = [];
      for (const number of numbers) {
        const found = await api.json('GET', `/v1/messages/${ids.get(number)}`).catch(() => undefined);
        if (OPEN.includes(found?.state)) known.push(number);
      }
      return known;
    },
    handOver: async () => {
      let next = 0;
      const caller = async () => {
        while (next < messages) {
          const number = next++;
          const content = { kind: 'text', text: `Message ${number}` };
          const message = { instance: INSTANCE, to: String(FIRST_PHONE + number), content };
          const { id } = await api.post('/v1/messages', `bench-${number}`, message);
          ids.set(number, id);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
    },
    open: async () => (await waiting()).length,
    owned: async () => ({ waiting: await waiting(), unresolved: await inState('unresolved') }),
  };
}

/** @param {string} chatId */
function numberOf(chatId) {
  return parseInt(chatId, 10) - FIRST_PHONE;
}
