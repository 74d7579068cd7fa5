import { describe, expect, it, onTestFinished } from 'vitest';
import { createEventPoster, lookUpPublic } from '../../src/worker/post-event.js';
import { anEventTarget } from './event-target.js';

const BODY = Buffer.from('{"a":1}');

/** Posts to a target that responds so. */
async function post(...respond: Parameters<typeof anEventTarget>) {
  const target = await anEventTarget(...respond);
  onTestFinished(() => target.close());
  const result = await aPoster(true).post(target.url, {}, BODY);
  return { target, result };
}

function aPoster(allowPrivate: boolean) {
  const poster = createEventPoster({ allowPrivate });
  onTestFinished(() => poster.close());
  return poster;
}

describe('posting an event', () => {
  it('sends the given bytes and headers', async () => {
    const { target } = await post();
    const headers = { 'content-type': 'text/odd', authorization: 'Bearer x' };
    expect(await aPoster(true).post(target.url, headers, BODY)).toEqual({});
    expect(target.requests[1]).toMatchObject({ path: '/hook?proof=1', headers, body: BODY });
  });

  it.each<readonly [status: number, headers: Record<string, string>, result: object]>([
    [204, {}, {}],
    ...[400, 404, 410, 500].map((status) => [status, {}, { problem: `HTTP ${status}`, httpStatus: status }] as const),
    [429, { 'retry-after': '7' }, { problem: 'HTTP 429', httpStatus: 429, retryAfterMs: 7_000 }],
    [302, { location: '/elsewhere' }, { problem: 'HTTP 302', httpStatus: 302 }],
  ])(
    'follows no redirect, and has the result of the status %i with the headers %o',
    async (status, headers, result) => {
      const posted = await post((response) => response.writeHead(status, headers).end());
      expect(posted.result).toEqual(result);
      expect(posted.target.requests).toHaveLength(1);
    },
  );

  it('reads no more of a response than its connection needs', async () => {
    const { result } = await post((response) => {
      response.writeHead(200);
      response.write('x'.repeat(1024 * 1024));
    });
    expect(result).toEqual({});
  });

  it('fails when the connection breaks', async () => {
    const { result } = await post((response) => response.destroy());
    expect(result).toEqual({ problem: 'UND_ERR_SOCKET' });
  });

  it.each([
    ['http://127.0.0.1:1/', /^ECONNREFUSED$/],
    ['nowhere', /^ERR_INVALID_URL$/],
    ['http://no-such-host.invalid/', /^E(NOTFOUND|AI_AGAIN)$/],
  ])('fails for %s', async (url, problem) => {
    const expected = { problem: expect.stringMatching(problem) as string };
    expect(await aPoster(true).post(url, {}, BODY)).toEqual(expected);
  });

  it.each(['127.0.0.1', '127.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'])(
    'does not reach the private address %s unless that is allowed',
    async (host) => {
      const { target } = await post();
      const { port } = new URL(target.url);
      expect(await aPoster(false).post(`http://${host}:${port}/`, {}, BODY)).toEqual({ problem: 'private_address' });
      expect(target.requests).toHaveLength(1);
    },
  );
});

describe('the lookup of a name', () => {
  it.each([true, false])('finds nothing when the name belongs to a private address (all of them: %s)', async (all) => {
    const found = new Promise((resolve) => lookUpPublic('localhost', { all }, (...addresses) => resolve(addresses)));

    expect(await found).toMatchObject([{ code: 'private_address' }, '']);
  });

  it('returns a public address in the requested form', async () => {
    const lookUpLocal = (all: boolean) =>
      new Promise((resolve) => lookUpPublic('8.8.8.8', { all }, (...addresses) => resolve(addresses)));

    expect(await lookUpLocal(true)).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    expect(await lookUpLocal(false)).toEqual([null, '8.8.8.8', 4]);
  });
});
