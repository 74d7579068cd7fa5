import { expect, test } from 'vitest';
import type { Simulator } from '../../src/simulator/index.js';
import {
  aDataFile,
  aSimulator,
  call,
  CHAT,
  control,
  patch,
  send,
  sendText,
  START_MS,
  type SimulatorResponse,
} from './cast.js';

interface Fetched {
  readonly receiptId: number;
  readonly body: { readonly status?: string; readonly idMessage: string };
}

async function fetched(simulator: Simulator): Promise<Fetched> {
  const response = await call(simulator, 'receiveNotification');
  expect(response.status, response.text).toBe(200);
  return response.json as Fetched;
}

function deletion(simulator: Simulator, receiptId: number): Promise<SimulatorResponse> {
  const path = `/waInstance1101000001/deleteNotification/simulator-token/${receiptId}`;
  return send(simulator.url + path, { verb: 'DELETE' });
}

/** Fetches and deletes all notifications. */
async function statuses(simulator: Simulator, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  while (seen.length < count) {
    const { receiptId, body } = await fetched(simulator);
    seen.push(body.status);
    expect((await deletion(simulator, receiptId)).json).toEqual({ result: true });
  }
  expect(await shownWaiting(simulator)).toBe(0);
  return seen;
}

async function shownWaiting(simulator: Simulator): Promise<number> {
  const { notifications } = (await control(simulator, 'GET', '/instances/1101000001')) as { notifications: unknown[] };
  return notifications.length;
}

/** Fetches while there is none; returns once the simulator has the request. */
async function asking(simulator: Simulator): Promise<{ readonly response: Promise<SimulatorResponse> }> {
  const before = simulator.requests().length;
  const response = send(`${simulator.url}/waInstance1101000001/receiveNotification/simulator-token?receiveTimeout=60`);
  // Every caller that awaits it gets the error.
  response.catch(() => undefined);
  await expect.poll(() => simulator.requests().length).toBe(before + 1);
  return { response };
}

/** Proves OUTBOX-6. */
test.each([
  [{ kind: 'drop' }, ['delivered']],
  [{ kind: 'double' }, ['sent', 'sent', 'delivered']],
  [{ kind: 'reorder' }, ['delivered', 'sent']],
])('the simulator plays %j on fetched notifications', async (fault, expected) => {
  const simulator = await aSimulator();
  await patch(simulator, { settings: { outgoingWebhook: 'yes' } });
  await control(simulator, 'POST', '/notifications/faults', fault);
  await sendText(simulator, 'one');
  await simulator.advance(1);
  expect(await statuses(simulator, expected.length)).toEqual(expected);
});

test('the simulator gives a delayed notification to a waiting caller as soon as it is due', async () => {
  const simulator = await aSimulator();
  await patch(simulator, { settings: { incomingWebhook: 'yes' } });
  await control(simulator, 'POST', '/notifications/faults', { kind: 'delay', ms: 3000 });
  await control(simulator, 'POST', '/instances/1101000001/incoming', { chatId: CHAT, textMessage: 'hello' });
  const { response } = await asking(simulator);
  expect(simulator.nextDueAtMs()).toBe(START_MS + 3000);
  await simulator.advance(3000);
  expect((await response).json).toMatchObject({ body: { typeWebhook: 'incomingMessageReceived' } });
});

test('the simulator knows deleted notifications after a restart', async () => {
  const options = { dataFile: aDataFile(), settings: { outgoingWebhook: 'yes' } } as const;
  const first = await aSimulator(options);
  await sendText(first, 'one');
  await first.advance(1);
  const { receiptId } = await fetched(first);
  await deletion(first, receiptId);
  await first.close();
  const second = await aSimulator(options);
  expect(await statuses(second, 1)).toEqual(['delivered']);
});

test('the simulator ignores a caller that disconnected during its wait', async () => {
  const simulator = await aSimulator();
  await patch(simulator, { settings: { incomingWebhook: 'yes' } });
  const hangUp = new AbortController();
  const url = `${simulator.url}/waInstance1101000001/receiveNotification/simulator-token`;
  const gone = fetch(url, { signal: hangUp.signal });
  await expect.poll(() => simulator.requests().length).toBe(1);
  hangUp.abort();
  await expect(gone).rejects.toThrow();
  await control(simulator, 'POST', '/instances/1101000001/incoming', { chatId: CHAT, textMessage: 'hello' });
  expect(await fetched(simulator)).toMatchObject({ body: { typeWebhook: 'incomingMessageReceived' } });
});

test('the simulator closes while a caller waits', async () => {
  const simulator = await aSimulator();
  const { response } = await asking(simulator);
  await simulator.close();
  await expect(response).rejects.toThrow();
});
