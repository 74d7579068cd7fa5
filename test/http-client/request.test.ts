import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/http-client/routes.js';
import {
  createClient,
  EverpostError,
  itemsOf,
  type ClientOptions,
  type SendRequest,
} from '../../src/http-client/index.js';

const BODY: SendRequest = { instance: 'main', to: '15550000001', content: { kind: 'text', text: 'Hello' } };
const BEGUN = { id: 'msg_1', state: 'pending', instance: 'main', kind: 'text' };

type Respond = () => Response;

const ok: Respond = () => Response.json(BEGUN);
const lost: Respond = () => {
  throw new TypeError('fetch failed');
};
/** Without its own delay, so that a retry comes after a quarter of a second. */
const problem =
  (
    status: number,
    headers: Record<string, string> = {},
    document: object = { code: 'LEDGER_UNAVAILABLE', detail: 'Busy' },
  ): Respond =>
  () =>
    Response.json(document, { status, headers });

/** A client whose API gives these responses, repeating the last one, and the requests that it got. */
function given(responses: readonly Respond[], options: Partial<ClientOptions> = {}) {
  const requests: { url: string; headers: Record<string, string>; body: unknown }[] = [];
  const client = createClient({
    baseUrl: 'http://api.example/base/',
    fetch: async (url, init) => {
      init.signal?.throwIfAborted();
      requests.push({ url, headers: init.headers as Record<string, string>, body: init.body });
      const respond = responses[Math.min(requests.length, responses.length) - 1];
      if (respond === undefined) throw new Error('The test gives no response.');
      return respond();
    },
    ...options,
  });
  return { client, requests };
}

describe('CLIENT-1: the client', () => {
  test.each([
    ['a lost connection', lost],
    ['429', problem(429)],
    ['503', problem(503)],
    ['503 of a proxy', () => new Response('<html>', { status: 503, headers: { 'retry-after': '0' } })],
  ])('retries a send after %s, with the same key', async (_, failure) => {
    const { client, requests } = given([failure, ok]);
    expect(await client.sendMessage({ body: BODY })).toEqual(BEGUN);
    const [first, second] = requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(requests[1]?.body).toBe(JSON.stringify(BODY));
  });

  test('retries a request that reads', async () => {
    const { client, requests } = given([lost, lost, ok]);
    expect(await client.getMessage({ id: 'msg_1' })).toEqual(BEGUN);
    expect(requests).toHaveLength(3);
  });

  test('retries no POST without a key, and no PUT', async () => {
    const { client, requests } = given([lost]);
    const unreachable = { code: 'API_UNREACHABLE', status: undefined };
    await expect(client.cancelMessage({ id: 'a' })).rejects.toMatchObject(unreachable);
    const body = { instance: 'main', content: { kind: 'text' } } as const;
    await expect(client.defineCampaign({ id: 'a', body })).rejects.toMatchObject(unreachable);
    expect(requests).toHaveLength(2);
  });

  test.each([400, 401, 404, 409, 422, 500, 502])('retries nothing after %i', async (status) => {
    const { client, requests } = given([problem(status)]);
    await expect(client.sendMessage({ body: BODY })).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test('retries as often as the options allow, then throws the last error, with the key', async () => {
    const { client, requests } = given([lost, problem(503)], { retries: 1 });
    await expect(client.sendMessage({ body: BODY, key: 'order-42' })).rejects.toMatchObject({
      code: 'LEDGER_UNAVAILABLE',
      key: 'order-42',
    });
    expect(requests).toHaveLength(2);
  });

  test("does not retry when the API asks for a longer pause than the caller's", async () => {
    const { client, requests } = given([problem(503, {}, { code: 'X', retryAfterMs: 60_000 }), ok]);
    await expect(client.sendMessage({ body: BODY })).rejects.toMatchObject({ retryAfterMs: 60_000 });
    expect(requests).toHaveLength(1);
  });

  test('CLIENT-2: does not retry a stream, which is consumed', async () => {
    const { client, requests } = given([lost]);
    const file = { type: 'text/csv', body: new Blob(['phone']).stream() };
    await expect(client.importSuppressions({ file, key: 'k' })).rejects.toBeInstanceOf(EverpostError);
    expect(requests).toHaveLength(1);
  });
});

test('an aborted call throws the reason of its signal, also between two tries', async () => {
  const stop = new AbortController();
  const { client, requests } = given([
    () => {
      queueMicrotask(() => stop.abort(new Error('The user left.')));
      return problem(503)();
    },
  ]);
  await expect(client.sendMessage({ body: BODY, signal: stop.signal })).rejects.toThrow('The user left.');
  await expect(client.sendMessage({ body: BODY, signal: stop.signal })).rejects.toThrow('The user left.');
  expect(requests).toHaveLength(1);
});

test('a request that takes too long has no response', async () => {
  const { client } = given([], {
    fetch: (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    retries: 0,
  });
  await expect(client.getMessage({ id: 'a', timeoutMs: 10 })).rejects.toMatchObject({
    code: 'API_UNREACHABLE',
    cause: { name: 'TimeoutError' },
  });
});

test.each([
  ['alone', {}],
  ["beside the caller's signal", { signal: new AbortController().signal }],
])('the time limit %s holds also after memory was collected', async (_, options) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { client } = given([], {
    retries: 0,
    fetch: (_url, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  });
  const errors: unknown[] = [];
  void client.getMessage({ id: 'a', timeoutMs: 200, ...options }).catch((error: unknown) => errors.push(error));
  for (const endMs = performance.now() + 3_000; errors.length === 0 && performance.now() < endMs;) {
    collect();
    await setImmediate();
  }
  expect(errors).toMatchObject([{ code: 'API_UNREACHABLE', cause: { name: 'TimeoutError' } }]);
});

test('a problem becomes an error with all its fields', async () => {
  const document = {
    code: 'INPUT_INVALID',
    detail: 'No.',
    errors: [{ path: 'to', message: 'is missing' }],
    candidates: ['a'],
  };
  const { client } = given([problem(422, { 'x-request-id': 'r-1' }, document)]);
  await expect(client.sendMessage({ body: BODY })).rejects.toMatchObject({
    name: 'EverpostError',
    message: 'No.',
    code: 'INPUT_INVALID',
    status: 422,
    errors: document.errors,
    candidates: ['a'],
    requestId: 'r-1',
  });
});

test.each(['', 'null', '[]', '{', '<html>'])('a 200 with %j is not from the API', async (text) => {
  const { client } = given([() => new Response(text)]);
  const call = client.getMessage({ id: 'a' });
  if (text === 'null' || text === '[]') return void (await call);
  await expect(call).rejects.toMatchObject({ code: 'API_UNREACHABLE', status: 200 });
});

test('the API key is requested for each request; path and query are escaped', async () => {
  let no = 0;
  const { client, requests } = given([ok], { apiKey: () => `key-${++no}` });
  await client.getMessage({ id: 'a/b?c' });
  await client.getMessage({ id: 'é', query: { wait: 'sent', timeoutMs: 5 } });
  expect(requests.map(({ url, headers }) => [url, headers['authorization']])).toEqual([
    ['http://api.example/base/v1/messages/a%2Fb%3Fc', 'Bearer key-1'],
    ['http://api.example/base/v1/messages/%C3%A9?wait=sent&timeoutMs=5', 'Bearer key-2'],
  ]);
});

test.each(['', '.', '..', '\ud800', 'a\udc00'])(
  '%j is no part of a path, since it would reach another route',
  async (id) => {
    const { client, requests } = given([ok]);
    const refused = { name: 'EverpostError', code: 'INPUT_INVALID', errors: [{ path: 'id' }] };
    await expect(client.getMessage({ id })).rejects.toMatchObject(refused);
    await expect(client.removePlan({ id })).rejects.toMatchObject(refused);
    expect(requests).toEqual([]);
  },
);

test('every path parameter of every route stays one segment of its path', async () => {
  const { client, requests } = given([() => Response.json({ items: [] })]);
  const odd = [
    'a/b',
    '../x',
    '%2e%2e',
    '..%2f',
    '...',
    'a\\b',
    '?x=1',
    '#x',
    ';a',
    ' ',
    '\u0000',
    'http://x/',
    'é@c.us',
  ];
  const routes = Object.entries<{ readonly path: string; readonly isStreamed?: true }>(ROUTES);
  for (const [name, { path }] of routes.filter(([, route]) => route.path.includes('{') && !route.isStreamed)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one);
    for (const value of odd) {
      const call = Reflect.get(client, name) as (given: object) => Promise<unknown>;
      await call(Object.fromEntries(names.map((one) => [one, value])));
      const segments = new URL(requests.at(-1)?.url ?? '').pathname.replace('/base', '').split('/');
      expect(segments.map(decodeURIComponent)).toEqual(
        path.split('/').map((part) => (part.startsWith('{') ? value : part)),
      );
    }
  }
});

test.each([
  [
    'an empty page with a cursor',
    [
      { items: [1, 2], cursor: 'a' },
      { items: [], cursor: 'b' },
    ],
  ],
  [
    'a cursor that leads to itself',
    [
      { items: [1], cursor: 'a' },
      { items: [2], cursor: 'a' },
    ],
  ],
  ['a page without a cursor', [{ items: [1, 2] }]],
])('itemsOf ends at %s', async (_, pages) => {
  let asked = 0;
  const list = async (_page: { query?: { cursor?: string | undefined } }) =>
    pages[asked++] as { items: number[]; cursor?: string };
  const items = [];
  for await (const item of itemsOf(list, {})) items.push(item);
  expect(items).toEqual([1, 2]);
  expect(asked).toBe(pages.length);
});

test('itemsOf requests pages when they are needed', async () => {
  const pages = [{ items: [1, 2], cursor: 'next' }, { items: [3], cursor: 'last' }, { items: [4] }];
  const asked: unknown[] = [];
  const list = async (page: { query?: { state?: string; cursor?: string | undefined } }) => {
    asked.push(page.query);
    return pages[asked.length - 1] as { items: number[]; cursor?: string };
  };
  const items = [];
  for await (const item of itemsOf(list, { query: { state: 'failed' } })) {
    if (items.length === 0) expect(asked).toHaveLength(1);
    items.push(item);
  }
  expect(items).toEqual([1, 2, 3, 4]);
  expect(asked).toEqual([
    { state: 'failed', cursor: undefined },
    { state: 'failed', cursor: 'next' },
    { state: 'failed', cursor: 'last' },
  ]);
});

test('a wait that the API had no room for is repeated after the time that it names, and not at once', async () => {
  const pending = { version: 1, state: 'pending' };
  const sent = { ...pending, state: 'sent', sentAt: '2026-01-01T00:00:00Z' };
  const askedAtMs: number[] = [];
  const answer =
    (message: object, headers: Record<string, string> = {}) =>
    () => {
      askedAtMs.push(performance.now());
      return Response.json(message, { headers });
    };
  const { client } = given([answer(pending, { 'retry-after': '1' }), answer(sent)]);

  expect(await client.waitForMessage('msg_1', 'sent')).toEqual(sent);
  const [first = 0, second = 0] = askedAtMs;
  expect(second - first).toBeGreaterThan(990);
});
