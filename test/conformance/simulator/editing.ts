import { expect } from 'vitest';
import { CHAT, HOUR_MS, MINUTE_MS, SECOND_MS, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

const IN_TIME_MS = 15 * MINUTE_MS - SECOND_MS;
const TOO_LATE_MS = 15 * MINUTE_MS + SECOND_MS;
const STATUS_FLAGS = { outgoingWebhook: 'yes', outgoingAPIMessageWebhook: 'yes', editedMessageWebhook: 'yes' };

/** A text that leaves the queue at the start of the test. */
async function sentText(sim: SimulatorDriver, text = 'old'): Promise<string> {
  const idMessage = await sim.text(text);
  await sim.idle();
  return idMessage;
}

async function edit(sim: SimulatorDriver, idMessage: string, message = 'new'): Promise<string> {
  const responded = await sim.accepted('editMessage', { chatId: CHAT, idMessage, message });
  await sim.advance(MINUTE_MS);
  return responded;
}

/** The text on the phone: that of the message's last edit, or its own. */
async function shownText(sim: SimulatorDriver, idMessage: string): Promise<unknown> {
  const [message] = (await sim.delivered(CHAT)).filter((delivered) => delivered['idMessage'] === idMessage);
  expect(message).toBeDefined();
  const edits = message?.['edits'] as Json[];
  return edits.at(-1)?.['text'] ?? message?.['text'];
}

/** Proves SIMEDIT-1 to SIMEDIT-3. */
onSimulator('edit.inside-window', async (sim) => {
  const idMessage = await sentText(sim);
  await sim.advance(IN_TIME_MS);
  await edit(sim, idMessage);
  expect(await shownText(sim, idMessage)).toBe('new');
});

onSimulator('edit.window-15-minutes', async (sim) => {
  const idMessage = await sentText(sim);
  await sim.advance(TOO_LATE_MS);
  await edit(sim, idMessage);
  expect(await shownText(sim, idMessage)).toBe('old');
});

onSimulator('limits.edit-window', async (sim) => {
  const idMessage = await sentText(sim, 'first');
  await sim.advance(IN_TIME_MS);
  await edit(sim, idMessage, 'second');
  await sim.advance(2 * SECOND_MS);
  await edit(sim, idMessage, 'third');
  expect(await shownText(sim, idMessage)).toBe('second');
});

onSimulator('edit.window-counts-from-sending', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  const idMessage = await sim.text('old');
  await sim.advance(HOUR_MS);
  await sim.instance({ state: 'authorized' });
  await sim.advance(14 * MINUTE_MS);
  await edit(sim, idMessage);
  expect(await shownText(sim, idMessage)).toBe('new');
});

onSimulator('edit.no-second-message', async (sim) => {
  const idMessage = await sentText(sim);
  await edit(sim, idMessage);
  const messages = await sim.delivered(CHAT);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.['edits']).toHaveLength(1);
});

onSimulator('edit.late-answers-200', async (sim) => {
  const idMessage = await sentText(sim);
  await sim.advance(TOO_LATE_MS);
  const response = await sim.post('editMessage', { chatId: CHAT, idMessage, message: 'new' });
  expectOk(response);
  expect(response.json).toEqual({ idMessage: expect.any(String) });
});

async function refusals(sim: SimulatorDriver, afterMs: number): Promise<{ responded: string; notices: Json[] }> {
  const webhook = await sim.webhook(STATUS_FLAGS);
  const idMessage = await sentText(sim);
  await sim.advance(afterMs);
  const responded = await edit(sim, idMessage);
  const failed = webhook.ofType('outgoingMessageStatus').filter(({ status }) => status === 'failed');
  return { responded, notices: failed };
}

onSimulator('edit.late-refusal-notice', async (sim) => {
  const { responded, notices } = await refusals(sim, TOO_LATE_MS);
  expect(notices.map((notice) => notice['idMessage'])).toEqual([responded]);
});

onSimulator('events.edit-refused', async (sim) => {
  expect((await refusals(sim, IN_TIME_MS)).notices).toHaveLength(0);
  expect((await refusals(sim, TOO_LATE_MS)).notices).toHaveLength(1);
});

onSimulator('edit.message-utf8', async (sim) => {
  const idMessage = await sentText(sim);
  await edit(sim, idMessage, 'Привет 👋🏽');
  expect(await shownText(sim, idMessage)).toBe('Привет 👋🏽');
});

/** An edit that is answered 200, changes nothing and is refused by a notification. */
async function expectRefusedByNotice(sim: SimulatorDriver, idMessage: string): Promise<void> {
  const webhook = await sim.webhook(STATUS_FLAGS);
  await edit(sim, idMessage);
  const [message] = (await sim.delivered()).filter((delivered) => delivered['idMessage'] === idMessage);
  expect(message?.['edits'] ?? []).toEqual([]);
  expect(webhook.ofType('outgoingMessageStatus').map(({ status }) => status)).toEqual(['failed']);
}

onSimulator('edit.only-text', async (sim) => {
  const file = { chatId: CHAT, urlFile: 'https://files.example/a.jpg', fileName: 'a.jpg', caption: 'old' };
  const idMessage = await sim.accepted('sendFileByUrl', file);
  await sim.advance(MINUTE_MS);
  await expectRefusedByNotice(sim, idMessage);
});

onSimulator('edit.only-sent-through-api', async (sim) => {
  await sim.settings({ outgoingMessageWebhook: 'yes' });
  const idMessage = await sim.phoneSent('old');
  await expectRefusedByNotice(sim, idMessage);
});

onSimulator('notifications.edited', async (sim) => {
  const webhook = await sim.webhook(STATUS_FLAGS);
  const idMessage = await sentText(sim);
  await edit(sim, idMessage);
  const edited = webhook.received
    .map(({ body }) => body['messageData'] as Json | undefined)
    .filter((data) => data?.['typeMessage'] === 'editedMessage');
  expect(edited).toHaveLength(1);
  expect(edited[0]?.['editedMessageData']).toMatchObject({ textMessage: 'new', stanzaId: idMessage });
});

onSimulator('journal.get-message', async (sim) => {
  const idMessage = await sentText(sim);
  await edit(sim, idMessage);
  const response = await sim.post('getMessage', { chatId: CHAT, idMessage });
  expectOk(response);
  expect(response.json).toMatchObject({ idMessage, textMessage: 'new', isEdited: true });
});
