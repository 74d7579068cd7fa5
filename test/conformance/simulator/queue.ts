import { expect } from 'vitest';
import { CHAT, HOUR_MS, MINUTE_MS, OTHER_CHAT, SECOND_MS } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

const DELAY_MS = 5 * SECOND_MS;
const PDF = { chatId: CHAT, urlFile: 'https://files.example/report.pdf', fileName: 'report.pdf' };

async function withDelay(sim: SimulatorDriver): Promise<void> {
  await sim.settings({ delaySendMessagesMilliseconds: DELAY_MS });
}

/** A message, another item, and a message: the last one may leave only after the item between. */
async function expectToOccupy(sim: SimulatorDriver, between: () => Promise<unknown>): Promise<void> {
  await withDelay(sim);
  await sim.text('before');
  await between();
  await sim.text('behind');
  await sim.advance(2 * DELAY_MS - 1);
  expect(await sim.deliveredTexts(CHAT)).not.toContain('behind');
  await sim.advance(DELAY_MS);
  expect(await sim.deliveredTexts(CHAT)).toContain('behind');
}

/** Proves QUEUE-1 to QUEUE-4. */
onSimulator('queue.fifo-order', async (sim) => {
  await withDelay(sim);
  await sim.text('one');
  await sim.accepted('sendFileByUrl', { ...PDF, caption: 'two' });
  await sim.accepted('sendTextStatus', { message: 'three' });
  await sim.text('four', OTHER_CHAT);
  await sim.advance(MINUTE_MS);
  expect(await sim.deliveredTexts()).toEqual(['one', 'two', 'three', 'four']);
});

onSimulator('queue.status-occupies', async (sim) => {
  await expectToOccupy(sim, () => sim.accepted('sendTextStatus', { message: 'status' }));
});

onSimulator('queue.typing-occupies', async (sim) => {
  await expectToOccupy(sim, () => sim.post('sendTyping', { chatId: CHAT, typingTime: 1000 }));
});

onSimulator('queue.waits-until-authorized', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  expectOk(await sim.post('sendMessage', { chatId: CHAT, message: 'waiting' }));
  await sim.advance(HOUR_MS);
  expect(await sim.deliveredTexts()).toEqual([]);
});

onSimulator('queue.leaves-on-authorization', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.text('waiting');
  await sim.advance(HOUR_MS);
  await sim.instance({ state: 'authorized' });
  await sim.advance(1);
  expect(await sim.deliveredTexts()).toEqual(['waiting']);
});

onSimulator('queue.kept-24-hours', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.text('kept');
  await sim.advance(24 * HOUR_MS - MINUTE_MS);
  expect(await sim.queue()).toHaveLength(1);
  await sim.advance(2 * MINUTE_MS);
  expect(await sim.queue()).toEqual([]);
  await sim.instance({ state: 'authorized' });
  await sim.advance(HOUR_MS);
  expect(await sim.deliveredTexts()).toEqual([]);
});

onSimulator('limits.queue-retention', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.accepted('sendFileByUrl', PDF);
  await sim.accepted('sendTextStatus', { message: 'status' });
  await sim.advance(24 * HOUR_MS + MINUTE_MS);
  await sim.instance({ state: 'authorized' });
  await sim.advance(HOUR_MS);
  expect(await sim.delivered()).toEqual([]);
});

onSimulator('queue.release-by-delay', async (sim) => {
  await withDelay(sim);
  await sim.text('one');
  await sim.text('two');
  await sim.text('three');
  await sim.advance(DELAY_MS - 1);
  expect(await sim.deliveredTexts()).toEqual(['one']);
  await sim.advance(1);
  expect(await sim.deliveredTexts()).toEqual(['one', 'two']);
  await sim.advance(DELAY_MS - 1);
  expect(await sim.deliveredTexts()).toEqual(['one', 'two']);
  await sim.advance(1);
  expect(await sim.deliveredTexts()).toEqual(['one', 'two', 'three']);
});

onSimulator('outgoing.accepted-then-queued', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  const idMessage = await sim.text('waiting');
  await sim.advance(23 * HOUR_MS);
  expect((await sim.queue()).map((item) => item['messageID'])).toEqual([idMessage]);
  await sim.instance({ state: 'authorized' });
  await sim.advance(MINUTE_MS);
  expect(await sim.queue()).toEqual([]);
});

onSimulator('state.yellow-card-accepts', async (sim) => {
  await sim.instance({ state: 'yellowCard' });
  const idMessage = await sim.text('waiting');
  await sim.advance(HOUR_MS);
  expect((await sim.queue()).map((item) => item['messageID'])).toEqual([idMessage]);
  expect(await sim.delivered()).toEqual([]);
});
