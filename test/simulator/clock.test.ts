import { expect, test } from 'vitest';
import {
  aSimulator,
  aWebhookServer,
  call,
  control,
  HOUR_MS,
  MINUTE_MS,
  patch,
  sendText,
  START_MS,
  texts,
} from './cast.js';
import { eventually } from '../support/eventually.js';

/** Proves SIMULATION-3. */
test('the simulator lets a day pass in one request, with every release at its own time', async () => {
  const simulator = await aSimulator({ settings: { delaySendMessagesMilliseconds: 15_000 } });
  for (const text of ['one', 'two', 'three']) await sendText(simulator, text);

  const clock = await control(simulator, 'POST', '/clock', { advanceMs: 24 * HOUR_MS });

  expect(clock).toMatchObject({ nowMs: START_MS + 24 * HOUR_MS, now: '2026-01-02T00:00:00.000Z', nextDueAtMs: null });
  expect(simulator.delivered().map(({ at }) => at)).toEqual([
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:15.000Z',
    '2026-01-01T00:00:30.000Z',
  ]);
});

test('the simulator shows its own clock in the Date header of every response', async () => {
  const simulator = await aSimulator();
  await simulator.advance(HOUR_MS);
  const gateway = await call(simulator, 'getStateInstance');
  const refusal = await call(simulator, 'noSuchMethod');
  expect(gateway.headers['date']).toBe('Thu, 01 Jan 2026 01:00:00 GMT');
  expect(refusal.headers['date']).toBe('Thu, 01 Jan 2026 01:00:00 GMT');
});

test('the simulator names the next due event, so that a stepper can go from one to the next', async () => {
  const simulator = await aSimulator({ settings: { delaySendMessagesMilliseconds: 10_000 } });
  await sendText(simulator, 'one');
  expect(simulator.nextDueAtMs()).toBeUndefined();
  await sendText(simulator, 'two');
  expect(simulator.nextDueAtMs()).toBe(START_MS + 10_000);
  await simulator.advance(10_000);
  expect(texts(simulator)).toEqual(['one', 'two']);
});

test('the simulator follows an injected clock', async () => {
  let nowMs = START_MS;
  const simulator = await aSimulator({ clock: { nowMs: () => nowMs } });
  await sendText(simulator, 'one');
  await sendText(simulator, 'two');
  expect(texts(simulator)).toEqual(['one']);
  nowMs += 500;
  expect(texts(simulator)).toEqual(['one', 'two']);
});

test("the simulator's clock never runs backwards, even if its source does", async () => {
  let nowMs = START_MS;
  const simulator = await aSimulator({ clock: { nowMs: () => nowMs } });
  nowMs -= HOUR_MS;
  expect(simulator.nowMs()).toBe(START_MS);
});

test("the simulator's clock multiplies the pace of its source from the request on", async () => {
  let nowMs = START_MS;
  const simulator = await aSimulator({ clock: { nowMs: () => nowMs } });
  await control(simulator, 'POST', '/clock', { speed: 60 });
  nowMs += 1000;
  expect(simulator.nowMs()).toBe(START_MS + MINUTE_MS);
});

test('the simulator runs due events by itself on a real clock', async () => {
  const simulator = await aSimulator({ clock: { nowMs: () => Date.now() } });
  const receiver = await aWebhookServer();
  await patch(simulator, { settings: { webhookUrl: receiver.url, outgoingWebhook: 'yes' } });
  await patch(simulator, { settings: { delaySendMessagesMilliseconds: 50 } });
  await sendText(simulator, 'one');
  const second = await sendText(simulator, 'two');
  await eventually(() =>
    expect(receiver.received.at(-1)?.body).toMatchObject({ idMessage: second, status: 'delivered' }),
  );
});

test("the simulator's time advances only when every notification is answered", async () => {
  const simulator = await aSimulator();
  const receiver = await aWebhookServer();
  await patch(simulator, { settings: { webhookUrl: receiver.url, outgoingWebhook: 'yes' } });
  receiver.responseStatus = 500;
  await sendText(simulator, 'one');
  await control(simulator, 'POST', '/clock', { advanceMs: 10 * MINUTE_MS });
  // Once at the start, and once a minute afterwards: the same one, because none overtakes it.
  expect(receiver.received.map(({ body }) => body['status'])).toEqual(Array.from({ length: 11 }, () => 'sent'));
});

test('the simulator refuses an empty clock request, and one that would stop time', async () => {
  const simulator = await aSimulator();
  for (const body of [{}, { speed: 0 }, { advanceMs: -1 }, { advanceMS: 1 }]) {
    await expect(control(simulator, 'POST', '/clock', body)).rejects.toThrow('400');
  }
});
