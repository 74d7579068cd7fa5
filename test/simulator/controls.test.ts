import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { aSimulator, aWebhookServer, call, CHAT, control, patch, send, sendText } from './cast.js';
import { TEMPLATE } from '../support/template.js';

const INSTANCE = '/instances/1101000001';
const OTHER_CHAT = '15550000002@c.us';

test('the control endpoints show and change the state, the settings and the queue of an instance', async () => {
  const simulator = await aSimulator();
  await patch(simulator, { state: 'notAuthorized', settings: { delaySendMessagesMilliseconds: 10 } });
  const idMessage = await sendText(simulator, 'one');
  expect(await control(simulator, 'GET', INSTANCE)).toMatchObject({
    idInstance: '1101000001',
    state: 'notAuthorized',
    statusInstance: 'offline',
    settings: { delaySendMessagesMilliseconds: 10, webhookUrl: '' },
    queue: [{ ids: [idMessage], chatId: CHAT, kind: 'text', acceptedAt: '2026-01-01T00:00:00.000Z' }],
  });
});

test('the control endpoints refuse an unknown setting or field', async () => {
  const simulator = await aSimulator();
  await expect(patch(simulator, { settings: { webhokUrl: '' } })).rejects.toThrow('unknown settings: webhokUrl');
  await expect(patch(simulator, { stat: 'authorized' })).rejects.toThrow('unknown fields: stat');
  await expect(control(simulator, 'GET', '/nothing')).rejects.toThrow('no control endpoint');
});

test('the control endpoints list the messages on the phones, or of one chat', async () => {
  const simulator = await aSimulator();
  const first = await sendText(simulator, 'one');
  await sendText(simulator, 'two', OTHER_CHAT);
  await simulator.advance(1000);
  await call(simulator, 'editMessage', { chatId: CHAT, idMessage: first, message: 'three' });
  expect(await control(simulator, 'GET', `/delivered?chatId=${encodeURIComponent(CHAT)}`)).toEqual([
    {
      idInstance: '1101000001',
      idMessage: first,
      chatId: CHAT,
      kind: 'text',
      typeMessage: 'textMessage',
      text: 'three',
      at: '2026-01-01T00:00:00.000Z',
      edits: [{ text: 'three', at: '2026-01-01T00:00:01.000Z' }],
    },
  ]);
  expect(await control(simulator, 'GET', '/delivered')).toHaveLength(2);
});

test('the control endpoints list requests, including refused ones, and never a token', async () => {
  const simulator = await aSimulator();
  await sendText(simulator, 'one');
  await send(`${simulator.url}/v3/waInstance1101000001/readChat/wrong-token`, { verb: 'POST', body: { chatId: CHAT } });
  await call(simulator, 'getIncomingStories?minutes=5');
  const requests = await control(simulator, 'GET', '/requests');
  expect(requests).toMatchObject([
    {
      verb: 'POST',
      idInstance: '1101000001',
      method: 'sendMessage',
      body: { chatId: CHAT, message: 'one' },
      status: 200,
    },
    { verb: 'POST', method: 'readChat', v3: true, status: 401 },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/simulator-token|wrong-token/);
  expect(await control(simulator, 'GET', '/requests?method=readChat')).toHaveLength(1);
});

test('the simulator serves any instance, each with its own queue and token', async () => {
  const simulator = await aSimulator();
  const other = { idInstance: '7700000002' };
  await call(simulator, 'sendMessage', { chatId: CHAT, message: 'from the other' }, other);
  expect(simulator.delivered()).toMatchObject([{ idInstance: '7700000002', text: 'from the other' }]);
  await control(simulator, 'PATCH', '/instances/7700000002', { apiTokenInstance: 'its-own' });
  expect((await call(simulator, 'getStateInstance', undefined, other)).status).toBe(401);
  expect((await call(simulator, 'getStateInstance')).status).toBe(200);
});

test('the simulator ends sends to chats without an account, and to failing chats, by their notifications', async () => {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  await patch(simulator, { settings: { webhookUrl: receiver.url } });
  await control(simulator, 'POST', `${INSTANCE}/accounts`, { noAccount: [CHAT], fails: [OTHER_CHAT] });
  const absent = await sendText(simulator, 'one');
  const failing = await sendText(simulator, 'two', OTHER_CHAT);
  await simulator.advance(1000);
  expect(simulator.delivered()).toEqual([]);
  expect(receiver.received.map(({ body }) => [body['idMessage'], body['status']])).toEqual([
    [absent, 'noAccount'],
    [failing, 'failed'],
  ]);
});

test('the simulator keeps no journal for an account without one', async () => {
  const simulator = await aSimulator();
  await control(simulator, 'POST', `${INSTANCE}/accounts`, { journal: false });
  const idMessage = await sendText(simulator, 'one');
  expect((await call(simulator, 'lastOutgoingMessages')).json).toEqual([]);
  expect((await call(simulator, 'getMessage', { chatId: CHAT, idMessage })).status).toBe(400);
});

test('the simulator shows a chat under another id in the queue, the journal and notifications', async () => {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  const settings = { webhookUrl: receiver.url, outgoingAPIMessageWebhook: 'yes', outgoingWebhook: 'yes' };
  await patch(simulator, { settings });
  await control(simulator, 'POST', `${INSTANCE}/accounts`, { shownAs: { [CHAT]: '98765@lid' } });
  const idMessage = await sendText(simulator, 'one');
  await patch(simulator, { state: 'notAuthorized' });
  await sendText(simulator, 'two');

  expect((await call(simulator, 'showMessagesQueue')).json).toMatchObject([{ body: { chatId: '98765@lid' } }]);
  expect(simulator.delivered()).toMatchObject([{ chatId: CHAT, text: 'one' }]);
  await simulator.advance(1000);
  expect((await call(simulator, 'lastOutgoingMessages')).json).toMatchObject([{ chatId: '98765@lid' }]);
  expect((await call(simulator, 'getMessage', { chatId: CHAT, idMessage })).status).toBe(400);
  expect((await call(simulator, 'getMessage', { chatId: '98765@lid', idMessage })).status).toBe(200);
  expect(
    receiver.received.map(({ body }) => [body['typeWebhook'], JSON.stringify(body).includes('98765@lid')]),
  ).toEqual([
    ['outgoingAPIMessageReceived', true],
    ['outgoingMessageStatus', true],
    ['outgoingMessageStatus', true],
  ]);
});

test('the simulator passes on the receipt "read by the receiver"', async () => {
  const simulator = await aSimulator();
  const idMessage = await sendText(simulator, 'one');
  await control(simulator, 'POST', `${INSTANCE}/receipts`, { idMessage, status: 'read' });
  const entry = await call(simulator, 'getMessage', { chatId: CHAT, idMessage });
  expect(entry.json).toMatchObject({ idMessage, statusMessage: 'read' });
});

test('the simulator decides a template now or later, by its clock', async () => {
  const simulator = await aSimulator();
  await call(simulator, 'createTemplate', TEMPLATE);
  const decide = (decision: unknown): Promise<unknown> =>
    control(simulator, 'POST', '/templates/order_ready/decision', decision);
  await decide({ status: 'APPROVED', afterMs: 60_000 });
  await simulator.advance(59_999);
  expect((await call(simulator, 'getTemplates')).json).toMatchObject({ templates: [{ status: 'PENDING' }] });
  await simulator.advance(1);
  expect((await call(simulator, 'getTemplates')).json).toMatchObject({ templates: [{ status: 'APPROVED' }] });
  await decide({ status: 'REJECTED', reason: 'suspicious' });
  expect((await call(simulator, 'getTemplates')).json).toMatchObject({
    templates: [{ status: 'REJECTED', reason: 'suspicious' }],
  });
  await expect(control(simulator, 'POST', '/templates/none/decision', { status: 'APPROVED' })).rejects.toThrow('404');
});

test('the simulator answers an edit with a new id when configured, and notifies a late one under that id', async () => {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  await patch(simulator, { editAnswersNewId: true, settings: { webhookUrl: receiver.url } });
  const idMessage = await sendText(simulator, 'one');
  const edit = { chatId: CHAT, idMessage, message: 'two' };
  const inTime = (await call(simulator, 'editMessage', edit)).json as { idMessage: string };
  expect(inTime.idMessage).not.toBe(idMessage);
  await simulator.advance(16 * 60_000);
  const late = (await call(simulator, 'editMessage', edit)).json as { idMessage: string };
  await simulator.idle();
  expect(receiver.received.map(({ body }) => [body['idMessage'], body['status']])).toEqual([
    [late.idMessage, 'failed'],
  ]);
});

test('the simulator refuses edits of queued messages, and of unknown ones, in the two documented ways', async () => {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  await patch(simulator, { settings: { webhookUrl: receiver.url } });
  await patch(simulator, { state: 'yellowCard' });
  const idMessage = await sendText(simulator, 'one');
  expect((await call(simulator, 'editMessage', { chatId: CHAT, idMessage, message: 'two' })).status).toBe(200);
  await simulator.idle();
  expect(receiver.received.map(({ body }) => body['status'])).toEqual(['failed']);
  const unknown = await call(simulator, 'editMessage', { chatId: CHAT, idMessage: 'BAE5', message: 'two' });
  expect(unknown).toMatchObject({ status: 400, json: { message: 'Message by id not found' } });
});

test('the simulator returns authorized five seconds after a reboot, with its queue', async () => {
  const simulator = await aSimulator();
  await patch(simulator, { state: 'yellowCard' });
  await sendText(simulator, 'one');
  expect((await call(simulator, 'reboot')).json).toEqual({ isReboot: true });
  expect((await call(simulator, 'getStateInstance')).json).toEqual({ stateInstance: 'starting' });
  await simulator.advance(5000);
  expect(simulator.delivered()).toMatchObject([{ text: 'one' }]);
});

test('the simulator clears the queue', async () => {
  const simulator = await aSimulator();
  await patch(simulator, { state: 'notAuthorized' });
  await sendText(simulator, 'one');
  expect((await call(simulator, 'clearMessagesQueue')).json).toEqual({ isCleared: true });
  await patch(simulator, { state: 'authorized' });
  await simulator.advance(1000);
  expect(simulator.delivered()).toEqual([]);
});

test('the simulator refuses a taken port', async () => {
  const simulator = await aSimulator();
  await expect(aSimulator({ port: simulator.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('the simulator applies the rates of the operations unless it is started without them', async () => {
  const simulator = await aSimulator({ rateLimits: true });
  expect((await call(simulator, 'getStateInstance')).status).toBe(200);
  expect((await call(simulator, 'getStateInstance')).status).toBe(429);
  await patch(simulator, { rateLimits: false });
  expect((await call(simulator, 'getStateInstance')).status).toBe(200);
});

test.each([
  [403, { origin: 'https://page.example' }],
  [403, { origin: 'null' }],
  [403, { host: 'page.example:8090' }],
  [200, { host: 'simulator:8090' }],
  [200, { host: '127.0.0.1:8090' }],
  [200, { host: '[::1]:8090' }],
  [200, { host: 'localhost:8090' }],
])('the simulator answers %d to %o: it is not for web pages', async (status, headers) => {
  const simulator = await aSimulator();
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${simulator.url}${path}`, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.once('error', reject).end();
    });
  expect(await statusOf('/_sim/delivered')).toBe(status);
  expect(await statusOf('/waInstance1101000001/getStateInstance/simulator-token')).toBe(status);
});
