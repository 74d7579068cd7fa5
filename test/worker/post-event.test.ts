import { afterEach, describe, expect, it } from 'vitest';
import { createEventPoster, type EventPoster, lookUpPublic } from '../../src/worker/post-event.js';
import { anEventTarget, type EventTarget } from './event-target.js';

const BODY = Buffer.from('{"a":1}');

let poster: EventPoster | undefined;
let target: EventTarget | undefined;
afterEach(async () => {
  await poster?.close();
  await target?.close();
});

function open(): EventPoster {
  poster = createEventPoster({ allowPrivate: true });
  return poster;
}

describe('posting an event', () => {
  it('sends the given bytes and headers', async () => {
    target = await anEventTarget();

    expect(await open().post(target.url, { 'content-type': 'text/odd', authorization: 'Bearer x' }, BODY)).toEqual({});

    expect(target.requests).toMatchObject([
      { path: '/hook?proof=1', headers: { 'content-type': 'text/odd', authorization: 'Bearer x' }, body: BODY },
    ]);
  });

  it('succeeds for 204', async () => {
    target = await anEventTarget((response) => response.writeHead(204).end());

    expect(await open().post(target.url, {}, BODY)).toEqual({});
  });

  it.each([400, 404, 410, 500])('fails for %i', async (status) => {
    target = await anEventTarget((response) => response.writeHead(status).end('no'));

    expect(await open().post(target.url, {}, BODY)).toEqual({ problem: `HTTP ${status}`, httpStatus: status });
  });

  it('returns the requested pause', async () => {
    target = await anEventTarget((response) => response.writeHead(429, { 'retry-after': '7' }).end());

    expect(await open().post(target.url, {}, BODY)).toMatchObject({ httpStatus: 429, retryAfterMs: 7_000 });
  });

  it('follows no redirect', async () => {
    target = await anEventTarget((response) => response.writeHead(302, { location: '/elsewhere' }).end());

    expect(await open().post(target.url, {}, BODY)).toMatchObject({ problem: 'HTTP 302' });
    expect(target.requests).toHaveLength(1);
  });

  it('reads no more of a response than its connection needs', async () => {
    target = await anEventTarget((response) => {
      response.writeHead(200);
      response.write('x'.repeat(1024 * 1024));
    });

    expect(await open().post(target.url, {}, BODY)).toEqual({});
  });

  it('fails when the connection breaks, when nothing listens, and for an invalid URL', async () => {
    target = await anEventTarget((response) => response.destroy());
    const { url } = target;
    expect(await open().post(url, {}, BODY)).toEqual({ problem: 'UND_ERR_SOCKET' });
    await target.close();
    target = undefined;

    expect(await poster?.post(url, {}, BODY)).toEqual({ problem: 'ECONNREFUSED' });
    expect(await poster?.post('nowhere', {}, BODY)).toEqual({ problem: 'ERR_INVALID_URL' });
    expect(await poster?.post('http://no-such-host.invalid/', {}, BODY)).toMatchObject({
      problem: expect.stringMatching(/^E(NOTFOUND|AI_AGAIN)$/) as string,
    });
  });

  it('reaches no private address unless that is allowed', async () => {
    target = await anEventTarget();
    const guarded = createEventPoster({ allowPrivate: false });
    poster = guarded;
    const { port } = new URL(target.url);
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'];

    const results = await Promise.all(hosts.map((host) => guarded.post(`http://${host}:${port}/`, {}, BODY)));

    expect(new Set(results.map(({ problem }) => problem))).toEqual(new Set(['private_address']));
    expect(target.requests).toEqual([]);
  });
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
