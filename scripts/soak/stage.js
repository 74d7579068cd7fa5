// The accounts of a soak: their entries in the instances file, their settings at the gateway, and the endpoints of their
// events.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { NEEDED_FLAGS } from '../../dist/gateway/index.js';

/** Of ten accounts, one is polled for notifications; of five, one has a workflow for every message. */
const POLLED_OF = 10;
const WORKFLOWS_OF = 5;
const WITH_ENDPOINT_OF = 10;
/** Of ten events, one is refused at first. */
const REFUSED_OF = 10;

/** @typedef {import('./traffic.js').Account} Account */

/** @param {number} at */
const isPolled = (at) => at % POLLED_OF === 0;

/**
 * The content of the instances file. Each round changes settings of the accounts.
 * @param {readonly Account[]} accounts
 * @param {{ baseUrl: string, token: string, round: number }} options
 */
export function instancesOf(accounts, { baseUrl, token, round }) {
  const entries = accounts.map(({ name, idInstance }, at) => [
    name,
    {
      baseUrl,
      idInstance,
      apiTokenInstance: 'simulator-token',
      webhookToken: token,
      notifications: isPolled(at) ? 'poll' : 'push',
      messageWorkflows: at % WORKFLOWS_OF === 0 ? 'always' : 'on_demand',
      // The shortest, so that the workflows of messages end during the soak.
      editWindowMs: 60_000,
      limits: { timezone: 'UTC', perDay: 100_000 + round },
      settleTimeMs: 5_000 + 1_000 * (round % 3),
    },
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {import('../../dist/testing/index.js').GatewayControl} gateway
 * @param {readonly Account[]} accounts
 * @param {{ apiUrl: string, token: string }} options
 */
export async function setUpAccounts(gateway, accounts, { apiUrl, token }) {
  const flags = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes']));
  for (const [at, { name, idInstance }] of accounts.entries()) {
    const receiver = isPolled(at) ? {} : { webhookUrl: `${apiUrl}/webhooks/${name}`, webhookUrlToken: token };
    const settings = { delaySendMessagesMilliseconds: 500, ...flags, ...receiver };
    await gateway.ask('PATCH', `instances/${idInstance}`, { settings });
  }
}

/**
 * Posts the events of some accounts to a server in this process, which refuses some at first.
 * @param {import('./traffic.js').Traffic} traffic
 * @param {readonly Account[]} accounts
 */
export async function receiveEvents({ api, persist, count }, accounts) {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume();
    received += 1;
    const isRefused = received % REFUSED_OF === 0;
    count(isRefused ? 'events refused at first' : 'events received');
    response.writeHead(isRefused ? 503 : 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  for (const { name: instance } of accounts.filter((_, at) => at % WITH_ENDPOINT_OF === 1)) {
    const body = { instance, url: `http://127.0.0.1:${address.port}/` };
    await persist('event endpoint', () => api.createEventEndpoint({ body, key: `events-${instance}` }));
  }
}

/**
 * How many rows each table of work may have when nothing is under way.
 * @param {number} accounts
 * @param {number} starts  of processes
 * @returns {Readonly<Record<string, number>>}
 */
export function mostRows(accounts, starts) {
  return {
    due_messages: 0,
    pending_notifications: 0,
    outbox: 0,
    // One per background job, and per instance whose notifications are polled.
    leases: 40 + accounts,
    worker_processes: starts,
    dispatchers: accounts,
    gateway_clocks: accounts,
    instance_connections: accounts,
    instance_settings: accounts,
    queue_readings: 4 * accounts,
    message_counts: 60 * accounts,
    rate_limit_buckets: 30 * accounts,
  };
}
