import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { AppError, InstanceConfig, OperationName } from '../../src/contract/index.js';
import type { Gateway, OperationResponse } from '../../src/gateway/index.js';
import { aGateway, anInstance, errorOf, REQUESTS, TOKEN } from './cast.js';
import { httpResponse, startRawServer, type RawServer } from './raw-server.js';

let server: RawServer;
let response = '';
const gateways: Gateway[] = [];

beforeAll(async () => {
  server = await startRawServer(({ socket }) => socket.write(response));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await server.close();
});

function connect(instance: Partial<InstanceConfig> = {}): Gateway {
  const gateway = aGateway(anInstance(server.url, instance));
  gateways.push(gateway);
  return gateway;
}

/** The client's result for a 200 with this body. */
async function read<Name extends OperationName>(name: Name, body: unknown): Promise<OperationResponse<Name>> {
  response = httpResponse(200, typeof body === 'string' ? body : JSON.stringify(body));
  return (await connect().call('main', name, REQUESTS[name])).response;
}

async function failure(
  name: OperationName,
  status: number,
  body: string,
  { headers = {}, instance = {} }: { headers?: Record<string, string>; instance?: Partial<InstanceConfig> } = {},
): Promise<AppError> {
  response = httpResponse(status, body, headers);
  return errorOf(connect(instance).call('main', name, REQUESTS[name]));
}

describe('a response', () => {
  it('has the id of a send and all other fields', async () => {
    expect(await read('sendMessage', { idMessage: 'BAE5 ü', later: { added: 1 } })).toEqual({
      idMessage: 'BAE5 ü',
      later: { added: 1 },
    });
    expectTypeOf<OperationResponse<'sendMessage'>['idMessage']>().toEqualTypeOf<string>();
  });

  it.each(['', 'null', '{}', '""', '{"idMessage":"1"}'])(
    'is a success of sendTyping when the body is %j',
    async (body) => {
      expect(await read('sendTyping', body)).toBeTypeOf('object');
    },
  );

  it('has no entries of a journal that is empty', async () => {
    expect(await read('lastOutgoingMessages', '')).toEqual([]);
    expect(await read('getIncomingStories', 'null')).toEqual([]);
  });

  it('may begin with a byte order mark', async () => {
    expect(await read('sendMessage', '\uFEFF{"idMessage":"1"}')).toEqual({ idMessage: '1' });
  });
});

const INVALID: readonly (readonly [OperationName, string])[] = [
  ['sendMessage', '{"idMessage":""}'],
  ['editMessage', '{"idMessage":5}'],
  ['getGroupData', '{}'],
  ['showMessagesQueue', 'null'],
  ['showMessagesQueue', ''],
  ['showMessagesQueue', '[{"messageID":"1"}]'],
  ['createTemplate', '{"template":{"status":"PENDING"}}'],
  ['readChat', '"ok"'],
];

describe('a 200 with an unexpected body', () => {
  it.each(INVALID)('is invalid, never a success: %s with %j', async (name, body) => {
    expect(await failure(name, 200, body)).toMatchObject({
      code: 'GATEWAY_RESPONSE_INVALID',
      next: 'ask',
      httpStatus: 200,
    });
  });

  it('is a group when only its subject reads like an error', async () => {
    expect(await read('getGroupData', { groupId: '1-2@g.us', subject: 'Error: forbidden' })).toMatchObject({
      groupId: '1-2@g.us',
    });
  });
});

describe('an error response', () => {
  it('means nothing else because of what the instance says of another status', async () => {
    const instance = { statusMeanings: { 501: 'not_accepted' } } as const;
    expect(await failure('sendMessage', 502, '', { instance })).toMatchObject({ next: 'ask' });
  });

  it("keeps the gateway's message, not its path", async () => {
    const body = JSON.stringify({
      statusCode: 400,
      timestamp: '2026-01-01T00:00:00.000Z',
      path: `/waInstance1101000001/readChat/${TOKEN}`,
      message: 'Validation failed. Details: chatId 15551234567@c.us',
    });
    expect((await failure('readChat', 400, body)).gatewayText).toBe('Validation failed. Details: chatId [chat]');
    expect((await failure('sendMessage', 502, '<html><title>502 Bad Gateway</title></html>')).gatewayText).toBe(
      '502 Bad Gateway',
    );
    expect((await failure('sendMessage', 400, 'x'.repeat(9_000))).gatewayText).toHaveLength(500);
    expect((await failure('sendMessage', 400, '')).gatewayText).toBeUndefined();
    expect((await failure('sendMessage', 400, '{"message":["a","b"]}')).gatewayText).toBe('a; b');
  });

  it("does not contain the request's text", async () => {
    const error = await failure('sendMessage', 400, `bad message: ${REQUESTS.sendMessage.message}`);
    expect(error.gatewayText).toBe('bad message: [message]');
  });

  it.each([
    ['7', {}, 7_000],
    ['Fri, 01 Jan 2027 00:00:30 GMT', { date: 'Fri, 01 Jan 2027 00:00:00 GMT' }, 30_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', { date: 'Fri, 01 Jan 2027 00:00:30 GMT' }, 1_000],
    // A gateway that names no pause is not asked in a hot loop.
    ['0', {}, 1_000],
    ['9999999999', {}, 86_400_000],
    ['soon', {}, undefined],
  ])('delays by Retry-After %s', async (value, headers, retryAfterMs) => {
    const error = await failure('sendMessage', 429, '', { headers: { 'retry-after': value, ...headers } });
    expect(error.retryAfterMs).toBe(retryAfterMs);
  });

  it('reports what failed, for which instance, why and the remedy', async () => {
    const error = await failure('sendMessage', 401, '');
    expect(error.message).toBe(
      'sendMessage for instance main failed: the token is not accepted (HTTP 401). Correct the token of the instance.',
    );
  });
});
