import { expect } from 'vitest';
import { CHAT, MINUTE_MS, type Json } from '../scene.js';
import type { SimulatorResponse, SimulatorDriver } from '../simulator-driver.js';
import { GOOD, OPERATIONS } from '../good-requests.js';
import { validRequest } from './validation.js';
import { expectOk, expectValidationFailed, onSimulator } from './assertions.js';

const FILE = GOOD.sendFileByUrl.request;

async function callOf(sim: SimulatorDriver, operation: (typeof OPERATIONS)[number]): Promise<SimulatorResponse> {
  if (GOOD[operation].verb === 'GET') return await sim.get(operation);
  return await sim.post(operation, await validRequest(sim, operation));
}

for (const operation of OPERATIONS) {
  onSimulator(`operation.${operation}`, async (sim) => {
    expectOk(await callOf(sim, operation));
    const otherVerb = GOOD[operation].verb === 'GET' ? await sim.post(operation, {}) : await sim.get(operation);
    expect(otherVerb.status).toBe(404);
  });
}

onSimulator('service.json-in-json-out', async (sim) => {
  for (const operation of OPERATIONS) {
    const { headers } = await callOf(sim, operation);
    if (operation !== 'sendTyping') expect(headers.get('content-type'), operation).toMatch(/^application\/json/);
  }
});

onSimulator('endpoint.path-shape', async (sim) => {
  expectOk(await sim.get('showMessagesQueue'));
  expect((await sim.get('noSuchMethod')).status).toBe(404);
});

onSimulator('endpoint.content-type-on-body', async (sim) => {
  await sim.accepted('sendMessage', { chatId: CHAT, message: 'read' });
  expect(await sim.deliveredTexts()).toEqual(['read']);
});

onSimulator('identifier.message-id-opaque', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  const first = await sim.text('one');
  const second = await sim.text('two');
  expect(first).not.toBe('');
  expect(second).not.toBe(first);
  expect((await sim.queue()).map((item) => item['messageID'])).toEqual([first, second]);
});

onSimulator('identifier.id-instance-in-path', async (sim) => {
  const other = '1101000002';
  await sim.instance({ state: 'notAuthorized' });
  await sim.instance({ state: 'notAuthorized' }, other);
  await sim.text('here');
  await sim.accepted('sendMessage', { chatId: CHAT, message: 'there' }, { instance: other });
  const there = await sim.get('showMessagesQueue', '', { instance: other });
  expect(await sim.queue()).toMatchObject([{ body: { message: 'here' } }]);
  expect(there.json).toMatchObject([{ body: { message: 'there' } }]);
});

onSimulator('identifier.token-in-path', async (sim) => {
  expectOk(await sim.get('showMessagesQueue'));
  expect((await sim.get('showMessagesQueue', '', { token: 'another' })).status).toBe(401);
});

onSimulator('identifier.read-chat-bare-digits', async (sim) => {
  await sim.settings({ incomingWebhook: 'yes' });
  const idMessage = await sim.incoming('hello');
  expectOk(await sim.post('readChat', { chatId: CHAT.replace('@c.us', '') }));
  expect(await sim.isRead(idMessage)).toBe(true);
  expectValidationFailed(await sim.post('sendMessage', { chatId: CHAT.replace('@c.us', ''), message: 'x' }), 'chatId');
});

onSimulator('reply.idMessage', async (sim) => {
  const idMessage = await sim.accepted('sendFileByUrl', FILE);
  await sim.accepted('sendTextStatus', { message: 'status' });
  await sim.advance(MINUTE_MS);
  await sim.accepted('editMessage', { chatId: CHAT, idMessage, message: 'new' });
});

onSimulator('authentication.path-only', async (sim) => {
  const token = 'wrong';
  expect((await sim.get('showMessagesQueue', '', { token })).status).toBe(401);
  const headers = { Authorization: 'Bearer simulator-token' };
  expect((await sim.get('showMessagesQueue', '', { token, headers })).status).toBe(401);
  const query = '?apiTokenInstance=simulator-token';
  expect((await sim.get('showMessagesQueue', query, { token })).status).toBe(401);
});

onSimulator('errors.unauthorized', async (sim) => {
  const response = await sim.post('sendMessage', { chatId: CHAT, message: 'hello' }, { token: 'wrong' });
  expect(response.status).toBe(401);
  expect(await sim.delivered()).toEqual([]);
});

onSimulator('errors.wrong-verb', async (sim) => {
  expect((await sim.get('editMessage')).status).toBe(404);
  expect((await sim.post('showMessagesQueue', {})).status).toBe(404);
});

onSimulator('rate-limit.per-second', async (sim) => {
  await sim.instance({ rateLimits: true });
  const edit = { chatId: CHAT, idMessage: await sim.text('old'), message: 'new' };
  expectOk(await sim.post('editMessage', edit));
  expect((await sim.post('editMessage', edit)).status).toBe(429);
  await sim.advance(1000);
  expectOk(await sim.post('editMessage', edit));
});

/** Ten readChat a second are accepted, the eleventh is refused, and a second later one is accepted. */
async function expectTenReadChatsASecond(sim: SimulatorDriver): Promise<void> {
  await sim.instance({ rateLimits: true });
  const readChat = async (): Promise<number> => (await sim.post('readChat', { chatId: CHAT })).status;
  for (let count = 0; count < 10; count += 1) expect(await readChat()).toBe(200);
  expect(await readChat()).toBe(429);
  await sim.advance(1000);
  expect(await readChat()).toBe(200);
}

onSimulator('read-chat.rate-limit', expectTenReadChatsASecond);
onSimulator('limits.read-chat-rate', expectTenReadChatsASecond);

onSimulator('state.read', async (sim) => {
  for (const state of ['authorized', 'notAuthorized', 'yellowCard']) {
    await sim.instance({ state });
    const response = await sim.get('getStateInstance');
    expect(response.json).toEqual({ stateInstance: state });
  }
});

onSimulator('versioning.deprecated-send-link', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.accepted('sendLink', { chatId: CHAT, urlLink: 'https://example.com' });
  expect(await sim.queue()).toMatchObject([{ type: 'sendLink' }]);
});

onSimulator('versioning.deprecated-archive', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.accepted('sendFileByUrl', FILE);
  const [item] = await sim.queue();
  expect(item?.['body']).toHaveProperty('archive');
});

onSimulator('journal.last-outgoing', async (sim) => {
  await sim.text('earlier');
  await sim.advance(MINUTE_MS);
  await sim.text('later');
  await sim.advance(MINUTE_MS);
  const response = await sim.get('lastOutgoingMessages', '?minutes=60');
  expectOk(response);
  expect(response.json).toMatchObject([
    { type: 'outgoing', chatId: CHAT, statusMessage: 'delivered', sendByApi: true },
    { type: 'outgoing', chatId: CHAT, statusMessage: 'delivered', sendByApi: true },
  ]);
  const texts = (response.json as Json[]).map((entry) => {
    const extended = entry['extendedTextMessage'] as Json | undefined;
    return entry['textMessage'] ?? extended?.['text'];
  });
  expect(texts).toEqual(['later', 'earlier']);
});

onSimulator('send-message.accepted', async (sim) => {
  const idMessage = await sim.text('hello');
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered(CHAT)).toMatchObject([{ idMessage, text: 'hello', typeMessage: 'textMessage' }]);
});

onSimulator('settings.read', async (sim) => {
  const response = await sim.get('getSettings');
  expectOk(response);
  expect(response.json).toMatchObject({
    delaySendMessagesMilliseconds: expect.any(Number),
    webhookUrl: '',
    webhookUrlToken: '',
    incomingWebhook: 'no',
    outgoingWebhook: 'no',
    stateWebhook: 'no',
    deviceWebhook: 'no',
  });
});

onSimulator('settings.write', async (sim) => {
  const before = (await sim.get('getSettings')).json as Json;
  const response = await sim.post('setSettings', { delaySendMessagesMilliseconds: 1500 });
  expectOk(response);
  expect(response.json).toEqual({ saveSettings: true });
  await sim.advance(5 * MINUTE_MS);
  expect((await sim.get('getSettings')).json).toEqual({ ...before, delaySendMessagesMilliseconds: 1500 });
});

onSimulator('settings.delay-range', async (sim) => {
  for (const delaySendMessagesMilliseconds of [500, 600_000]) {
    expectOk(await sim.post('setSettings', { delaySendMessagesMilliseconds }));
  }
  for (const delaySendMessagesMilliseconds of [499, 600_001]) {
    expectValidationFailed(await sim.post('setSettings', { delaySendMessagesMilliseconds }));
  }
});

onSimulator('webhook.settings-fields', async (sim) => {
  const settings = {
    webhookUrl: 'http://127.0.0.1:9/none',
    webhookUrlToken: 'abc',
    outgoingWebhook: 'yes',
    stateWebhook: 'no',
    incomingWebhook: 'yes',
    deviceWebhook: 'no',
  };
  expectOk(await sim.post('setSettings', settings));
  await sim.advance(5 * MINUTE_MS);
  expect((await sim.get('getSettings')).json).toMatchObject(settings);
  expectValidationFailed(await sim.post('setSettings', { stateWebhook: 'maybe' }), 'stateWebhook');
});
