import { expect, onTestFinished, test } from 'vitest';
import { startGateway, type GatewayOptions, type TestGateway } from '../../src/testing/index.js';

const CHAT = '15550000001@c.us';

async function aGateway(options?: GatewayOptions): Promise<TestGateway> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

async function post({ instance }: TestGateway, method: string, body: object): Promise<number> {
  const { baseUrl, idInstance, apiTokenInstance } = instance;
  const url = `${baseUrl}/waInstance${idInstance}/${method}/${apiTokenInstance}`;
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

const send = (gateway: TestGateway, message: string) => post(gateway, 'sendMessage', { chatId: CHAT, message });

test("a test's gateway accepts a message, shows requests, and can be reset", async () => {
  const gateway = await aGateway({ idInstance: '7', apiTokenInstance: 'secret', speed: 50 });
  const { control } = gateway;
  expect(await control.clock()).toMatchObject({ speed: 50 });
  expect(await send(gateway, 'Hello')).toBe(200);
  await control.advanceMs(1_000);
  expect(await control.delivered(CHAT)).toMatchObject([{ text: 'Hello', idInstance: '7' }]);
  expect(await control.delivered('1@c.us')).toEqual([]);
  expect(await control.requests('sendMessage')).toMatchObject([{ status: 200 }]);
  expect(await control.requests()).toHaveLength(1);
  await control.reset();
  expect(await control.delivered()).toEqual([]);
});

test("faults, states and accounts change the gateway's responses", async () => {
  const gateway = await aGateway();
  const { control } = gateway;
  await control.addFault({ method: 'sendMessage', kind: 'status', status: 500 });
  await control.addFault({ kind: 'status', status: 503, times: 9 });
  expect(await send(gateway, 'Hello')).toBe(500);
  await control.clearFaults();
  expect(await send(gateway, 'Hello')).toBe(200);

  await control.patchInstance({ state: 'yellowCard', rateLimits: false });
  expect(await control.showInstance()).toMatchObject({ state: 'yellowCard', rateLimits: false });
  await control.setAccounts({ noAccount: [CHAT] });
  expect(await control.showInstance()).toMatchObject({ accounts: { noAccount: [CHAT] } });
  expect(await control.setSpeed(2)).toMatchObject({ speed: 2 });

  await control.outageMs(60_000);
  await expect(send(gateway, 'Hello')).rejects.toThrow('fetch failed');
});

test('contacts, the owner, the network and the reviewers act', async () => {
  const settings = { incomingWebhook: 'yes', outgoingMessageWebhook: 'yes', outgoingWebhook: 'yes' } as const;
  const gateway = await aGateway({ settings });
  const { control } = gateway;
  await control.addNotificationFault({ kind: 'drop', times: 2 });
  await control.clearNotificationFaults();
  await control.addNotificationFault({ kind: 'drop' });
  await control.incoming({ chatId: CHAT, textMessage: 'dropped' });
  const incoming = await control.incoming({ chatId: CHAT, textMessage: 'Hello' });
  const written = await control.sentFromPhone({ chatId: CHAT, textMessage: 'Hi' });
  await control.receipt({ idMessage: written, status: 'read' });
  const { notifications } = await control.showInstance();
  expect(notifications).toMatchObject([
    { body: { typeWebhook: 'incomingMessageReceived', idMessage: incoming } },
    { body: { typeWebhook: 'outgoingMessageReceived', idMessage: written } },
    { body: { typeWebhook: 'outgoingMessageStatus', status: 'read' } },
  ]);
  const unknown = control.decideTemplate('greeting', { status: 'APPROVED' });
  await expect(unknown).rejects.toThrow('refused POST templates/greeting/decision (HTTP 404): ');
  expect(await control.ask('POST', 'instances/1101000001/calls', { from: CHAT })).toHaveProperty('idMessage');
});
