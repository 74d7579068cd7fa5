import { expect, test } from 'vitest';
import type { Simulator } from '../../src/simulator/index.js';
import type { WebhookServer } from '../conformance/webhook-server.js';
import { aSimulator, aWebhookServer, control, MINUTE_MS, patch, sendText } from './cast.js';

async function aWatchedSimulator(): Promise<{ simulator: Simulator; receiver: WebhookServer }> {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  await patch(simulator, { settings: { webhookUrl: receiver.url, outgoingWebhook: 'yes' } });
  return { simulator, receiver };
}

function statuses({ received }: WebhookServer): unknown[] {
  return received.map(({ body }) => body['status']);
}

/** Proves OUTBOX-5. */
test.each([
  [{ kind: 'drop' }, ['delivered']],
  [{ kind: 'double' }, ['sent', 'sent', 'delivered']],
  [{ kind: 'reorder' }, ['delivered', 'sent']],
  [{ kind: 'drop', times: 2 }, []],
  [{ kind: 'drop', typeWebhook: 'incomingMessageReceived' }, ['sent', 'delivered']],
])('the simulator plays %j on the notifications of a send', async (fault, expected) => {
  const { simulator, receiver } = await aWatchedSimulator();
  await control(simulator, 'POST', '/notifications/faults', fault);
  await sendText(simulator, 'one');
  await simulator.advance(MINUTE_MS);
  expect(statuses(receiver)).toEqual(expected);
});

test('the simulator holds a delayed notification back for exactly its time', async () => {
  const { simulator, receiver } = await aWatchedSimulator();
  await control(simulator, 'POST', '/notifications/faults', { kind: 'delay', ms: 5000 });
  await sendText(simulator, 'one');
  await simulator.advance(4999);
  expect(statuses(receiver)).toEqual(['delivered']);
  await simulator.advance(1);
  expect(statuses(receiver)).toEqual(['delivered', 'sent']);
});

test('the simulator sends a reordered notification eventually when no other follows', async () => {
  const { simulator, receiver } = await aWatchedSimulator();
  await control(simulator, 'POST', '/notifications/faults', { kind: 'drop' });
  await control(simulator, 'POST', '/notifications/faults', { kind: 'reorder', ms: 3000 });
  await sendText(simulator, 'one');
  await simulator.advance(3000);
  expect(statuses(receiver)).toEqual(['delivered']);
});

test('the simulator plays no fault after the removal of all', async () => {
  const { simulator, receiver } = await aWatchedSimulator();
  await control(simulator, 'POST', '/notifications/faults', { kind: 'drop', times: 9 });
  await control(simulator, 'DELETE', '/notifications/faults');
  await sendText(simulator, 'one');
  await simulator.advance(1000);
  expect(statuses(receiver)).toEqual(['sent', 'delivered']);
});

test('the simulator keeps the order while the first notification is refused', async () => {
  const { simulator, receiver } = await aWatchedSimulator();
  receiver.responseStatus = 204;
  await sendText(simulator, 'one');
  await simulator.advance(30_000);
  expect(statuses(receiver)).toEqual(['sent']);
  receiver.responseStatus = 200;
  await simulator.advance(MINUTE_MS);
  expect(statuses(receiver)).toEqual(['sent', 'sent', 'delivered']);
});

test('the simulator retries after an unreachable receiver', async () => {
  const { simulator, receiver } = await aWatchedSimulator();
  await patch(simulator, { settings: { webhookUrl: 'http://127.0.0.1:1/' } });
  await sendText(simulator, 'one');
  await simulator.advance(1000);
  await patch(simulator, { settings: { webhookUrl: receiver.url } });
  await simulator.advance(MINUTE_MS);
  expect(statuses(receiver)).toEqual(['sent', 'delivered']);
});
