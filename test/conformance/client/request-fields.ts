/** The fields of requests: what is sent unchanged, and what is refused before a byte leaves. */
import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, GROUP, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onFields, onSent } from './assertions.js';

const BOM = '\uFEFF';
const characters = (count: number): string => 'x'.repeat(count);

for (const [rowId, operation, field] of [
  ['edit.chatId', 'editMessage', 'chatId'],
  ['edit.idMessage', 'editMessage', 'idMessage'],
  ['edit.message', 'editMessage', 'message'],
  ['send-file.chatId', 'sendFileByUrl', 'chatId'],
  ['send-file.urlFile', 'sendFileByUrl', 'urlFile'],
  ['send-file.fileName', 'sendFileByUrl', 'fileName'],
  ['typing.chatId', 'sendTyping', 'chatId'],
  ['group-data.groupId', 'getGroupData', 'groupId'],
  ['read-chat.chatId', 'readChat', 'chatId'],
] as const) {
  onFields(rowId, operation, { refused: [{ [field]: undefined }] });
}

for (const [rowId, operation, field, most] of [
  ['limits.edit-message-20000', 'editMessage', 'message', 20_000],
  ['limits.caption-20000', 'sendFileByUrl', 'caption', 20_000],
  ['limits.status-text-500', 'sendTextStatus', 'message', 500],
] as const) {
  onFields(rowId, operation, { sent: [{ [field]: characters(most) }], refused: [{ [field]: characters(most + 1) }] });
}

onFields('identifier.chat-id-personal', 'sendMessage', {
  sent: [{ chatId: CHAT }],
  refused: [{ chatId: 'someone@c.us' }],
});
onFields('identifier.chat-id-group', 'sendMessage', {
  sent: [{ chatId: GROUP }, { chatId: '15550000001-1600000000@g.us' }],
  refused: [{ chatId: 'friends@g.us' }, { chatId: '15550000001-1600000000-1@g.us' }],
});
onFields('identifier.lid', 'sendMessage', {
  sent: [{ chatId: '123456789012345@lid' }],
  refused: [{ chatId: 'someone@lid' }],
});
onFields('errors.group.id-format', 'getGroupData', {
  refused: [{ groupId: CHAT }],
  words: ["Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us"],
});

onFields('send-message.limits', 'sendMessage', {
  sent: [{ message: characters(20_000), typingTime: 20_000 }],
  refused: [{ message: characters(20_001) }, { typingTime: 999 }, { typingTime: 20_001 }],
});
onFields('send-message.quote', 'sendMessage', { sent: [{ quotedMessageId: 'BAE5000000000002' }] });
onFields('edit.message-without-bom', 'editMessage', { refused: [{ message: `${BOM}new` }], words: ['message', 'BOM'] });
onFields('errors.edit.text-too-long', 'editMessage', {
  refused: [{ message: characters(20_001) }],
  words: ["Validation failed, details: 'message' length must be less than or equal to 20000 characters long"],
});

onFields('send-file.caption', 'sendFileByUrl', { sent: [{}, { caption: 'words' }] });
onFields('send-file.quotedMessageId', 'sendFileByUrl', { sent: [{}, { quotedMessageId: 'BAE5000000000002' }] });
for (const rowId of ['send-file.typing-time-seconds', 'limits.file-typing-1-to-20-seconds']) {
  onFields(rowId, 'sendFileByUrl', {
    sent: [{ typingTime: 1 }, { typingTime: 20 }],
    refused: [{ typingTime: 0 }, { typingTime: 21 }, { typingTime: 1.5 }],
  });
}
onFields('send-file.typing-default-1-second', 'sendFileByUrl', { sent: [{}] });
onFields('send-file.typing-type-recording', 'sendFileByUrl', {
  sent: [{ typingType: 'recording' }],
  refused: [{ typingType: 'typing' }],
});
onFields('send-file.type-by-file-name-first', 'sendFileByUrl', { sent: [{ fileName: 'Отчёт 2026.PDF' }] });
for (const rowId of ['send-file.one-file-per-request', 'limits.one-file-per-message']) {
  onFields(rowId, 'sendFileByUrl', { refused: [{ urlFile: [GOOD.sendFileByUrl.request.urlFile] }] });
}
onFields('send-file.link-without-bom', 'sendFileByUrl', {
  refused: [{ urlFile: `${BOM}https://files.example/a.pdf` }],
});
onFields('errors.send-file.url-format', 'sendFileByUrl', {
  refused: [{ urlFile: 'ftp://files.example/a.jpg' }, { urlFile: 'files.example/a.jpg' }],
  words: ['Validation failed, details: url has incorrect format, it should start with http(s)://'],
});
onFields('upload-file.type-or-name', 'uploadFile', {
  refused: [{ contentType: undefined }, { fileName: undefined }, { content: undefined }],
});

onClient('status.message', async (client) => {
  await expectRefused(client, 'sendTextStatus', {}, 'message');
  await expectRefused(client, 'sendTextStatus', { message: `${BOM}status` }, 'message', 'BOM');
  expect(await expectSent(client, 'sendTextStatus', { message: 'status 🌞' })).toEqual({ message: 'status 🌞' });
});
onFields('status.background-hex', 'sendTextStatus', {
  sent: [{ backgroundColor: '#228B22' }],
  refused: [{ backgroundColor: 'blue' }],
});
onFields('status.background-default-black', 'sendTextStatus', { sent: [{}] });
onFields('status.background-not-white', 'sendTextStatus', {
  refused: ['#FFFFFF', '#ffffff', '#fff'].map((backgroundColor) => ({ backgroundColor })),
  words: ['backgroundColor', 'white'],
});
onFields('status.participants', 'sendTextStatus', { sent: [{ participants: [CHAT] }] });
onFields('status.participants-empty-means-all', 'sendTextStatus', { sent: [{ participants: [] }] });
onFields('status.font', 'sendTextStatus', {
  sent: ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'].map((font) => ({ font })),
  refused: [{ font: 'COMIC_SANS' }],
});

onFields('typing.typingTime-milliseconds', 'sendTyping', { sent: [{ typingTime: 5000 }, { typingTime: undefined }] });
onFields('typing.typingType', 'sendTyping', {
  sent: [{ typingType: 'recording' }],
  refused: [{ typingType: 'singing' }],
});
for (const [rowId, typingTime, words] of [
  ['errors.typing.not-a-number', '1000', "'typingTime' must be a number"],
  ['errors.typing.too-small', 999, "'typingTime' must be larger than or equal to 1000"],
  ['errors.typing.too-large', 20_001, "'typingTime' must be less than or equal to 20000"],
] as const) {
  onFields(rowId, 'sendTyping', { refused: [{ typingTime }], words: [words] });
}
onFields('limits.typing-min-1000', 'sendTyping', { sent: [{ typingTime: 1000 }], refused: [{ typingTime: 999 }] });
onFields('limits.typing-max-20000', 'sendTyping', {
  sent: [{ typingTime: 20_000 }],
  refused: [{ typingTime: 20_001 }],
});

for (const [rowId, operation] of [
  ['send-poll.typing-time', 'sendPoll'],
  ['forward.typing-time', 'forwardMessages'],
] as const) {
  onFields(rowId, operation, {
    sent: [{ typingTime: 1000 }, { typingTime: 20_000 }],
    refused: [{ typingTime: 999 }, { typingTime: 20_001 }, { typingTime: 1500.5 }],
  });
}
const optionsOf = (...names: readonly (string | number)[]): Json => ({
  options: names.map((name) => ({ optionName: `${name}` })),
});
const manyOptions = (count: number): Json => optionsOf(...Array.from({ length: count }).keys());
onFields('send-poll.message-255', 'sendPoll', {
  sent: [{ message: characters(255) }],
  refused: [{ message: characters(256) }],
  words: ['message', '255'],
});
onFields('send-poll.options-2-to-12', 'sendPoll', {
  sent: [manyOptions(2), manyOptions(12)],
  refused: [manyOptions(1), manyOptions(13)],
  words: ['options', 'from 2 to 12'],
});
onFields('send-poll.options-unique', 'sendPoll', {
  refused: [optionsOf('yes', 'no', 'yes')],
  words: ['options', 'unique'],
});
onFields('send-location.ranges', 'sendLocation', {
  sent: [
    { latitude: 90, longitude: 180 },
    { latitude: -90, longitude: -180 },
  ],
  refused: [{ latitude: 90.01 }, { latitude: -90.01 }, { longitude: 180.01 }, { longitude: -180.01 }],
});
onFields('send-template.params', 'sendTemplate', {
  sent: [{ params: undefined }, { params: [] }, { params: ['17', ''] }],
  refused: [{ params: '17' }, { params: [17] }, { params: { 1: '17' } }],
});
onFields('polling.receipt-number', 'deleteNotification', {
  refused: ['7', 7.5, -1, undefined].map((receiptId) => ({ receiptId })),
});

/** A setting is sent under its own name, and alone. */
const onSetting = (rowId: string, setting: Json): void => onSent(rowId, 'setSettings', setting, { saveSettings: true });

onSetting('webhook.pushes-to-settings-address', { webhookUrl: 'https://customer.example/notifications' });
for (const flag of ['incomingWebhook', 'outgoingWebhook', 'stateWebhook', 'deviceWebhook']) {
  onSetting(`events.${flag}`, { [flag]: 'yes' });
}
onFields('webhook.authorization.bare-or-full', 'setSettings', {
  sent: [{ webhookUrlToken: 'abc' }, { webhookUrlToken: 'Bearer abc' }],
});
onFields('webhook.settings-fields', 'setSettings', {
  sent: [
    {
      webhookUrl: 'https://customer.example/notifications',
      webhookUrlToken: 'abc',
      outgoingWebhook: 'yes',
      stateWebhook: 'no',
      deviceWebhook: 'no',
    },
  ],
  refused: [{ stateWebhook: 'maybe' }],
});
onClient('settings.write', async (client) => {
  client.responses({ saveSettings: true });
  const response = await client.call('setSettings', { delaySendMessagesMilliseconds: 1500 });
  expect(client.lastBody()).toEqual({ delaySendMessagesMilliseconds: 1500 });
  expect(response).toMatchObject({ saveSettings: true });
});
onClient('settings.at-least-one', (client) => expectRefused(client, 'setSettings', {}));
onClient('settings.delay-range', async (client) => {
  client.responses({ saveSettings: true });
  for (const delaySendMessagesMilliseconds of [500, 600_000]) {
    await expectSent(client, 'setSettings', { delaySendMessagesMilliseconds });
  }
  for (const delaySendMessagesMilliseconds of [499, 600_001]) {
    const setting = { delaySendMessagesMilliseconds };
    await expectRefused(client, 'setSettings', setting, 'delaySendMessagesMilliseconds');
  }
  client.responses({ delaySendMessagesMilliseconds: 0 });
  expect(await client.call('getSettings', {})).toMatchObject({ delaySendMessagesMilliseconds: 0 });
});
