import { expect } from 'vitest';
import { GOOD, OPERATIONS } from '../good-requests.js';
import { CHAT, INSTANCE, TOKEN, type Json } from '../scene.js';
import { expectRefused, expectSent, onClient, onSent } from './assertions.js';

const EDIT: Json = GOOD.editMessage.request;

function pathOf(operation: string, prefix = ''): string {
  return `${prefix}/waInstance${INSTANCE}/${operation}/${TOKEN}`;
}

for (const operation of OPERATIONS) {
  onClient(`operation.${operation}`, async (client) => {
    const { verb, request, response } = GOOD[operation];
    client.responses(response);
    await client.call(operation, request);
    const path = pathOf(operation, operation === 'readChat' ? '/v3' : '');
    expect(client.recorder.requests).toMatchObject([{ verb, path, json: verb === 'GET' ? undefined : request }]);
  });
}

onClient('service.json-in-json-out', async (client) => {
  for (const operation of ['editMessage', 'sendFileByUrl', 'sendTextStatus'] as const) {
    client.responses(GOOD[operation].response);
    await client.call(operation, GOOD[operation].request);
    expect(client.lastRequest().headers['content-type']).toBe('application/json');
  }
});

onClient('endpoint.content-type-on-body', async (client) => {
  client.responses([]);
  await client.call('showMessagesQueue', {});
  expect(client.lastRequest().headers['content-type']).toBeUndefined();
  expect(client.lastRequest().bytes).toHaveLength(0);
  client.responses(GOOD.readChat.response);
  await client.call('readChat', GOOD.readChat.request);
  expect(client.lastRequest().headers['content-type']).toBe('application/json');
});

onClient('endpoint.path-shape', async (client) => {
  client.responses([]);
  await client.call('showMessagesQueue', {});
  await client.call('showMessagesQueue', {}, { baseUrl: `${client.recorder.url}/gateway` });
  expect(client.recorder.requests.map(({ path }) => path)).toEqual([
    pathOf('showMessagesQueue'),
    pathOf('showMessagesQueue', '/gateway'),
  ]);
});

onClient('identifier.message-id-opaque', async (client) => {
  const idMessage = 'any/thing: ü?';
  client.responses({ idMessage });
  expect(await client.call('editMessage', { ...EDIT, idMessage })).toMatchObject({ idMessage });
  expect(client.lastBody()).toMatchObject({ idMessage });
});

onClient('identifier.id-instance-in-path', async (client) => {
  client.responses([]);
  await client.call('showMessagesQueue', {}, { idInstance: '1101000002' });
  // As a caller without types, or a JSON file, may give it.
  await client.call('showMessagesQueue', {}, { idInstance: 1101000002 as unknown as string });
  expect(client.recorder.requests.map(({ path }) => path)).toEqual([
    `/waInstance1101000002/showMessagesQueue/${TOKEN}`,
    `/waInstance1101000002/showMessagesQueue/${TOKEN}`,
  ]);
});

onClient('identifier.token-in-path', async (client) => {
  client.responses([]);
  await client.call('showMessagesQueue', {}, { token: 'a/b c' });
  const { path, headers } = client.lastRequest();
  expect(path).toBe(`/waInstance${INSTANCE}/showMessagesQueue/a%2Fb%20c`);
  expect(JSON.stringify(headers)).not.toContain('a/b c');
});

onClient('authentication.path-only', async (client) => {
  client.responses([]);
  await client.call('getIncomingStories', { minutes: 5 });
  const { path, headers } = client.lastRequest();
  expect(headers.authorization).toBeUndefined();
  expect(path.split('?')[1]).not.toContain(TOKEN);
});

onClient('identifier.read-chat-bare-digits', async (client) => {
  client.responses({ setRead: true });
  expect(await expectSent(client, 'readChat', { chatId: '15550000001' })).toEqual({ chatId: '15550000001' });
  await expectRefused(client, 'editMessage', { ...EDIT, chatId: '15550000001' }, 'chatId');
});

onSent('read-chat.one-message', 'readChat', { chatId: CHAT, idMessage: 'BAE5000000000001' }, { setRead: true });
onSent('read-chat.all-unread', 'readChat', { chatId: CHAT }, { setRead: true });

onClient('versioning.read-chat-v3', async (client) => {
  client.responses({ setRead: true });
  await client.call('readChat', { chatId: CHAT });
  await client.call('readChat', { chatId: CHAT }, { paths: { readChat: '' } });
  client.responses(GOOD.editMessage.response);
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
  client.responses([]);
  await client.call('getIncomingStories', { minutes: 30 });
  expect(client.lastRequest().path).toBe(`${pathOf('getIncomingStories')}?minutes=30`);
});

onClient('limits.stories-default-1440', async (client) => {
  client.responses([]);
  await client.call('getIncomingStories', {});
  expect(client.lastRequest().path).toBe(pathOf('getIncomingStories'));
});

onClient('send-message.accepted', async (client) => {
  client.responses(GOOD.sendMessage.response);
  const response = await client.call('sendMessage', GOOD.sendMessage.request);
  expect(client.recorder.requests).toMatchObject([
    { verb: 'POST', path: pathOf('sendMessage'), json: GOOD.sendMessage.request },
  ]);
  expect(response).toMatchObject(GOOD.sendMessage.response);
});
