import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Simulator } from '../../src/simulator/index.js';
import { aSimulator, call, CHAT, control, sendText, texts } from './cast.js';
import { eventually } from '../support/eventually.js';

const TEXT = { chatId: CHAT, message: 'hello' };

async function fault(simulator: Simulator, given: Record<string, unknown>): Promise<void> {
  await control(simulator, 'POST', '/faults', { method: 'sendMessage', ...given });
}

test('loses the response of a send that it accepted, once, and then answers again', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'lose-answer' });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  expect(texts(simulator)).toEqual(['hello']);
  await sendText(simulator, 'again');
  expect(await control(simulator, 'GET', '/faults')).toEqual([]);
});

test('waits for the chat that it is meant for', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'reset', chatId: CHAT });
  await sendText(simulator, 'to someone else', '15550000099@c.us');
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('loses a send together with its response when the fault does not accept it', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'lose-answer', accepted: false });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  await simulator.advance(60_000);
  expect(texts(simulator)).toEqual([]);
});

test('holds the connection open before it loses the response when it is given a time', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'lose-answer', ms: 30 });
  const lost = expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  await eventually(() => expect(texts(simulator)).toEqual(['hello']));
  await lost;
});

test('accepts by its own clock after the caller has lost the response', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'reset', acceptAfterMs: 12_000 });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await simulator.advance(11_999);
  expect(texts(simulator)).toEqual([]);
  await simulator.advance(1);
  expect(texts(simulator)).toEqual(['hello']);
});

test('answers late with the id of the accepted send', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'late-answer', ms: 20 });
  const response = await call(simulator, 'sendMessage', TEXT);
  expect(response.json).toEqual({ idMessage: simulator.delivered()[0]?.idMessage });
});

test('resets the connection', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'reset' });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(texts(simulator)).toEqual([]);
});

test('breaks off in the middle of the response', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'half-answer' });
  await expect(call(simulator, 'sendMessage', TEXT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(texts(simulator)).toEqual(['hello']);
});

test('trickles the response byte by byte', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'trickle' });
  const response = await call(simulator, 'sendMessage', TEXT);
  expect(response.json).toEqual({ idMessage: simulator.delivered()[0]?.idMessage });
});

test('answers a given status, headers and body, with and without having accepted', async () => {
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

test('closes a kept connection exactly when it is used again', async () => {
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

test('plays a fault only on the operation it names, and none after it is taken back', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'status', status: 500 });
  expect((await call(simulator, 'getStateInstance')).status).toBe(200);
  await control(simulator, 'DELETE', '/faults');
  expect((await call(simulator, 'sendMessage', TEXT)).status).toBe(200);
});

test('refuses a fault with an unknown kind or field', async () => {
  const simulator = await aSimulator();
  await expect(fault(simulator, { kind: 'explode' })).rejects.toThrow("'kind' must be one of");
  await expect(fault(simulator, { kind: 'reset', time: 2 })).rejects.toThrow('unknown fields: time');
});

test('refuses connections during an outage, while the queue continues, and listens on the same port again', async () => {
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

test('closes its door for a given real time after answering the request for it', async () => {
  const simulator = await aSimulator();
  await control(simulator, 'POST', '/outage', { ms: 150 });
  await eventually(() => expect(call(simulator, 'getStateInstance')).rejects.toMatchObject({ code: 'ECONNREFUSED' }));
  await eventually(async () => expect((await call(simulator, 'getStateInstance')).status).toBe(200));
});

test('ends while a response is held back', async () => {
  const simulator = await aSimulator();
  await fault(simulator, { kind: 'late-answer', ms: 60_000 });
  const lost = expect(call(simulator, 'sendMessage', TEXT)).rejects.toThrow();
  await eventually(() => expect(simulator.requests()).toHaveLength(1));
  await simulator.close();
  await lost;
});
