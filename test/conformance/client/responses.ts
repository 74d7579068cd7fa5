import { expect } from 'vitest';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import { CHAT, GROUP, type Json } from '../scene.js';
import { expectError, onClient } from './assertions.js';

type Operation = keyof typeof GOOD;

/** The client's result for this response to a valid request. */
async function read(client: ClientDriver, operation: Operation, response: unknown): Promise<unknown> {
  client.responses(response);
  return await client.call(operation, GOOD[operation].request);
}

/** Such a response is read with what it shows. @param shown  by default all of it */
function onRead(rowId: string, operation: Operation, response: unknown, shown: unknown = response): void {
  onClient(rowId, async (client) => {
    expect(await read(client, operation, response)).toEqual(shown);
  });
}

/** Each of these responses is read as given. */
function onReads(rowId: string, operation: Operation, ...responses: readonly unknown[]): void {
  onClient(rowId, async (client) => {
    for (const response of responses) expect(await read(client, operation, response)).toEqual(response);
  });
}

onClient('reply.idMessage', async (client) => {
  for (const operation of ['editMessage', 'sendFileByUrl', 'sendTextStatus'] as const) {
    expect(await read(client, operation, { idMessage: 'BAE5', extra: 1 })).toEqual({ idMessage: 'BAE5', extra: 1 });
    client.responses({});
    await expectError(client, operation, GOOD[operation].request, 'GATEWAY_RESPONSE_INVALID');
  }
});

onRead('edit.late-answers-200', 'editMessage', { idMessage: 'BAE5-another' });

onClient('quote.invalid-answers-200', async (client) => {
  client.responses({ idMessage: 'BAE5' });
  const quoting = { ...GOOD.sendFileByUrl.request, quotedMessageId: 'unknown' };
  expect(await client.call('sendFileByUrl', quoting)).toEqual({ idMessage: 'BAE5' });
});

const A_GROUP = { groupId: GROUP, subject: 'Friends', size: 5, participants: [{ id: CHAT }] };

onRead(
  'group.creation-in-seconds',
  'getGroupData',
  { ...A_GROUP, creation: 1_700_000_000, subjectTime: 1_700_000_001 },
  expect.objectContaining({ creationSeconds: 1_700_000_000, subjectTimeSeconds: 1_700_000_001 }),
);

onClient('group.community-fields-for-admins-only', async (client) => {
  expect(await read(client, 'getGroupData', A_GROUP)).not.toHaveProperty('isCommunity');
});

onRead('group.size-counts-participants', 'getGroupData', A_GROUP, expect.objectContaining(A_GROUP));
const LINKLESS = { ...A_GROUP, groupInviteLink: '' };
onRead('group-data.invite-link-for-admins', 'getGroupData', LINKLESS, expect.objectContaining(LINKLESS));

for (const [rowId, words] of [
  ['errors.group.forbidden', 'Error: forbidden'],
  ['errors.group.item-not-found', 'Error: item-not-found'],
] as const) {
  onClient(rowId, async (client) => {
    for (const response of [
      { json: words },
      { raw: words },
      { json: { message: words } },
      { json: { error: words } },
    ]) {
      client.respondsWith(response);
      const error = await expectError(client, 'getGroupData', { groupId: GROUP }, 'GATEWAY_REJECTED');
      expect(error.gatewayText).toContain(words);
    }
  });
}

const STORY_TYPES = ['textMessage', 'imageMessage', 'videoMessage', 'audioMessage', 'extendedTextMessage', 'newer'];
onRead(
  'story.types',
  'getIncomingStories',
  STORY_TYPES.map((typeMessage, index) => ({ idMessage: `BAE5${index}`, typeMessage })),
);

const STORY = { idMessage: 'BAE5', timestamp: 1_700_000_000, typeMessage: 'textMessage', textMessage: 'hello' };
onRead('story.fields-follow-type', 'getIncomingStories', [STORY], [{ ...STORY, timestampSeconds: 1_700_000_000 }]);

onReads('stories.array', 'getIncomingStories', [], [{ idMessage: 'BAE5' }]);

/** A template with these facts is read with those. @param shown  by default the same */
function onTemplateRead(rowId: string, facts: Json, shown: Json = facts): void {
  const template = { id: '4c4b', ...facts };
  const whole = { template: expect.objectContaining({ ...shown, templateId: '4c4b' }) as unknown };
  onRead(rowId, 'createTemplate', { template }, whole);
}

onTemplateRead(
  'template.times-in-milliseconds',
  { createdOn: 1_700_000_000_000, modifiedOn: 1_700_000_000_001 },
  { createdOnMs: 1_700_000_000_000, modifiedOnMs: 1_700_000_000_001 },
);
onTemplateRead('template.modified-equals-created', { createdOn: 5, modifiedOn: 6 });

onClient('template.id-under-two-names', async (client) => {
  for (const template of [{ id: '4c4b' }, { templateId: '4c4b' }, { id: 'other', templateId: '4c4b' }]) {
    expect(await read(client, 'createTemplate', { template })).toMatchObject({ template: { templateId: '4c4b' } });
  }
});

for (const status of ['PENDING', 'APPROVED', 'REJECTED', 'FAILED', 'PAUSED']) {
  onTemplateRead(`template-status.${status}`, { status });
}
onTemplateRead('template-status.pending-when-new', { status: 'IN_APPEAL' });
onTemplateRead('template-status.reason-when-failed', { status: 'FAILED', reason: 'bad words' });

const ITEM = { messageID: 'BAE5', type: 'sendMessage', body: { chatId: CHAT, message: 'words' } };

const onItemRead = (rowId: string, item: Json): void => onRead(rowId, 'showMessagesQueue', [item]);

onItemRead('queue-item.messageID', ITEM);

const FORWARD = {
  messagesIDs: ['BAE5', '3EB0'],
  type: 'ForwardMessages',
  body: { chatId: CHAT, chatIdFrom: GROUP, messages: ['BAE51', 'BAE52'] },
};

onItemRead('queue-item.messagesIDs', FORWARD);
onItemRead('queue-item.type', { ...ITEM, type: 'sendSomethingNew' });
onItemRead('queue-item.body', { ...ITEM, body: { ...ITEM.body, typingTime: null, newer: { deep: 1 } } });

const CONTACT = { phoneContact: 15550000003, firstName: 'Ann', lastName: 'Lee', middleName: 'B', company: 'Books' };
const FILE_BODY = {
  chatId: CHAT,
  fileName: 'a.jpg',
  caption: 'words',
  urlFile: 'https://f.example/a.jpg',
  archive: true,
};
const LINK_BODY = { chatId: CHAT, urlLink: 'https://example.com' };

for (const [kind, type, body] of [
  ['send-message', 'sendMessage', { chatId: CHAT, message: 'words', linkPreview: true, quotedMessageId: 'BAE5' }],
  ['send-poll', 'sendPoll', { chatId: CHAT, message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }] }],
  ['send-file-by-url', 'sendFileByUrl', FILE_BODY],
  [
    'send-location',
    'sendLocation',
    { chatId: CHAT, latitude: 44.94, longitude: 34.1, nameLocation: 'Square', address: 'Main street 1' },
  ],
  ['send-contact', 'sendContact', { chatId: CHAT, contact: CONTACT }],
  ['send-link', 'sendLink', LINK_BODY],
] as const) {
  onItemRead(`queue-item.${kind}.body`, { messageID: 'BAE5', type, body });
}

onItemRead('queue-item.forward-messages.body', FORWARD);
const { urlFile: _urlFile, ...UPLOADED_BODY } = FILE_BODY;
const UPLOADED = { messageID: 'BAE5', type: 'sendFileByUrl', body: UPLOADED_BODY };
onItemRead('queue-item.uploads-as-send-file-by-url', UPLOADED);

onRead(
  'queue-item.quoted-kinds',
  'showMessagesQueue',
  ['sendMessage', 'sendPoll', 'sendFileByUrl', 'sendLocation', 'sendContact', 'sendLink'].map((type) => ({
    messageID: 'BAE5',
    type,
    body: { chatId: CHAT, quotedMessageId: 'BAE51' },
  })),
);

onRead(
  'queue-item.contact.number-form',
  'showMessagesQueue',
  [15550000003, '155500000031'].map((phoneContact) => ({
    messageID: 'BAE5',
    type: 'sendContact',
    body: { chatId: CHAT, contact: { ...CONTACT, phoneContact } },
  })),
);

for (const [rowId, field] of [
  ['versioning.deprecated-send-link', 'urlLink'],
  ['versioning.deprecated-archive', 'archive'],
] as const) {
  onClient(rowId, async (client) => {
    let described: unknown;
    JSON.parse(JSON.stringify(client.responseSchema('showMessagesQueue')), (name: string, value: unknown) => {
      if (name === field) described = value;
      return value;
    });
    expect(described).toMatchObject({ deprecated: true });
  });
}

onClient('typing.empty-answer', async (client) => {
  for (const response of [{ raw: '' }, { json: { idMessage: 'BAE5' } }]) {
    client.respondsWith(response);
    await expect(client.call('sendTyping', GOOD.sendTyping.request)).resolves.toBeDefined();
  }
});

for (const [rowId, operation] of [
  ['versioning.typing-beta', 'sendTyping'],
  ['versioning.status-beta', 'sendTextStatus'],
] as const) {
  onClient(rowId, async (client) => {
    expect(client.isBeta(operation)).toBe(true);
    expect(client.isBeta('sendMessage')).toBe(false);
  });
}

onReads('read-chat.set-read', 'readChat', { setRead: true }, { setRead: false });
onRead('read-chat.needs-setting', 'readChat', { setRead: false });

const SETTINGS = { delaySendMessagesMilliseconds: 15_000, webhookUrl: '', incomingWebhook: 'no', autoTyping: 2 };
onRead('settings.read', 'getSettings', SETTINGS);

onClient('state.read', async (client) => {
  for (const stateInstance of ['authorized', 'somethingNew']) {
    expect(await read(client, 'getStateInstance', { stateInstance })).toEqual({ stateInstance });
  }
  expect(await read(client, 'getStateInstance', null)).toEqual({ stateInstance: null });
});
onRead('state.yellow-card-accepts', 'getStateInstance', { stateInstance: 'yellowCard' });

onClient('journal.last-outgoing', async (client) => {
  const entries = [
    { type: 'outgoing', idMessage: 'BAE52', textMessage: 'later', statusMessage: 'sent', sendByApi: true, newer: 1 },
    { type: 'outgoing', idMessage: 'BAE51', extendedTextMessage: { text: 'earlier' } },
  ];
  client.responses(entries);
  expect(await client.call('lastOutgoingMessages', { minutes: 60 })).toEqual(entries);
  expect(client.lastRequest()).toMatchObject({ verb: 'GET', path: expect.stringMatching(/\?minutes=60$/) });
});

onClient('journal.get-message', async (client) => {
  const { request, response } = GOOD.getMessage;
  expect(await read(client, 'getMessage', response)).toMatchObject({ isEdited: true, textMessage: 'new' });
  expect(client.lastRequest()).toMatchObject({
    verb: 'POST',
    path: expect.stringContaining('/getMessage/'),
    json: request,
  });
});
