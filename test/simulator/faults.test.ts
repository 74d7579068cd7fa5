import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Simulator } from '../../src/simulator/index.js';
import { aSimulator, call, CHAT, control, sendText, texts } from './cast.js';
import { eventually } from '../support/eventually.js';

const TEXT = { chatId: CHAT, message: 'hello' };

async function fault(simulator: Simulator, given: Record<string, unknown>): Promise<void> {
  await control(simulator, 'POST', '/faults', { method: 'sendMessage', ...given });
}

test('a fault loses the response of an accepted send, once', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'lose-answer' });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  expect(texts(simulator)).toEqual(['hello']);
  await sendText(simulator, 'again');
  expect(await control(simulator, 'GET', '/faults')).toEqual([]);
});

test('a fault waits for its chat', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'reset', chatId: CHAT });
  await sendText(simulator, 'to someone else', '15550000099@c.us');
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a fault holds the connection open for a given time before it loses the response', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'lose-answer', ms: 30 });
  const lost = expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  await eventually(() => expect(texts(simulator)).toEqual(['hello']));
  await lost;
});

test("a fault accepts by the simulator's clock after the caller has lost the response", async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'reset', acceptAfterMs: 12_000 });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await simulator.advance(11_999);
  expect(texts(simulator)).toEqual([]);
  await simulator.advance(1);
  expect(texts(simulator)).toEqual(['hello']);
});

test.each([
  [{ kind: 'reset' }, false],
  [{ kind: 'lose-answer', accepted: false }, false],
  [{ kind: 'half-answer' }, true],
])('a fault breaks the connection: %j', async (given, isAccepted) => {
  const simulator = await aSimulator();
  await fault(simulator, given);
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await simulator.advance(60_000);
  expect(texts(simulator)).toEqual(isAccepted ? ['hello'] : []);
});

test.each([{ kind: 'late-answer', ms: 20 }, { kind: 'trickle' }])(
  'a fault delays the response, which has the id of the accepted send: %j',
  async (given) => {
    const simulator = await aSimulator();
    await fault(simulator, given);
    const response = await call(simulator, 'sendMessage', TEXT);
    expect(response.json).toEqual({ idMessage: simulator.delivered()[0]?.idMessage });
  },
);

test('a fault answers with a given status, headers and body, accepted or not', async () => {
  const simulator = await aSimulator();
  const busy = { kind: 'status', status: 429, headers: { 'Retry-After': '7' }, body: 'Too Many Requests' };
  await fault(simulator, busy);
  const refused = await call(simulator, 'sendMessage', TEXT);
  expect(refused).toMatchObject({ status: 429, text: 'Too Many Requests' });
  expect(refused.headers['retry-after']).toBe('7');
  expect(texts(simulator)).toEqual([]);

  await fault(simulator, { kind: 'status', status: 502, accepted: true, times: 2 });
  expect((await call(simulator, 'sendMessage', TEXT)).status).toBe(502);
  expect((await call(simulator, 'sendMessage', TEXT)).status).toBe(502);
  expect((await call(simulator, 'sendMessage', TEXT)).status).toBe(200);
  await simulator.advance(1000);
  expect(texts(simulator)).toEqual(['hello', 'hello', 'hello']);
});

test('a fault closes a kept connection exactly when it is used again', async () => {
  const simulator = await aSimulator();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  await fault(simulator, { kind: 'close-on-reuse' });
  expect((await call(simulator, 'sendMessage', TEXT, { agent })).status).toBe(200);
  await expect(call(simulator, 'sendMessage', TEXT, { agent })).rejects.toThrow();
  expect(texts(simulator)).toEqual(['hello']);
  expect(simulator.requests().map(({ reusedConnection, status }) => [reusedConnection, status])).toEqual([
    [false, 200],
    [true, null],
  ]);
});

test('a fault applies only to its operation, and not after its removal', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'status', status: 500 });
  expect((await call(simulator, 'getStateInstance')).status).toBe(200);
  await control(simulator, 'DELETE', '/faults');
  expect((await call(simulator, 'sendMessage', TEXT)).status).toBe(200);
});

test('a fault with an unknown kind or field is refused', async () => {
  const simulator = await aSimulator();
  await expect(fault(simulator, { kind: 'explode' })).rejects.toThrow("'kind' must be one of");
  await expect(fault(simulator, { kind: 'reset', time: 2 })).rejects.toThrow('unknown fields: time');
});

test('an outage refuses connections, while the queue continues, and the simulator then listens on the same port again', async () => {
  const simulator = await aSimulator();
  await sendText(simulator, 'one');
  await sendText(simulator, 'two');
  await simulator.pauseListening();
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await simulator.advance(1000);
  expect(texts(simulator)).toEqual(['one', 'two']);
  await simulator.resumeListening();
  await sendText(simulator, 'three');
});

test('the simulator refuses connections for a given real time after it answered the request for that', async () => {
  const simulator = await aSimulator();
  await control(simulator, 'POST', '/outage', { ms: 150 });
  await eventually(() => expect(call(simulator, 'getStateInstance')).rejects.toMatchObject({ code: 'ECONNREFUSED' }));
  await eventually(async () => expect((await call(simulator, 'getStateInstance')).status).toBe(200));
});

test('the simulator closes while it holds a response back', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'late-answer', ms: 60_000 });
  const lost = expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  await eventually(() => expect(simulator.requests()).toHaveLength(1));
  await simulator.close();
  await lost;
});
