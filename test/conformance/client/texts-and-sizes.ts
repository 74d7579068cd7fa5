import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

const EDIT: Json = GOOD.editMessage.request;
const FILE: Json = GOOD.sendFileByUrl.request;
const BOM = '\uFEFF';

/** A required field. */
function onRequired(rowId: string, operation: keyof typeof GOOD, field: string): void {
  onClient(rowId, async (client) => {
    const request: Json = GOOD[operation].request;
    const { [field]: _left, ...without } = request;
    await expectRefused(client, operation, without, field);
  });
}

onRequired('edit.chatId', 'editMessage', 'chatId');
onRequired('edit.idMessage', 'editMessage', 'idMessage');
onRequired('edit.message', 'editMessage', 'message');
onRequired('send-file.chatId', 'sendFileByUrl', 'chatId');
onRequired('send-file.urlFile', 'sendFileByUrl', 'urlFile');
onRequired('send-file.fileName', 'sendFileByUrl', 'fileName');
onRequired('typing.chatId', 'sendTyping', 'chatId');
onRequired('group-data.groupId', 'getGroupData', 'groupId');
onRequired('read-chat.chatId', 'readChat', 'chatId');

onClient('edit.message-utf8', async (client) => {
  const message = 'Привет 👋🏽';
  client.responses(GOOD.editMessage.response);
  expect(await expectSent(client, 'editMessage', { ...EDIT, message })).toMatchObject({ message });
  expect(client.lastRequest().bytes.includes(Buffer.from(message, 'utf8'))).toBe(true);
});

onClient('edit.message-without-bom', async (client) => {
  await expectRefused(client, 'editMessage', { ...EDIT, message: `${BOM}new` }, 'message', 'BOM');
});

onSent('send-message.quote', 'sendMessage', { chatId: CHAT, message: 'x', quotedMessageId: 'BAE5000000000002' });

/** A text field with this limit of characters. */
function onTextLimit(rowId: string, operation: keyof typeof GOOD, field: string, maxCharacters: number): void {
  onClient(rowId, async (client) => {
    const request: Json = GOOD[operation].request;
    client.responses(GOOD[operation].response);
    const longest = 'x'.repeat(maxCharacters);
    expect(await expectSent(client, operation, { ...request, [field]: longest })).toMatchObject({ [field]: longest });
    await expectRefused(client, operation, { ...request, [field]: `${longest}x` }, field);
  });
}

onTextLimit('limits.edit-message-20000', 'editMessage', 'message', 20_000);
onTextLimit('limits.caption-20000', 'sendFileByUrl', 'caption', 20_000);
onTextLimit('limits.status-text-500', 'sendTextStatus', 'message', 500);

onClient('send-message.limits', async (client) => {
  await expectSent(client, 'sendMessage', { chatId: CHAT, message: 'x'.repeat(20_000), typingTime: 20_000 });
  await expectRefused(client, 'sendMessage', { chatId: CHAT, message: 'x'.repeat(20_001) }, 'message');
  for (const typingTime of [999, 20_001]) {
    await expectRefused(client, 'sendMessage', { chatId: CHAT, message: 'x', typingTime }, 'typingTime');
  }
});

onClient('errors.edit.text-too-long', async (client) => {
  await expectRefused(
    client,
    'editMessage',
    { ...EDIT, message: 'x'.repeat(20_001) },
    "Validation failed, details: 'message' length must be less than or equal to 20000 characters long",
  );
});

onClient('errors.group.id-format', async (client) => {
  await expectRefused(
    client,
    'getGroupData',
    { groupId: CHAT },
    "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  );
});

/** A request whose fields are all within their limits and whose body has exactly this many bytes. */
function ofSize(request: Json, field: string, sizeBytes: number): Json {
  const restBytes = Buffer.byteLength(JSON.stringify({ ...request, [field]: '' }));
  // A control character is one character and, escaped, six bytes.
  const escaped = Math.floor((sizeBytes - restBytes) / 6);
  const plain = (sizeBytes - restBytes) % 6;
  return { ...request, [field]: '\u0001'.repeat(escaped) + 'x'.repeat(plain) };
}

const LIMIT_BYTES = 100 * 1024;

onClient('limits.request-100-kb', async (client) => {
  client.responses(GOOD.editMessage.response);
  for (const [operation, field, request] of [
    ['editMessage', 'message', EDIT],
    ['sendFileByUrl', 'caption', FILE],
  ] as const) {
    await expectSent(client, operation, ofSize(request, field, LIMIT_BYTES));
    expect(client.lastRequest().bytes).toHaveLength(LIMIT_BYTES);
    await expectRefused(client, operation, ofSize(request, field, LIMIT_BYTES + 1));
  }
});

onClient('errors.edit.entity-too-large', async (client) => {
  await expectRefused(client, 'editMessage', ofSize(EDIT, 'message', LIMIT_BYTES + 1), 'request entity too large');
});

onClient('errors.send-file.entity-too-large', async (client) => {
  await expectRefused(client, 'sendFileByUrl', ofSize(FILE, 'caption', LIMIT_BYTES + 1), 'request entity too large');
});
