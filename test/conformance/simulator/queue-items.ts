import { expect } from 'vitest';
import { CHAT, GROUP, OTHER_CHAT, type Json } from '../scene.js';
import type { SimulatorDriver } from '../simulator-driver.js';
import { expectOk, onSimulator } from './assertions.js';

const CONTACT = { phoneContact: 15550000003, firstName: 'Ann', middleName: 'B', lastName: 'Lee', company: 'Books' };
const FILE = { chatId: CHAT, urlFile: 'https://files.example/a.jpg', fileName: 'a.jpg', caption: 'words' };
const LOCATION = { chatId: CHAT, latitude: 44.94, longitude: 34.1, nameLocation: 'Square', address: 'Main street 1' };
const POLL = { chatId: CHAT, message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }] };

/** Queues one request while the phone is offline and returns its listed item. */
async function listed(sim: SimulatorDriver, method: string, body: Json): Promise<{ item: Json; response: Json }> {
  await sim.instance({ state: 'notAuthorized' });
  const response = await sim.post(method, body);
  expectOk(response);
  const queue = await sim.queue();
  expect(queue).toHaveLength(1);
  return { item: queue[0] as Json, response: response.json as Json };
}

/** An item of each kind with every possible field. */
export async function queueOfEveryKind(sim: SimulatorDriver): Promise<Json[]> {
  const quotedMessageId = await sim.text('quoted');
  await sim.advance(60_000);
  await sim.instance({ state: 'notAuthorized' });
  await sim.text('words', CHAT, { quotedMessageId });
  await sim.accepted('sendPoll', POLL);
  await sim.accepted('sendFileByUrl', FILE);
  await sim.accepted('sendLocation', LOCATION);
  await sim.accepted('sendContact', { chatId: CHAT, contact: CONTACT });
  await sim.accepted('sendLink', { chatId: CHAT, urlLink: 'https://example.com' });
  expectOk(await sim.post('forwardMessages', { chatId: OTHER_CHAT, chatIdFrom: CHAT, messages: [quotedMessageId] }));
  return await sim.queue();
}

onSimulator('queue-item.messageID', async (sim) => {
  const { item, response } = await listed(sim, 'sendMessage', { chatId: CHAT, message: 'words' });
  expect(item['messageID']).toBe(response['idMessage']);
});

onSimulator('queue-item.messagesIDs', async (sim) => {
  const forwarded = await sim.text('forward me');
  await sim.advance(60_000);
  const { item, response } = await listed(sim, 'forwardMessages', {
    chatId: OTHER_CHAT,
    chatIdFrom: CHAT,
    messages: [forwarded],
  });
  expect(item['messagesIDs']).toEqual(response['messages']);
  expect(item).not.toHaveProperty('messageID');
});

onSimulator('queue-item.type', async (sim) => {
  expect((await queueOfEveryKind(sim)).map((item) => item['type'])).toEqual([
    'sendMessage',
    'sendPoll',
    'sendFileByUrl',
    'sendLocation',
    'sendContact',
    'sendLink',
    'ForwardMessages',
  ]);
});

onSimulator('queue-item.body', async (sim) => {
  const { item } = await listed(sim, 'sendMessage', { chatId: GROUP, message: 'words' });
  expect(item['body']).toMatchObject({ chatId: GROUP });
});

for (const [kind, type, request, body] of [
  ['send-message', 'sendMessage', { chatId: CHAT, message: 'words', linkPreview: false }],
  ['send-poll', 'sendPoll', POLL],
  ['send-file-by-url', 'sendFileByUrl', FILE, { ...FILE, archive: expect.any(Boolean) }],
  ['send-location', 'sendLocation', LOCATION],
  ['send-contact', 'sendContact', { chatId: CHAT, contact: CONTACT }],
  ['send-link', 'sendLink', { chatId: CHAT, urlLink: 'https://example.com' }],
] as readonly [kind: string, type: string, request: Json, body?: Json][]) {
  onSimulator(`queue-item.${kind}.body`, async (sim) => {
    const { item } = await listed(sim, type, request);
    expect(item).toMatchObject({ type });
    expect(item['body']).toEqual(body ?? request);
  });
}

onSimulator('queue-item.forward-messages.body', async (sim) => {
  const forwarded = await sim.text('forward me');
  await sim.advance(60_000);
  const request = { chatId: OTHER_CHAT, chatIdFrom: CHAT, messages: [forwarded] };
  const { item } = await listed(sim, 'forwardMessages', request);
  expect(item).toMatchObject({ type: 'ForwardMessages' });
  expect(item['body']).toEqual(request);
});

onSimulator('queue-item.quoted-kinds', async (sim) => {
  const quotedMessageId = await sim.text('quoted');
  await sim.advance(60_000);
  await sim.instance({ state: 'notAuthorized' });
  const quoting = { chatId: CHAT, quotedMessageId };
  await sim.accepted('sendMessage', { ...quoting, message: 'words' });
  await sim.accepted('sendPoll', { ...POLL, ...quoting });
  await sim.accepted('sendFileByUrl', { ...FILE, ...quoting });
  await sim.accepted('sendLocation', { ...LOCATION, ...quoting });
  await sim.accepted('sendContact', { ...quoting, contact: CONTACT });
  await sim.accepted('sendLink', { ...quoting, urlLink: 'https://example.com' });
  const quoted = (await sim.queue()).map((item) => (item['body'] as Json)['quotedMessageId']);
  expect(quoted).toEqual(Array.from({ length: 6 }, () => quotedMessageId));
});

onSimulator('queue-item.contact.number-form', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  for (const phoneContact of [15550000003, '155500000031']) {
    await sim.accepted('sendContact', { chatId: CHAT, contact: { ...CONTACT, phoneContact } });
  }
  const contacts = (await sim.queue()).map((item) => (item['body'] as Json)['contact'] as Json);
  expect(contacts.map((contact) => contact['phoneContact'])).toEqual([15550000003, '155500000031']);
});

onSimulator('queue-item.only-documented-kinds', async (sim) => {
  await sim.instance({ state: 'notAuthorized' });
  await sim.accepted('sendTextStatus', { message: 'status' });
  expectOk(await sim.post('sendTyping', { chatId: CHAT, typingTime: 1000 }));
  await sim.text('words');
  expect((await sim.queue()).map((item) => item['type'])).toEqual(['sendMessage']);
});
