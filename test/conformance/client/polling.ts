import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { INSTANCE, TOKEN } from '../scene.js';
import { expectError, expectRefused, onClient } from './assertions.js';

const RECEIVE = `/waInstance${INSTANCE}/receiveNotification/${TOKEN}`;
const DELETE = `/waInstance${INSTANCE}/deleteNotification/${TOKEN}`;

onClient('polling.oldest-first', async (client) => {
  for (const body of [{ typeWebhook: 'somethingNew', text: 'x' }, 'no object', null]) {
    client.responses({ receiptId: 7, body, newer: 1 });
    expect(await client.call('receiveNotification', {})).toEqual({ receiptId: 7, body, newer: 1 });
  }
  expect(client.lastRequest()).toMatchObject({ verb: 'GET', path: RECEIVE });
  client.responses({ receiptId: 7 });
  expect(await client.call('receiveNotification', {})).toEqual({ receiptId: 7 });
  client.responses({ body: {} });
  await expectError(client, 'receiveNotification', {}, 'GATEWAY_RESPONSE_INVALID');
});

onClient('polling.kept-until-deleted', async (client) => {
  for (const result of [true, false]) {
    client.responses({ result });
    expect(await client.call('deleteNotification', GOOD.deleteNotification.request)).toEqual({ result });
  }
  const { verb, path, bytes } = client.lastRequest();
  expect({ verb, path, bytes: bytes.length }).toEqual({ verb: 'DELETE', path: `${DELETE}/7`, bytes: 0 });
});

onClient('polling.receive-timeout', async (client) => {
  client.responses(null);
  expect(await client.call('receiveNotification', { receiveTimeout: 60 })).toEqual({ receiptId: null });
  expect(client.lastRequest().path).toBe(`${RECEIVE}?receiveTimeout=60`);
  client.responses('');
  expect(await client.call('receiveNotification', {})).toEqual({ receiptId: null });
  for (const receiveTimeout of [4, 61, 5.5]) {
    await expectRefused(client, 'receiveNotification', { receiveTimeout }, 'receiveTimeout');
  }
});

onClient('polling.without-webhook-url', async (client) => {
  client.respondsWith({ status: 400, json: { statusCode: 400, message: 'custom webhook url is set' } });
  const error = await expectError(client, 'receiveNotification', {}, 'GATEWAY_REJECTED');
  expect(error.gatewayText).toContain('custom webhook url is set');
});
