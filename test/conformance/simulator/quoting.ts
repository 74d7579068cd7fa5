import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, MINUTE_MS, OTHER_CHAT } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

const FILE = GOOD.sendFileByUrl.request;

/** Whether a file that quotes this id arrives on the phone. */
async function quotes(sim: SimulatorDriver, quotedMessageId: string): Promise<boolean> {
  const response = await sim.post('sendFileByUrl', { ...FILE, quotedMessageId });
  const { idMessage } = (response.json ?? {}) as { idMessage?: string };
  await sim.advance(MINUTE_MS);
  return (await sim.delivered()).some((message) => message['idMessage'] === idMessage);
}

onSimulator('quote.known-only', async (sim) => {
  const known = await sim.text('known');
  expect(await quotes(sim, known)).toBe(true);
  expect(await quotes(sim, 'BAE5FFFFFFFFFFFF')).toBe(false);
});

for (const [rowId, flag, comes] of [
  ['quote.incoming-needs-setting', 'incomingWebhook', 'incoming'],
  ['quote.phone-sent-needs-setting', 'outgoingMessageWebhook', 'phoneSent'],
] as const) {
  onSimulator(rowId, async (sim) => {
    await sim.settings({ [flag]: 'no' });
    const unseen = await sim[comes]('while off');
    await sim.settings({ [flag]: 'yes' });
    const seen = await sim[comes]('while on');
    expect(await quotes(sim, seen)).toBe(true);
    expect(await quotes(sim, unseen)).toBe(false);
  });
}

onSimulator('quote.same-chat', async (sim) => {
  const elsewhere = await sim.text('elsewhere', OTHER_CHAT);
  expect(await quotes(sim, elsewhere)).toBe(false);
});

onSimulator('quote.invalid-answers-200', async (sim) => {
  const response = await sim.post('sendFileByUrl', { ...FILE, quotedMessageId: 'BAE5FFFFFFFFFFFF' });
  expectOk(response);
  expect(response.json).toEqual({ idMessage: expect.any(String) });
});

onSimulator('send-message.quote', async (sim) => {
  const webhook = await sim.webhook({ outgoingWebhook: 'yes' });
  const idMessage = await sim.text('response', CHAT, { quotedMessageId: 'BAE5FFFFFFFFFFFF' });
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered()).toEqual([]);
  expect(webhook.received.map(({ body }) => body)).toMatchObject([{ idMessage, status: 'failed' }]);
});
