import { expect } from 'vitest';
import { CHAT, HOUR_MS, MINUTE_MS, SECOND_MS, START_MS } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { onSimulator } from './assertions.js';

/** One notification of a known kind. */
async function notify(sim: SimulatorDriver): Promise<void> {
  await sim.incoming('hello');
  await sim.advance(SECOND_MS);
}

/** Proves OUTBOX-1 to OUTBOX-4. */
onSimulator('webhook.pushes-to-settings-address', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  await notify(sim);
  expect(webhook.received).toHaveLength(1);
  await sim.settings({ webhookUrl: '' });
  await notify(sim);
  await sim.advance(HOUR_MS);
  expect(webhook.received).toHaveLength(1);
});

onSimulator('webhook.post-json-with-charset', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  await notify(sim);
  expect(webhook.received).toHaveLength(1);
  expect(webhook.received[0]?.method).toBe('POST');
  expect(webhook.received[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
});

onSimulator('webhook.retry-every-minute', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  webhook.responseStatus = 500;
  await notify(sim);
  expect(webhook.received).toHaveLength(1);
  await sim.advance(MINUTE_MS - 2 * SECOND_MS);
  expect(webhook.received).toHaveLength(1);
  await sim.advance(2 * SECOND_MS);
  expect(webhook.received).toHaveLength(2);
  expect(webhook.received[1]?.body).toEqual(webhook.received[0]?.body);
});

onSimulator('limits.webhook-intervals', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  webhook.responseStatus = 503;
  await notify(sim);
  expect(webhook.received).toHaveLength(1);
  await sim.advance(10 * MINUTE_MS);
  expect(webhook.received).toHaveLength(11);
  webhook.responseStatus = 200;
  await sim.advance(MINUTE_MS);
  expect(webhook.received).toHaveLength(12);
  await sim.advance(HOUR_MS);
  expect(webhook.received).toHaveLength(12);
});

onSimulator('webhook.gives-up-after-24-hours', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  await sim.settings({ webhookUrl: '' });
  await notify(sim);
  await sim.advance(23 * HOUR_MS);
  webhook.responseStatus = 500;
  await sim.settings({ webhookUrl: webhook.url });
  await sim.advance(2 * MINUTE_MS);
  const tries = webhook.received.length;
  expect(tries).toBeGreaterThan(0);
  await sim.advance(2 * HOUR_MS);
  const afterADay = webhook.received.length;
  webhook.responseStatus = 200;
  await sim.advance(HOUR_MS);
  expect(webhook.received).toHaveLength(afterADay);
});

onSimulator('webhook.throughput-50-per-second', async (sim) => {
  const webhook = await sim.webhook({ incomingWebhook: 'yes' });
  await sim.settings({ webhookUrl: '' });
  for (let count = 0; count < 10; count += 1) await sim.incoming(`hello ${count}`);
  await sim.settings({ webhookUrl: webhook.url });
  await sim.idle();
  await sim.advance(179);
  expect(webhook.received.length).toBeLessThan(10);
  await sim.advance(SECOND_MS);
  expect(webhook.received).toHaveLength(10);
});

async function authorization(sim: SimulatorDriver, webhookUrlToken: string): Promise<string | undefined> {
  const webhook = await sim.webhook({ incomingWebhook: 'yes', webhookUrlToken });
  await notify(sim);
  expect(webhook.received).toHaveLength(1);
  return webhook.received[0]?.headers.authorization;
}

onSimulator('webhook.authorization.when-token-set', async (sim) => {
  expect(await authorization(sim, 'abc')).toBeDefined();
  expect(await authorization(sim, '')).toBeUndefined();
});

for (const [rowId, webhookUrlToken, header] of [
  ['webhook.authorization.basic', 'Basic dXNlcg==', 'Basic dXNlcg=='],
  ['webhook.authorization.bearer', 'Bearer abc', 'Bearer abc'],
  ['webhook.authorization.bearer-default', 'abc', 'Bearer abc'],
] as const) {
  onSimulator(rowId, async (sim) => expect(await authorization(sim, webhookUrlToken)).toBe(header));
}

onSimulator('webhook.authorization.bare-or-full', async (sim) => {
  const bare = await authorization(sim, 'abc');
  expect(await authorization(sim, 'Bearer abc')).toBe(bare);
});

/** The number of this kind's notifications from an action, with the flag on and off. */
export async function expectFlag(
  sim: SimulatorDriver,
  flag: string,
  typeWebhook: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const webhook = await sim.webhook({ [flag]: 'yes' });
  await act();
  await sim.advance(MINUTE_MS);
  const withFlag = webhook.ofType(typeWebhook).length;
  expect(withFlag).toBeGreaterThan(0);
  await sim.settings({ [flag]: 'no' });
  await act();
  await sim.advance(MINUTE_MS);
  expect(webhook.ofType(typeWebhook)).toHaveLength(withFlag);
}

for (const [rowId, typeWebhook, act] of [
  ['events.incomingWebhook', 'incomingMessageReceived', (sim) => sim.incoming('hello')],
  ['events.outgoingWebhook', 'outgoingMessageStatus', (sim) => sim.text('hello')],
  ['events.deviceWebhook', 'deviceInfo', (sim) => sim.happens('device')],
  ['notifications.outgoingAPIMessageWebhook', 'outgoingAPIMessageReceived', (sim) => sim.text('hello')],
  ['notifications.outgoingMessageWebhook', 'outgoingMessageReceived', (sim) => sim.phoneSent('hello')],
] as readonly [rowId: string, typeWebhook: string, act: (sim: SimulatorDriver) => Promise<unknown>][]) {
  const [, flag = ''] = rowId.split('.');
  onSimulator(rowId, (sim) => expectFlag(sim, flag, typeWebhook, () => act(sim)));
}

onSimulator('events.stateWebhook', async (sim) => {
  await expectFlag(sim, 'stateWebhook', 'statusInstanceChanged', async () => {
    await sim.instance({ state: 'notAuthorized' });
    await sim.instance({ state: 'authorized' });
  });
});

onSimulator('events.status-instance-changed', async (sim) => {
  const webhook = await sim.webhook({ stateWebhook: 'yes' });
  await sim.instance({ state: 'notAuthorized' });
  await sim.advance(SECOND_MS);
  expect(webhook.ofType('statusInstanceChanged')).toEqual([
    {
      typeWebhook: 'statusInstanceChanged',
      instanceData: {
        idInstance: expect.any(Number),
        wid: expect.stringMatching(/^\d+@c\.us$/),
        typeInstance: expect.any(String),
      },
      timestamp: START_MS / 1000,
      statusInstance: expect.any(String),
    },
  ]);
});

onSimulator('notifications.sent-status', async (sim) => {
  const webhook = await sim.webhook({ outgoingWebhook: 'yes' });
  const idMessage = await sim.text('hello');
  await sim.advance(MINUTE_MS);
  expect(webhook.ofType('outgoingMessageStatus')).toMatchObject([
    { chatId: CHAT, idMessage, status: 'sent', sendByApi: true },
    { chatId: CHAT, idMessage, status: 'delivered', sendByApi: true },
  ]);
});
