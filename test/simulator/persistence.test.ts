import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSimulator } from '../../src/simulator/index.js';
import {
  aDataFile,
  aSimulator,
  aWebhookServer,
  call,
  CHAT,
  control,
  HOUR_MS,
  patch,
  sendText,
  START_MS,
  texts,
} from './cast.js';
import { TEMPLATE } from '../support/template.js';

/** Proves MODEL-1, MODEL-2, SIMULATION-1 and SIMULATION-2. */
test('the file contains the whole gateway at any moment, so a kill loses nothing', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile, settings: { delaySendMessagesMilliseconds: 60_000 } });
  const sent = await sendText(first, 'sent');
  const queued = await sendText(first, 'queued');
  await call(first, 'editMessage', { chatId: CHAT, idMessage: sent, message: 'edited' });
  await call(first, 'createTemplate', TEMPLATE);
  await control(first, 'POST', '/templates/order_ready/decision', { status: 'APPROVED' });
  await patch(first, { state: 'yellowCard' });

  // A killed process leaves the file as it is at that moment; the first simulator is not closed before the copy.
  const copied = aDataFileFrom(dataFile);
  const second = await aSimulator({ dataFile: copied, settings: { delaySendMessagesMilliseconds: 60_000 } });

  expect(second.delivered()).toEqual(first.delivered());
  expect(texts(second)).toEqual(['edited']);
  for (const method of [
    'showMessagesQueue',
    'getTemplates',
    'getSettings',
    'getStateInstance',
    'lastOutgoingMessages',
  ]) {
    expect((await call(second, method)).text, method).toBe((await call(first, method)).text);
  }
  await patch(second, { state: 'authorized' });
  await second.advance(HOUR_MS);
  expect(second.delivered().map(({ idMessage }) => idMessage)).toEqual([sent, queued]);
});

test('no id is given twice, neither after a restart nor by another simulator', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile });
  const before = await sendText(first, 'before');
  const second = await aSimulator({ dataFile: aDataFileFrom(dataFile) });
  const after = await sendText(second, 'after');
  const elsewhere = await sendText(await aSimulator(), 'elsewhere');
  expect(new Set([before, after, elsewhere]).size).toBe(3);
});

test("a restart continues with the simulator's time, including advances and the time that passed meanwhile", async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile });
  await first.advance(HOUR_MS);
  const later = { nowMs: () => START_MS + 5000 };
  const second = await aSimulator({ dataFile: aDataFileFrom(dataFile), clock: later });
  expect(second.nowMs()).toBe(START_MS + HOUR_MS + 5000);
});

test('an event that was due during the downtime happens at its own time', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile, settings: { delaySendMessagesMilliseconds: 10_000 } });
  await sendText(first, 'one');
  await sendText(first, 'two');
  const second = await aSimulator({
    dataFile: aDataFileFrom(dataFile),
    clock: { nowMs: () => START_MS + HOUR_MS },
    settings: { delaySendMessagesMilliseconds: 10_000 },
  });
  expect(second.delivered().map(({ at }) => at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:10.000Z']);
});

test('a restart replays the requests up to a line that a kill truncated', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile });
  await sendText(first, 'whole');
  const copied = aDataFileFrom(dataFile);
  appendFileSync(copied, '{"number":3,"atMs":17672');
  const second = await aSimulator({ dataFile: copied });
  await sendText(second, 'next');
  await second.advance(1000);
  const third = await aSimulator({ dataFile: aDataFileFrom(copied) });
  expect(texts(third)).toEqual(['whole', 'next']);
});

test('a file that is damaged before its last line is refused, with the line', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile });
  await sendText(first, 'one');
  const damaged = aDataFileFrom(dataFile);
  const lines = readFileSync(damaged, 'utf8').split('\n');
  writeFileSync(damaged, [lines[0], 'no json', ...lines.slice(2)].join('\n'));
  await expect(startSimulator({ dataFile: damaged })).rejects.toThrow(/damaged at line 2\. Move it away/);
});

test('changed settings stay after a restart with the same start settings, which other start settings replace', async () => {
  const dataFile = aDataFile();
  const settings = { delaySendMessagesMilliseconds: 1000 };
  const first = await aSimulator({ dataFile, settings });
  await call(first, 'setSettings', { delaySendMessagesMilliseconds: 2000 });

  const same = await aSimulator({ dataFile: aDataFileFrom(dataFile), settings });
  expect((await call(same, 'getSettings')).json).toMatchObject({ delaySendMessagesMilliseconds: 2000 });

  const other = await aSimulator({
    dataFile: aDataFileFrom(dataFile),
    settings: { webhookUrl: 'http://127.0.0.1:1/' },
  });
  expect((await call(other, 'getSettings')).json).toMatchObject({
    delaySendMessagesMilliseconds: 2000,
    webhookUrl: 'http://127.0.0.1:1/',
  });
});

test('a restart pushes the notifications that were not accepted yet, and no others', async () => {
  const dataFile = aDataFile();
  const receiver = await aWebhookServer();
  const first = await aSimulator({ dataFile });
  await patch(first, { settings: { webhookUrl: receiver.url, outgoingWebhook: 'yes' } });
  const taken = await sendText(first, 'taken');
  await first.advance(1000);
  receiver.responseStatus = 503;
  const refused = await sendText(first, 'refused');
  await first.idle();
  await first.close();

  receiver.responseStatus = 200;
  receiver.received.length = 0;
  const second = await aSimulator({ dataFile });
  await second.advance(2 * 60_000);
  expect(receiver.received.map(({ body }) => [body['idMessage'], body['status']])).toEqual([
    [refused, 'sent'],
    [refused, 'delivered'],
  ]);
  expect(taken).not.toBe(refused);
});

test('a request that is accepted later is accepted although the gateway restarts in between', async () => {
  const dataFile = aDataFile();
  const first = await aSimulator({ dataFile });
  await control(first, 'POST', '/faults', { method: 'sendMessage', kind: 'lose-answer', acceptAfterMs: 10_000 });
  await expect(sendText(first, 'late')).rejects.toThrow();
  const second = await aSimulator({ dataFile: aDataFileFrom(dataFile) });
  expect(texts(second)).toEqual([]);
  await second.advance(10_000);
  expect(texts(second)).toEqual(['late']);
});

test('a reset restores the settings of the start', async () => {
  const dataFile = aDataFile();
  const simulator = await aSimulator({ dataFile, settings: { delaySendMessagesMilliseconds: 700 } });
  await sendText(simulator, 'one');
  await call(simulator, 'setSettings', { delaySendMessagesMilliseconds: 900 });
  await simulator.advance(HOUR_MS);
  await control(simulator, 'POST', '/reset');
  expect(simulator.delivered()).toEqual([]);
  expect(simulator.requests()).toEqual([]);
  expect(simulator.nowMs()).toBe(START_MS);
  expect((await call(simulator, 'getSettings')).json).toMatchObject({ delaySendMessagesMilliseconds: 700 });
  const restarted = await aSimulator({
    dataFile: aDataFileFrom(dataFile),
    settings: { delaySendMessagesMilliseconds: 700 },
  });
  expect(restarted.delivered()).toEqual([]);
});

function aDataFileFrom(dataFile: string): string {
  const copy = `${dataFile}.${copies++}`;
  copyFileSync(dataFile, copy);
  return copy;
}
let copies = 0;
