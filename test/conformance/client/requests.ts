import { expect } from 'vitest';
import type { ClientDriver } from '../client-driver.js';
import { GOOD } from '../good-requests.js';
import { CHAT, GROUP, INSTANCE, TOKEN, type Json } from '../scene.js';
import { expectError, expectRefused, expectSent, onClient } from './assertions.js';

const EDIT: Json = GOOD.editMessage.request;
const FILE: Json = GOOD.sendFileByUrl.request;
const STATUS: Json = GOOD.sendTextStatus.request;
const TYPING: Json = GOOD.sendTyping.request;
const BOM = '\uFEFF';

function pathOf(operation: string, prefix = ''): string {
  return `${prefix}/waInstance${INSTANCE}/${operation}/${TOKEN}`;
}

for (const operation of [
  'editMessage',
  'sendFileByUrl',
  'sendTextStatus',
  'sendTyping',
  'getGroupData',
  'getIncomingStories',
  'readChat',
  'showMessagesQueue',
] as const) {
  onClient(`operation.${operation}`, async (client) => {
    const { verb, request, answer } = GOOD[operation];
    client.answers(answer);
    await client.call(operation, request);
    expect(client.recorder.requests).toMatchObject([
      {
        verb,
        path: pathOf(operation, operation === 'readChat' ? '/v3' : ''),
        json: verb === 'GET' ? undefined : request,
      },
    ]);
  });
}

onClient('operation.createTemplate', async (client) => {
  client.answers(GOOD.createTemplate.answer);
  await client.call('createTemplate', GOOD.createTemplate.request);
  expect(client.recorder.requests).toMatchObject([
    { verb: 'POST', path: pathOf('createTemplate'), json: GOOD.createTemplate.request },
  ]);
});

onClient('service.json-in-json-out', async (client) => {
  for (const operation of ['editMessage', 'sendFileByUrl', 'sendTextStatus'] as const) {
    client.answers(GOOD[operation].answer);
    await client.call(operation, GOOD[operation].request);
    expect(client.lastRequest().headers['content-type']).toBe('application/json');
  }
});

onClient('endpoint.content-type-on-body', async (client) => {
  client.answers([]);
  await client.call('showMessagesQueue', {});
  expect(client.lastRequest().headers['content-type']).toBeUndefined();
  expect(client.lastRequest().bytes).toHaveLength(0);
  client.answers(GOOD.readChat.answer);
  await client.call('readChat', GOOD.readChat.request);
  expect(client.lastRequest().headers['content-type']).toBe('application/json');
});

onClient('endpoint.path-shape', async (client) => {
  client.answers([]);
  await client.call('showMessagesQueue', {});
  await client.call('showMessagesQueue', {}, { baseUrl: `${client.recorder.url}/gateway` });
  expect(client.recorder.requests.map(({ path }) => path)).toEqual([
    pathOf('showMessagesQueue'),
    pathOf('showMessagesQueue', '/gateway'),
  ]);
});

onClient('identifier.chat-id-personal', async (client) => {
  expect(await expectSent(client, 'sendMessage', { chatId: CHAT, message: 'x' })).toMatchObject({ chatId: CHAT });
  await expectRefused(client, 'sendMessage', { chatId: 'somebody@c.us', message: 'x' }, 'chatId');
});

onClient('identifier.chat-id-group', async (client) => {
  for (const chatId of [GROUP, '15550000001-1600000000@g.us']) {
    expect(await expectSent(client, 'sendMessage', { chatId, message: 'x' })).toMatchObject({ chatId });
  }
  await expectRefused(client, 'sendMessage', { chatId: 'friends@g.us', message: 'x' }, 'chatId');
});

onClient('identifier.lid', async (client) => {
  const chatId = '123456789012345@lid';
  expect(await expectSent(client, 'sendMessage', { chatId, message: 'x' })).toMatchObject({ chatId });
  await expectRefused(client, 'sendMessage', { chatId: 'somebody@lid', message: 'x' }, 'chatId');
});

onClient('identifier.message-id-opaque', async (client) => {
  const idMessage = 'any/thing: ü?';
  client.answers({ idMessage });
  expect(await client.call('editMessage', { ...EDIT, idMessage })).toMatchObject({ idMessage });
  expect(client.lastBody()).toMatchObject({ idMessage });
});

onClient('identifier.id-instance-in-path', async (client) => {
  client.answers([]);
  await client.call('showMessagesQueue', {}, { idInstance: '1101000002' });
  // As a caller without types, or a JSON file, may give it.
  await client.call('showMessagesQueue', {}, { idInstance: 1101000002 as unknown as string });
  expect(client.recorder.requests.map(({ path }) => path)).toEqual([
    `/waInstance1101000002/showMessagesQueue/${TOKEN}`,
    `/waInstance1101000002/showMessagesQueue/${TOKEN}`,
  ]);
});

onClient('identifier.token-in-path', async (client) => {
  client.answers([]);
  await client.call('showMessagesQueue', {}, { token: 'a/b c' });
  const { path, headers } = client.lastRequest();
  expect(path).toBe(`/waInstance${INSTANCE}/showMessagesQueue/a%2Fb%20c`);
  expect(JSON.stringify(headers)).not.toContain('a/b c');
});

onClient('authentication.path-only', async (client) => {
  client.answers([]);
  await client.call('getIncomingStories', { minutes: 5 });
  const { path, headers } = client.lastRequest();
  expect(headers.authorization).toBeUndefined();
  expect(path.split('?')[1]).not.toContain(TOKEN);
});

onClient('identifier.read-chat-bare-digits', async (client) => {
  client.answers({ setRead: true });
  expect(await expectSent(client, 'readChat', { chatId: '15550000001' })).toEqual({ chatId: '15550000001' });
  await expectRefused(client, 'editMessage', { ...EDIT, chatId: '15550000001' }, 'chatId');
});

onClient('read-chat.one-message', async (client) => {
  client.answers({ setRead: true });
  const request = { chatId: CHAT, idMessage: 'BAE5000000000001' };
  expect(await expectSent(client, 'readChat', request)).toEqual(request);
});

onClient('read-chat.all-unread', async (client) => {
  client.answers({ setRead: true });
  expect(await expectSent(client, 'readChat', { chatId: CHAT })).toEqual({ chatId: CHAT });
});

onClient('versioning.read-chat-v3', async (client) => {
  client.answers({ setRead: true });
  await client.call('readChat', { chatId: CHAT });
  await client.call('readChat', { chatId: CHAT }, { paths: { readChat: '' } });
  client.answers(GOOD.editMessage.answer);
  await client.call('editMessage', EDIT);
  await client.call('editMessage', EDIT, { paths: { editMessage: 'v3' } });
  expect(client.recorder.requests.map(({ path }) => path)).toEqual([
    pathOf('readChat', '/v3'),
    pathOf('readChat'),
    pathOf('editMessage'),
    pathOf('editMessage', '/v3'),
  ]);
});

onClient('stories.minutes', async (client) => {
  client.answers([]);
  await client.call('getIncomingStories', { minutes: 30 });
  expect(client.lastRequest().path).toBe(`${pathOf('getIncomingStories')}?minutes=30`);
});

onClient('limits.stories-default-1440', async (client) => {
  client.answers([]);
  await client.call('getIncomingStories', {});
  expect(client.lastRequest().path).toBe(pathOf('getIncomingStories'));
});

/** A field that has to be there. */
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
  client.answers(GOOD.editMessage.answer);
  expect(await expectSent(client, 'editMessage', { ...EDIT, message })).toMatchObject({ message });
  expect(client.lastRequest().bytes.includes(Buffer.from(message, 'utf8'))).toBe(true);
});

onClient('edit.message-without-bom', async (client) => {
  await expectRefused(client, 'editMessage', { ...EDIT, message: `${BOM}new` }, 'message', 'BOM');
});

onClient('send-file.file-name-extension', async (client) => {
  await expectRefused(client, 'sendFileByUrl', { ...FILE, fileName: `${BOM}a.pdf` }, 'fileName', 'BOM');
  expect(client.warnings('sendFileByUrl', { ...FILE, fileName: 'report' }).join('\n')).toContain('fileName');
  expect(client.warnings('sendFileByUrl', FILE)).toEqual([]);
});

onClient('send-file.caption', async (client) => {
  client.answers(GOOD.sendFileByUrl.answer);
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, caption: 'words' })).toEqual({
    ...FILE,
    caption: 'words',
  });
  expect(await expectSent(client, 'sendFileByUrl', FILE)).toEqual(FILE);
});

onClient('send-file.quotedMessageId', async (client) => {
  client.answers(GOOD.sendFileByUrl.answer);
  const quoting = { ...FILE, quotedMessageId: 'BAE5000000000002' };
  expect(await expectSent(client, 'sendFileByUrl', quoting)).toEqual(quoting);
  expect(await expectSent(client, 'sendFileByUrl', FILE)).not.toHaveProperty('quotedMessageId');
});

onClient('send-message.quote', async (client) => {
  const quoting = { chatId: CHAT, message: 'x', quotedMessageId: 'BAE5000000000002' };
  expect(await expectSent(client, 'sendMessage', quoting)).toEqual(quoting);
});

onClient('send-file.typing-time-seconds', async (client) => {
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, typingTime: 20 })).toMatchObject({ typingTime: 20 });
  for (const typingTime of [0, 21, 1.5]) {
    await expectRefused(client, 'sendFileByUrl', { ...FILE, typingTime }, 'typingTime');
  }
});

onClient('limits.file-typing-1-to-20-seconds', async (client) => {
  for (const typingTime of [1, 20]) {
    expect(await expectSent(client, 'sendFileByUrl', { ...FILE, typingTime })).toMatchObject({ typingTime });
  }
  for (const typingTime of [0, 21]) {
    await expectRefused(client, 'sendFileByUrl', { ...FILE, typingTime }, 'typingTime');
  }
});

onClient('send-file.typing-default-1-second', async (client) => {
  expect(await expectSent(client, 'sendFileByUrl', FILE)).not.toHaveProperty('typingTime');
});

onClient('send-file.typing-type-recording', async (client) => {
  const recording = { ...FILE, typingType: 'recording' };
  expect(await expectSent(client, 'sendFileByUrl', recording)).toEqual(recording);
  await expectRefused(client, 'sendFileByUrl', { ...FILE, typingType: 'typing' }, 'typingType');
});

onClient('send-file.type-by-file-name-first', async (client) => {
  const request = { ...FILE, fileName: 'Отчёт 2026.PDF' };
  expect(await expectSent(client, 'sendFileByUrl', request)).toEqual(request);
});

async function expectOneLink(client: ClientDriver): Promise<void> {
  await expectRefused(client, 'sendFileByUrl', { ...FILE, urlFile: [FILE['urlFile']] }, 'urlFile');
}

onClient('send-file.one-file-per-request', expectOneLink);
onClient('limits.one-file-per-message', expectOneLink);

onClient('send-file.link-characters', async (client) => {
  for (const urlFile of ['https://files.example/my report.pdf', 'https://files.example/r(1).pdf']) {
    expect(client.warnings('sendFileByUrl', { ...FILE, urlFile })).not.toEqual([]);
    expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
  }
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile: 'https://files.example:8080/a_b-c/R1.pdf' })).toEqual([]);
});

onClient('send-file.link-unencoded', async (client) => {
  const urlFile = 'https://files.example/отчёт за год.pdf';
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
  const encoded = 'https://files.example/my%20report.pdf';
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile: encoded })).toMatchObject({ urlFile: encoded });
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile: encoded }).join('\n')).toContain('encode');
});

onClient('send-file.link-without-bom', async (client) => {
  await expectRefused(client, 'sendFileByUrl', { ...FILE, urlFile: `${BOM}https://files.example/a.pdf` }, 'urlFile');
});

onClient('send-file.link-to-a-file', async (client) => {
  const urlFile = 'https://files.example/page.html';
  expect(client.warnings('sendFileByUrl', { ...FILE, urlFile })).not.toEqual([]);
  expect(await expectSent(client, 'sendFileByUrl', { ...FILE, urlFile })).toMatchObject({ urlFile });
});

onClient('status.message', async (client) => {
  await expectRefused(client, 'sendTextStatus', {}, 'message');
  await expectRefused(client, 'sendTextStatus', { message: `${BOM}status` }, 'message', 'BOM');
  expect(await expectSent(client, 'sendTextStatus', { message: 'status 🌞' })).toEqual({ message: 'status 🌞' });
});

onClient('status.background-hex', async (client) => {
  const coloured = { ...STATUS, backgroundColor: '#228B22' };
  expect(await expectSent(client, 'sendTextStatus', coloured)).toEqual(coloured);
  await expectRefused(client, 'sendTextStatus', { ...STATUS, backgroundColor: 'blue' }, 'backgroundColor');
});

onClient('status.background-default-black', async (client) => {
  expect(await expectSent(client, 'sendTextStatus', STATUS)).toEqual(STATUS);
});

onClient('status.background-not-white', async (client) => {
  for (const backgroundColor of ['#FFFFFF', '#ffffff', '#fff']) {
    await expectRefused(client, 'sendTextStatus', { ...STATUS, backgroundColor }, 'backgroundColor', 'white');
  }
});

onClient('status.font', async (client) => {
  for (const font of ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY']) {
    expect(await expectSent(client, 'sendTextStatus', { ...STATUS, font })).toMatchObject({ font });
  }
  await expectRefused(client, 'sendTextStatus', { ...STATUS, font: 'COMIC_SANS' }, 'font');
});

onClient('status.participants', async (client) => {
  const some = { ...STATUS, participants: [CHAT] };
  expect(await expectSent(client, 'sendTextStatus', some)).toEqual(some);
});

onClient('status.participants-empty-means-all', async (client) => {
  const all = { ...STATUS, participants: [] };
  expect(await expectSent(client, 'sendTextStatus', all)).toEqual(all);
});

onClient('typing.typingTime-milliseconds', async (client) => {
  client.answers('');
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT, typingTime: 5000 })).toMatchObject({
    typingTime: 5000,
  });
  expect(await expectSent(client, 'sendTyping', { chatId: CHAT })).toEqual({ chatId: CHAT });
});

onClient('typing.typingType', async (client) => {
  client.answers('');
  const recording = { chatId: CHAT, typingType: 'recording' };
  expect(await expectSent(client, 'sendTyping', recording)).toEqual(recording);
  await expectRefused(client, 'sendTyping', { chatId: CHAT, typingType: 'singing' }, 'typingType');
});

onClient('errors.typing.not-a-number', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: '1000' }, "'typingTime' must be a number");
});

const TOO_SMALL = "'typingTime' must be larger than or equal to 1000";
const TOO_LARGE = "'typingTime' must be less than or equal to 20000";

onClient('errors.typing.too-small', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 999 }, TOO_SMALL);
});

onClient('errors.typing.too-large', async (client) => {
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 20_001 }, TOO_LARGE);
});

onClient('limits.typing-min-1000', async (client) => {
  client.answers('');
  expect(await expectSent(client, 'sendTyping', { ...TYPING, typingTime: 1000 })).toMatchObject({ typingTime: 1000 });
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 999 });
});

onClient('limits.typing-max-20000', async (client) => {
  client.answers('');
  expect(await expectSent(client, 'sendTyping', { ...TYPING, typingTime: 20_000 })).toMatchObject({
    typingTime: 20_000,
  });
  await expectRefused(client, 'sendTyping', { ...TYPING, typingTime: 20_001 });
});

/** A text field that may have so many characters and not one more. */
function onTextLimit(rowId: string, operation: keyof typeof GOOD, field: string, maxCharacters: number): void {
  onClient(rowId, async (client) => {
    const request: Json = GOOD[operation].request;
    client.answers(GOOD[operation].answer);
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

onClient('send-message.accepted', async (client) => {
  client.answers(GOOD.sendMessage.answer);
  const answer = await client.call('sendMessage', GOOD.sendMessage.request);
  expect(client.recorder.requests).toMatchObject([
    { verb: 'POST', path: pathOf('sendMessage'), json: GOOD.sendMessage.request },
  ]);
  expect(answer).toMatchObject(GOOD.sendMessage.answer);
});

onClient('errors.edit.text-too-long', async (client) => {
  await expectRefused(
    client,
    'editMessage',
    { ...EDIT, message: 'x'.repeat(20_001) },
    "Validation failed, details: 'message' length must be less than or equal to 20000 characters long",
  );
});

onClient('errors.send-file.url-format', async (client) => {
  for (const urlFile of ['ftp://files.example/a.jpg', 'files.example/a.jpg']) {
    await expectRefused(
      client,
      'sendFileByUrl',
      { ...FILE, urlFile },
      'Validation failed, details: url has incorrect format, it should start with http(s)://',
    );
  }
});

onClient('errors.group.id-format', async (client) => {
  await expectRefused(
    client,
    'getGroupData',
    { groupId: CHAT },
    "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  );
});

/** A request of which every field is within its limit and whose body has exactly this many bytes. */
function ofSize(request: Json, field: string, sizeBytes: number): Json {
  const restBytes = Buffer.byteLength(JSON.stringify({ ...request, [field]: '' }));
  // A control character is one character and, escaped, six bytes.
  const escaped = Math.floor((sizeBytes - restBytes) / 6);
  const plain = (sizeBytes - restBytes) % 6;
  return { ...request, [field]: '\u0001'.repeat(escaped) + 'x'.repeat(plain) };
}

const LIMIT_BYTES = 100 * 1024;

onClient('limits.request-100-kb', async (client) => {
  client.answers(GOOD.editMessage.answer);
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

/** A setting is sent under its own name, and alone. */
function onSetting(rowId: string, setting: Json): void {
  onClient(rowId, async (client) => {
    client.answers({ saveSettings: true });
    expect(await expectSent(client, 'setSettings', setting)).toEqual(setting);
  });
}

onSetting('webhook.pushes-to-settings-address', { webhookUrl: 'https://customer.example/notifications' });
for (const flag of ['incomingWebhook', 'outgoingWebhook', 'stateWebhook', 'deviceWebhook']) {
  onSetting(`events.${flag}`, { [flag]: 'yes' });
}

onClient('webhook.authorization.bare-or-full', async (client) => {
  client.answers({ saveSettings: true });
  for (const webhookUrlToken of ['abc', 'Bearer abc']) {
    expect(await expectSent(client, 'setSettings', { webhookUrlToken })).toEqual({ webhookUrlToken });
  }
});

onClient('webhook.settings-fields', async (client) => {
  client.answers({ saveSettings: true });
  const settings = {
    webhookUrl: 'https://customer.example/notifications',
    webhookUrlToken: 'abc',
    outgoingWebhook: 'yes',
    stateWebhook: 'no',
    incomingWebhook: 'yes',
    deviceWebhook: 'no',
  };
  expect(await expectSent(client, 'setSettings', settings)).toEqual(settings);
  await expectRefused(client, 'setSettings', { stateWebhook: 'maybe' }, 'stateWebhook');
});

onClient('settings.write', async (client) => {
  client.answers({ saveSettings: true });
  const answer = await client.call('setSettings', { delaySendMessagesMilliseconds: 1500 });
  expect(client.lastBody()).toEqual({ delaySendMessagesMilliseconds: 1500 });
  expect(answer).toMatchObject({ saveSettings: true });
});

onClient('settings.at-least-one', async (client) => {
  await expectRefused(client, 'setSettings', {});
});

onClient('settings.delay-range', async (client) => {
  client.answers({ saveSettings: true });
  for (const delaySendMessagesMilliseconds of [500, 600_000]) {
    const setting = { delaySendMessagesMilliseconds };
    expect(await expectSent(client, 'setSettings', setting)).toEqual(setting);
  }
  for (const delaySendMessagesMilliseconds of [499, 600_001]) {
    const setting = { delaySendMessagesMilliseconds };
    await expectRefused(client, 'setSettings', setting, 'delaySendMessagesMilliseconds');
  }
  client.answers({ delaySendMessagesMilliseconds: 0 });
  expect(await client.call('getSettings', {})).toMatchObject({ delaySendMessagesMilliseconds: 0 });
});

onClient('create-template.elementName-unique', async (client) => {
  client.answersWith({ status: 400, json: { message: 'elementName is taken' } });
  await expectError(client, 'createTemplate', GOOD.createTemplate.request, 'GATEWAY_REJECTED');
});
