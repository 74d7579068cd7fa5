import { expect } from 'vitest';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import { CHAT, INSTANCE, TOKEN, type Json } from '../scene.js';
import { expectError, expectRefused, expectSent, onClient } from './assertions.js';

const POLL: Json = GOOD.sendPoll.request;
const LOCATION: Json = GOOD.sendLocation.request;
const CONTACT: Json = GOOD.sendContact.request;
const FORWARD: Json = GOOD.forwardMessages.request;

/** Sent whole, to the path of its operation; the id of the response is read. */
function onAccepted(rowId: string, operation: keyof typeof GOOD, request: Json, idMessage: string): void {
  onClient(rowId, async (client) => {
    client.responses(GOOD[operation].response);
    expect(await client.call(operation, request)).toMatchObject({ idMessage });
    expect(client.recorder.requests).toMatchObject([
      { verb: 'POST', path: `/waInstance${INSTANCE}/${operation}/${TOKEN}`, json: request },
    ]);
  });
}

const WHOLE_POLL = { ...POLL, multipleAnswers: true, quotedMessageId: 'BAE5000000000003', typingTime: 2000 };
onAccepted('send-poll.accepted', 'sendPoll', WHOLE_POLL, 'BAE5000000000001');
onAccepted('send-location.accepted', 'sendLocation', { ...LOCATION, quotedMessageId: 'BAE5' }, 'BAE5000000000001');
onAccepted('send-contact.accepted', 'sendContact', { ...CONTACT, quotedMessageId: 'BAE5' }, 'BAE5000000000001');
onAccepted('forward.accepted', 'forwardMessages', { ...FORWARD, typingTime: 2000 }, 'BAE5000000000002');

onClient('send-contact.phone-digits', async (client) => {
  expect(client.warnings('sendContact', CONTACT)).toEqual([]);
  const short = { chatId: CHAT, contact: { phoneContact: 4712345678 } };
  expect(client.warnings('sendContact', short).join()).toContain('11 or 12 digits');
  expect(await expectSent(client, 'sendContact', short)).toEqual(short);
  for (const phoneContact of [undefined, '15550000003', 1.5, 0, -15550000003]) {
    await expectRefused(client, 'sendContact', { chatId: CHAT, contact: { phoneContact } }, 'phoneContact');
  }
});

onClient('forward.several', async (client) => {
  for (const messages of [[], ['BAE51', 'BAE52']]) {
    await expectRefused(client, 'forwardMessages', { ...FORWARD, messages }, 'each message by a separate request');
    client.responses({ messages });
    await expectError(client, 'forwardMessages', FORWARD, 'GATEWAY_RESPONSE_INVALID');
  }
});

async function expectEntryRead(client: ClientDriver, shown: Json): Promise<void> {
  const entry = { type: 'outgoing', idMessage: 'BAE5', chatId: CHAT, ...shown };
  client.responses(entry);
  expect(await client.call('getMessage', GOOD.getMessage.request)).toEqual(entry);
  client.responses([entry]);
  expect(await client.call('lastOutgoingMessages', {})).toEqual([entry]);
}

onClient('forward.marked', async (client) => {
  await expectEntryRead(client, { typeMessage: 'textMessage', isForwarded: true, forwardingScore: 1 });
});

onClient('forward.known-only', async (client) => {
  client.responses(GOOD.forwardMessages.response);
  expect(await client.call('forwardMessages', FORWARD)).toMatchObject({ idMessage: 'BAE5000000000002' });
});

onClient('kinds.validation', async (client) => {
  for (const operation of ['sendPoll', 'sendLocation', 'sendContact', 'forwardMessages'] as const) {
    const message = "Validation failed, details: 'something' is wrong";
    client.respondsWith({ status: 400, json: { statusCode: 400, message } });
    const error = await expectError(client, operation, GOOD[operation].request, 'GATEWAY_REJECTED');
    expect(error.gatewayText).toContain(message);
  }
});

onClient('journal.poll', async (client) => {
  const pollMessageData = { name: 'Tea?', options: [{ optionName: 'yes' }], multipleAnswers: false, newer: 1 };
  await expectEntryRead(client, { typeMessage: 'pollMessage', pollMessageData });
});

onClient('journal.location', async (client) => {
  const location = { latitude: '44.94', longitude: 34.1, nameLocation: null, newer: 1 };
  await expectEntryRead(client, { typeMessage: 'locationMessage', location });
});

onClient('journal.contact', async (client) => {
  const contact = { displayName: 'Ann Lee', vcard: 'BEGIN:VCARD', newer: 1 };
  await expectEntryRead(client, { typeMessage: 'contactMessage', contact });
});
