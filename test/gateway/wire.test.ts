import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATION_NAMES, OPERATIONS, type InstanceConfig, type OperationName } from '../../src/contract/index.js';
import type { OperationRequest } from '../../src/gateway/index.js';
import { aGateway, anInstance, errorOf, REQUESTS, TOKEN } from './cast.js';
import { httpResponse, startRawServer, type RawRequest, type RawServer } from './raw-server.js';

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer(({ socket }) => socket.write(httpResponse(404, '')));
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

async function sent<Name extends OperationName>(
  name: Name,
  request: OperationRequest<Name>,
  instance: Partial<InstanceConfig> = {},
): Promise<RawRequest> {
  const gateway = aGateway(anInstance(server.url, instance));
  expect((await errorOf(gateway.call('main', name, request))).httpStatus).toBe(404);
  await gateway.close();
  const [only, ...more] = server.requests.splice(0);
  expect(more).toEqual([]);
  if (only === undefined) throw new Error('nothing was sent');
  return only;
}

describe('a request to the gateway', () => {
  it.each(OPERATION_NAMES)('%s goes to its own address with its verb', async (name) => {
    const { verb, path, headers } = await sent(name, REQUESTS[name]);
    const before = name === 'readChat' ? '/v3' : '';
    const after = name === 'deleteNotification' ? '/7' : '';
    expect(`${verb} ${path}`).toBe(`${OPERATIONS[name].verb} ${before}/waInstance1101000001/${name}/${TOKEN}${after}`);
    const type = name === 'uploadFile' ? 'image/png' : 'application/json';
    expect(headers['content-type']).toBe(verb === 'POST' ? type : undefined);
  });

  it('the base URL and the path of an operation may have slashes at their ends', async () => {
    const paths = { readChat: '/api/v4/' };
    const { path } = await sent('readChat', REQUESTS.readChat, { baseUrl: `${server.url}/gate/`, paths });
    expect(path).toBe(`/gate/api/v4/waInstance1101000001/readChat/${TOKEN}`);
  });

  it('a file goes to the mediaUrl unchanged, and not without one', async () => {
    const content = new Uint8Array([0, 255, 128]);
    const request = { fileName: 'Foto ü.png', contentType: 'image/png', content };
    const { path, headers } = await sent('uploadFile', request, {
      baseUrl: 'http://127.0.0.1:1',
      mediaUrl: `${server.url}/m`,
    });
    expect(path).toBe(`/m/waInstance1101000001/uploadFile/${TOKEN}`);
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '3' });
    expect(headers).not.toHaveProperty('ga-filename');

    const { mediaUrl: _, ...without } = anInstance(server.url);
    const gateway = aGateway(without);
    await expect(gateway.call('main', 'uploadFile', request)).rejects.toMatchObject({
      code: 'UPLOAD_NOT_POSSIBLE',
      message: /no mediaUrl/,
    });
    for (const bad of ['', '%%', 7, null, new Uint8Array()]) {
      const given = { ...request, content: bad };
      await expect(gateway.call('main', 'uploadFile', given)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }
    await gateway.close();
  });
});

async function refused<Name extends OperationName>(
  name: Name,
  request: OperationRequest<Name>,
  instance: Partial<InstanceConfig>,
): Promise<string> {
  const gateway = aGateway(anInstance(server.url, instance));
  const error = await errorOf(gateway.call('main', name, request));
  await gateway.close();
  expect(server.requests).toEqual([]);
  expect(error.next).toBe('stop');
  return `${error.code} ${error.message}`;
}

describe('the client sends nothing', () => {
  it('for an operation that the instance does not have', async () => {
    const capabilities = ['createTemplate'];
    expect(await refused('sendMessage', REQUESTS.sendMessage, { capabilities })).toMatch(
      /^INPUT_INVALID .*main.*capabilities/,
    );
  });

  it.each(['sendMessage', 'editMessage', 'sendFileByUrl', 'sendTyping', 'readChat', 'sendTextStatus'] as const)(
    'by %s to a chat outside allowedRecipients',
    async (name) => {
      expect(await refused(name, REQUESTS[name], { allowedRecipients: ['19998887766@c.us'] })).toMatch(
        /^INPUT_INVALID .*allowedRecipients/,
      );
    },
  );

  it('as a status to a contact outside allowedRecipients, but to those inside', async () => {
    const allowedRecipients = ['15550000001@c.us', '525512345678@c.us'];
    const statusTo = (...participants: string[]) => ({ message: 'x', participants });
    const outside = statusTo('15550000001@c.us', '15550000003@c.us');
    expect(await refused('sendTextStatus', outside, { allowedRecipients })).toMatch(/allowedRecipients/);
    const inside = statusTo('15550000001@c.us', '5215512345678@c.us');
    expect((await sent('sendTextStatus', inside, { allowedRecipients })).verb).toBe('POST');
    expect((await sent('readChat', { chatId: '5215512345678' }, { allowedRecipients })).verb).toBe('POST');
    expect((await sent('getMessage', REQUESTS.getMessage, { allowedRecipients })).verb).toBe('POST');
  });

  it('with an invalid base URL', async () => {
    expect(await refused('getSettings', {}, { baseUrl: 'gateway' })).toMatch(
      /^CONFIG_INVALID .*baseUrl of instance main/,
    );
  });
});
