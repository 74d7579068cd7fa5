/** The fields of requests: what is sent unchanged, and what is refused before a byte leaves. */
import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { REQUEST_RULES } from '../request-rules.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onFields, onSent } from './assertions.js';

const BOM = '\uFEFF';

for (const [rowId, { operation, ...rule }] of Object.entries(REQUEST_RULES)) onFields(rowId, operation, rule);
onFields('group-data.groupId', 'getGroupData', { refused: [{ groupId: undefined }] });

onFields('send-message.quote', 'sendMessage', { sent: [{ quotedMessageId: 'BAE5000000000002' }] });

onFields('send-file.caption', 'sendFileByUrl', { sent: [{}, { caption: 'words' }] });
onFields('send-file.quotedMessageId', 'sendFileByUrl', { sent: [{}, { quotedMessageId: 'BAE5000000000002' }] });
onFields('send-file.typing-time-seconds', 'sendFileByUrl', {
  sent: [{ typingTime: 1 }, { typingTime: 20 }],
  refused: [{ typingTime: 0 }, { typingTime: 21 }, { typingTime: 1.5 }],
});
onFields('send-file.typing-default-1-second', 'sendFileByUrl', { sent: [{}] });
onFields('send-file.type-by-file-name-first', 'sendFileByUrl', { sent: [{ fileName: 'Отчёт 2026.PDF' }] });
onFields('limits.one-file-per-message', 'sendFileByUrl', {
  refused: [{ urlFile: [GOOD.sendFileByUrl.request.urlFile] }],
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
onFields('status.participants', 'sendTextStatus', { sent: [{ participants: [CHAT] }] });
onFields('status.participants-empty-means-all', 'sendTextStatus', { sent: [{ participants: [] }] });

onFields('typing.typingTime-milliseconds', 'sendTyping', { sent: [{ typingTime: 5000 }, { typingTime: undefined }] });

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
