import { expect } from 'vitest';
import { GOOD } from '../good-requests.js';
import { REQUEST_RULES, type RequestRule } from '../request-rules.js';
import { CHAT, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

const EDIT: Json = GOOD.editMessage.request;
const FILE: Json = GOOD.sendFileByUrl.request;

function onRule(rowId: string, { operation, taken, refused, words }: RequestRule): void {
  onClient(rowId, async (client) => {
    client.responses(GOOD[operation].response);
    const request: Json = GOOD[operation].request;
    for (const change of taken) {
      expect(await expectSent(client, operation, { ...request, ...change })).toMatchObject(change);
    }
    for (const change of refused) await expectRefused(client, operation, { ...request, ...change }, ...words);
  });
}

for (const [rowId, rule] of Object.entries(REQUEST_RULES)) onRule(rowId, rule);
onRule('send-file.typing-time-seconds', REQUEST_RULES['limits.file-typing-1-to-20-seconds']);
onRule('limits.one-file-per-message', REQUEST_RULES['send-file.one-file-per-request']);

onClient('group-data.groupId', (client) => expectRefused(client, 'getGroupData', {}, 'groupId'));

onClient('edit.message-utf8', async (client) => {
  const message = 'Привет 👋🏽';
  client.responses(GOOD.editMessage.response);
  expect(await expectSent(client, 'editMessage', { ...EDIT, message })).toMatchObject({ message });
  expect(client.lastRequest().bytes.includes(Buffer.from(message, 'utf8'))).toBe(true);
});

onSent('send-message.quote', 'sendMessage', { chatId: CHAT, message: 'x', quotedMessageId: 'BAE5000000000002' });

onClient('send-message.limits', async (client) => {
  await expectSent(client, 'sendMessage', { chatId: CHAT, message: 'x'.repeat(20_000), typingTime: 20_000 });
  await expectRefused(client, 'sendMessage', { chatId: CHAT, message: 'x'.repeat(20_001) }, 'message');
  for (const typingTime of [999, 20_001]) {
    await expectRefused(client, 'sendMessage', { chatId: CHAT, message: 'x', typingTime }, 'typingTime');
  }
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
