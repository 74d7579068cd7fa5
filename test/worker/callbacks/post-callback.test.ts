import { afterEach, describe, expect, it } from 'vitest';
import { createCallbackPoster, type CallbackPoster } from '../../../src/worker/callbacks/post-callback.js';
import { lookUpPublic } from '../../../src/worker/look-up-public.js';
import { aCallbackTarget, type CallbackTarget } from './callback-target.js';

const EVENT = { eventId: 'evt_1' };

let poster: CallbackPoster | undefined;
let target: CallbackTarget | undefined;
afterEach(async () => {
  await poster?.close();
  await target?.close();
});

describe('a callback', () => {
  it('is posted as JSON, with its id as the key of the request', async () => {
    target = await aCallbackTarget();
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBeUndefined();

    expect(target.events).toEqual([EVENT]);
    expect(target.requests).toMatchObject([
      { path: '/hook?proof=1', headers: { 'content-type': 'application/json', 'idempotency-key': 'evt_1' } },
    ]);
  });

  it('is taken when it is answered 204', async () => {
    target = await aCallbackTarget((response) => response.writeHead(204).end());
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBeUndefined();
  });

  it.each([400, 404, 410, 429, 500])('is not taken when it is answered %i', async (status) => {
    target = await aCallbackTarget((response) => response.writeHead(status).end('no'));
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBe(`HTTP ${status}`);
  });

  it('follows no redirect', async () => {
    target = await aCallbackTarget((response) => response.writeHead(302, { location: '/elsewhere' }).end());
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBe('HTTP 302');
    expect(target.requests).toHaveLength(1);
  });

  it('that breaks off is not taken', async () => {
    target = await aCallbackTarget((response) => response.destroy());
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBe('UND_ERR_SOCKET');
  });

  it('to a port where nothing listens is not taken', async () => {
    target = await aCallbackTarget();
    await target.close();
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post(target.url, EVENT)).toBe('ECONNREFUSED');
    target = undefined;
  });

  it('that is no URL is not taken', async () => {
    poster = createCallbackPoster({ allowPrivate: true });

    expect(await poster.post('nowhere', EVENT)).toBe('ERR_INVALID_URL');
  });

  it('reaches no private address unless that is allowed', async () => {
    target = await aCallbackTarget();
    const guarded = createCallbackPoster({ allowPrivate: false });
    poster = guarded;
    const { port } = new URL(target.url);
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'];

    const problems = await Promise.all(hosts.map((host) => guarded.post(`http://${host}:${port}/`, EVENT)));

    expect(new Set(problems)).toEqual(new Set(['private_address']));
    expect(target.requests).toEqual([]);
  });
});

describe('looking up a name', () => {
  it.each([true, false])('that stands for a private address finds nothing (all of them: %s)', async (all) => {
    const found = new Promise((resolve) => lookUpPublic('localhost', { all }, (...addresses) => resolve(addresses)));

    expect(await found).toMatchObject([{ code: 'private_address' }, '']);
  });

  it('passes a public address on as it was asked for', async () => {
    const lookUpLocal = (all: boolean) =>
      new Promise((resolve) => lookUpPublic('8.8.8.8', { all }, (...addresses) => resolve(addresses)));

    expect(await lookUpLocal(true)).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    expect(await lookUpLocal(false)).toEqual([null, '8.8.8.8', 4]);
  });
});
