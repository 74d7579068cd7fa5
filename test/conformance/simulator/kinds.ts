import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, MINUTE_MS, OTHER_CHAT, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, expectValidationFailed, onSimulator } from './assertions.js';

const POLL: Json = GOOD.sendPoll.request;
const LOCATION: Json = GOOD.sendLocation.request;
const CONTACT: Json = GOOD.sendContact.request;
const OPTIONS = [{ optionName: 'yes' }, { optionName: 'no' }];
const CARD = {
  displayName: 'Ann Lee',
  vcard: expect.stringMatching(/^BEGIN:VCARD\n[^]*\nFN:Ann Lee\n[^]*waid=15550000003[^]*\nEND:VCARD$/) as unknown,
};
const PLACE = { latitude: 44.94, longitude: 34.1, nameLocation: 'Square', address: 'Main street 1' };

/** The one message on the phone from this send. */
async function delivered(sim: SimulatorDriver, method: string, body: Json): Promise<Json> {
  const idMessage = await sim.accepted(method, body);
  await sim.advance(MINUTE_MS);
  const messages = await sim.delivered();
  expect(messages.map((message) => message['idMessage'])).toEqual([idMessage]);
  return messages[0] as Json;
}

async function forward(sim: SimulatorDriver, messages: readonly string[], more: Json = {}): Promise<string[]> {
  const response = await sim.post('forwardMessages', { chatId: OTHER_CHAT, chatIdFrom: CHAT, messages, ...more });
  expectOk(response);
  const copies = (response.json as Json)['messages'];
  expect(copies).toHaveLength(messages.length);
  return copies as string[];
}

onSimulator('send-poll.accepted', async (sim) => {
  expect(await delivered(sim, 'sendPoll', { ...POLL, multipleAnswers: true })).toMatchObject({
    chatId: CHAT,
    kind: 'poll',
    typeMessage: 'pollMessage',
    text: 'Tea?',
    poll: { name: 'Tea?', options: OPTIONS, multipleAnswers: true },
  });
});

onSimulator('send-location.accepted', async (sim) => {
  expect(await delivered(sim, 'sendLocation', LOCATION)).toMatchObject({
    chatId: CHAT,
    kind: 'location',
    typeMessage: 'locationMessage',
    location: PLACE,
  });
});

onSimulator('send-contact.accepted', async (sim) => {
  expect(await delivered(sim, 'sendContact', CONTACT)).toMatchObject({
    chatId: CHAT,
    kind: 'contact',
    typeMessage: 'contactMessage',
    contact: CARD,
  });
});

onSimulator('send-contact.phone-digits', async (sim) => {
  for (const phoneContact of [15550000003, '155500000031']) {
    expectOk(await sim.post('sendContact', { chatId: CHAT, contact: { phoneContact } }));
  }
  for (const phoneContact of [undefined, '+15550000003', 1.5, 'Ann']) {
    expectValidationFailed(await sim.post('sendContact', { chatId: CHAT, contact: { phoneContact } }), 'phoneContact');
  }
});

onSimulator('forward.accepted', async (sim) => {
  const ids: string[] = [];
  for (const [method, body] of [
    ['sendMessage', { chatId: CHAT, message: 'words' }],
    ['sendFileByUrl', { chatId: CHAT, urlFile: 'https://files.example/a.jpg', fileName: 'a.jpg', caption: 'a' }],
    ['sendPoll', POLL],
    ['sendLocation', LOCATION],
    ['sendContact', CONTACT],
  ] as const) {
    ids.push(await sim.accepted(method, body));
  }
  await sim.advance(MINUTE_MS);
  const copies: string[] = [];
  for (const id of ids) copies.push(...(await forward(sim, [id])));
  await sim.advance(MINUTE_MS);
  const originals = await sim.delivered(CHAT);
  expect(originals).toHaveLength(ids.length);
  expect(await sim.delivered(OTHER_CHAT)).toMatchObject(
    originals.map(({ idMessage: _, chatId: _from, kind: _kind, at: _at, ...content }, index) => ({
      ...content,
      idMessage: copies[index],
      kind: 'forward',
    })),
  );
});

onSimulator('forward.several', async (sim) => {
  const ids = [await sim.text('one'), await sim.text('two')];
  await sim.advance(MINUTE_MS);
  const copies = await forward(sim, ids);
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered(OTHER_CHAT)).toMatchObject([
    { idMessage: copies[0], text: 'one' },
    { idMessage: copies[1], text: 'two' },
  ]);
});

onSimulator('forward.marked', async (sim) => {
  const webhook = await sim.webhook();
  const id = await sim.text('words');
  await sim.advance(MINUTE_MS);
  await sim.settings({ outgoingAPIMessageWebhook: 'yes' });
  const [idMessage] = await forward(sim, [id]);
  await sim.advance(MINUTE_MS);
  expect(await sim.delivered(OTHER_CHAT)).toMatchObject([{ idMessage, isForwarded: true }]);
  expect((await sim.delivered(CHAT))[0]).not.toHaveProperty('isForwarded');
  const entry = await sim.post('getMessage', { chatId: OTHER_CHAT, idMessage });
  expect(entry.json).toMatchObject({ typeMessage: 'textMessage', textMessage: 'words', isForwarded: true });
  expect(webhook.ofType('outgoingAPIMessageReceived')).toMatchObject([
    { idMessage, messageData: { textMessageData: { textMessage: 'words', isForwarded: true } } },
  ]);
});

onSimulator('forward.known-only', async (sim) => {
  const webhook = await sim.webhook();
  const elsewhere = await sim.text('words', OTHER_CHAT);
  await sim.advance(MINUTE_MS);
  for (const id of ['BAE5FFFFFFFFFFFF', elsewhere]) await forward(sim, [id]);
  await sim.advance(MINUTE_MS);
  expect(await sim.deliveredTexts(OTHER_CHAT)).toEqual(['words']);
  const failed = webhook.ofType('outgoingMessageStatus').filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(2);
});

/** A message in both journals. */
async function journalled(sim: SimulatorDriver, method: string, body: Json): Promise<Json[]> {
  const idMessage = await sim.accepted(method, body);
  await sim.advance(MINUTE_MS);
  const one = await sim.post('getMessage', { chatId: CHAT, idMessage });
  const recent = (await sim.get('lastOutgoingMessages')).json as Json[];
  return [one.json as Json, ...recent];
}

const POLL_DATA = { name: 'Tea?', options: OPTIONS, multipleAnswers: false };

for (const [rowId, method, body, shown] of [
  ['journal.poll', 'sendPoll', POLL, { typeMessage: 'pollMessage', pollMessageData: POLL_DATA }],
  ['journal.location', 'sendLocation', LOCATION, { typeMessage: 'locationMessage', location: PLACE }],
  ['journal.contact', 'sendContact', CONTACT, { typeMessage: 'contactMessage', contact: CARD }],
] as const) {
  onSimulator(rowId, async (sim) => {
    const entry = { ...shown, sendByApi: true };
    expect(await journalled(sim, method, body)).toMatchObject([entry, entry]);
  });
}

/** The content of outgoingAPIMessageReceived for one send. */
async function notified(sim: SimulatorDriver, method: string, body: Json, settings: Json = {}): Promise<unknown[]> {
  const webhook = await sim.webhook({ outgoingAPIMessageWebhook: 'yes', ...settings });
  await sim.accepted(method, body);
  await sim.advance(MINUTE_MS);
  return webhook.ofType('outgoingAPIMessageReceived').map(({ messageData }) => messageData);
}

for (const [rowId, method, body, messageData] of [
  ['notifications.poll', 'sendPoll', POLL, { typeMessage: 'pollMessage', pollMessageData: POLL_DATA }],
  ['notifications.location', 'sendLocation', LOCATION, { typeMessage: 'locationMessage', locationMessageData: PLACE }],
  ['notifications.contact', 'sendContact', CONTACT, { typeMessage: 'contactMessage', contactMessageData: CARD }],
] as const) {
  onSimulator(rowId, async (sim) => {
    expect(await notified(sim, method, body, { pollMessageWebhook: 'yes' })).toEqual([messageData]);
  });
}

onSimulator('notifications.poll-needs-setting', async (sim) => {
  expect(await notified(sim, 'sendPoll', POLL)).toEqual([]);
  expect(await notified(sim, 'sendPoll', POLL, { pollMessageWebhook: 'yes' })).toHaveLength(1);
});
