/** Notifications over real HTTP: which senders are accepted, from where, and the effect of a refusal. */
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { InstanceConfig } from '../../src/contract/index.js';
import { createIncoming, createReceiver } from '../../src/webhooks/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { aDirectory, anInstance, someApi, someKeys, SYSTEM_CLOCK, ownApi } from './api-parts.js';

const ledger = useLedger();

const API_KEYS = someKeys('api-token');
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function withoutToken(over: Partial<InstanceConfig>): InstanceConfig {
  const { webhookTokens: _, ...instance } = anInstance(over);
  return instance;
}

type Door = Awaited<ReturnType<typeof aDoor>>;

let doors = 0;

/** An API that listens, with a receiver on a real ledger. Each test has its own instance names. */
async function aDoor(options: Parameters<typeof someApi>[0] & { list: InstanceConfig[]; host?: string }) {
  const { list, host = '127.0.0.1', ...rest } = options;
  const live = { names: () => aDirectory(...list).names(), get: (name: string) => aDirectory(...list).get(name) };
  const logged: { level: string; message: string }[] = [];
  const log = (entry: { level: string; message: string }) => void logged.push(entry);
  const common = { ledger, instances: live, clock: SYSTEM_CLOCK, log };
  const receiver = createReceiver({
    ...common,
    incoming: createIncoming(common),
  });
  const parts = await someApi({ ledger, instances: live, receiver, ...rest });
  onTestFinished(async () => {
    await parts.close();
    await receiver.close();
  });
  const { url } = await parts.api.listen({ host, port: 0 });
  doors += 1;
  const chatId = `1555777${String(doors).padStart(4, '0')}@c.us`;
  const stop = {
    typeWebhook: 'incomingMessageReceived',
    idMessage: `STOP of ${chatId}`,
    senderData: { chatId, sender: chatId },
    messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'STOP' } },
  };
  return {
    ...parts,
    receiver,
    url,
    logged,
    /** The chat that says STOP. */
    chatId,
    /** Posts a STOP of this chat; returns status and body. */
    post: (name: string, headers: Record<string, string> = {}, body: object = stop) =>
      posted(`${url}/webhooks/${name}`, { ...JSON_TYPE, ...headers }, body),
    /** The number of stored notifications of these instances, applied or not. */
    async stored() {
      const names = list.map(({ name }) => name);
      const summaries = await ledger.notifications.summaries(names, 0);
      return summaries.reduce((sum, { instance, came }) => sum + (names.includes(instance) ? came : 0), 0);
    },
  };
}

/** fetch sets Host and Origin itself. */
async function posted(url: string, headers: Record<string, string>, body: object) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers, agent: false }, (response) => {
      text(response).then((received) => resolve({ status: response.statusCode ?? 0, body: received }), reject);
    });
    request.once('error', reject).end(JSON.stringify(body));
  });
}

async function isSuppressed(door: Door, name: string): Promise<boolean> {
  await door.receiver.idle();
  const page = await ledger.suppressions.list({ instance: name, limit: 500 });
  return page.items.some(({ chatId }) => chatId === door.chatId);
}

describe('an instance without a webhookToken, on loopback', () => {
  it('accepts a notification as the gateway sends it', async () => {
    const door = await aDoor({ list: [withoutToken({ name: 'loop-1' })] });
    expect(await door.post('loop-1')).toMatchObject({ status: 200 });
    expect(await isSuppressed(door, 'loop-1')).toBe(true);
  });

  it.each([
    ['a page that posts text/plain', { 'content-type': 'text/plain', origin: 'https://page.example' }],
    ['a page that posts JSON', { origin: 'https://page.example' }],
    ['a page opened from a file', { origin: 'null' }],
    ['a page of another program on this machine', { origin: 'http://localhost:3000' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a page whose host name was rebound to this machine', { host: 'page.example:8080' }],
  ])('stores nothing from %s', async (what, headers) => {
    const name = `page-${what.replaceAll(/\W/g, '').slice(0, 40)}`;
    const door = await aDoor({ list: [withoutToken({ name })] });
    const response = await door.post(name, headers);
    expect(response.status).toBe(403);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'REQUEST_FORBIDDEN' });
    expect(await door.stored()).toBe(0);
    expect(await isSuppressed(door, name)).toBe(false);
  });

  it('stores nothing that a proxy forwards, whatever Host it writes', async () => {
    const door = await aDoor({ list: [withoutToken({ name: 'proxied' })] });
    expect(await door.post('proxied', { 'x-forwarded-for': '203.0.113.9' })).toMatchObject({ status: 401 });
    expect(await door.stored()).toBe(0);
    expect(door.logged).toEqual([expect.objectContaining({ message: expect.stringContaining('doctor --fix') })]);
  });

  it('stores nothing when EVERPOST_PUBLIC_URL names an address beyond this machine', async () => {
    const door = await aDoor({ list: [withoutToken({ name: 'public' })], publicUrl: 'https://hooks.example.com' });
    expect(await door.post('public')).toMatchObject({ status: 401 });
    expect(await door.stored()).toBe(0);
  });
});

describe('an instance with a webhookToken', () => {
  it('is accepted under every host name and through every proxy with the token', async () => {
    const door = await aDoor({ list: [anInstance({ name: 'token-1' })], publicUrl: 'https://hooks.example.com' });
    const headers = { authorization: 'Bearer hook-token', host: 'hooks.example.com', 'x-forwarded-for': '203.0.113.9' };
    expect(await door.post('token-1', headers)).toMatchObject({ status: 200 });
    expect(await isSuppressed(door, 'token-1')).toBe(true);
  });

  it('counts a STOP, a receipt or a state without idInstance only with the token', async () => {
    const door = await aDoor({ list: [anInstance({ name: 'token-2' })] });
    const claims = [
      undefined,
      { typeWebhook: 'outgoingMessageStatus', idMessage: 'A1', status: 'read' },
      { typeWebhook: 'stateInstanceChanged', stateInstance: 'blocked' },
    ];
    for (const body of claims) expect(await door.post('token-2', {}, body)).toMatchObject({ status: 401 });
    expect(await door.stored()).toBe(0);
    expect(await isSuppressed(door, 'token-2')).toBe(false);

    for (const body of claims) {
      expect(await door.post('token-2', { authorization: 'Bearer hook-token' }, body)).toMatchObject({ status: 200 });
    }
    // A sender without a token cannot find out which instances exist.
    expect(await door.post('nowhere')).toMatchObject({ status: 401 });
    expect(await door.post('nowhere', { authorization: 'Bearer hook-token' })).toMatchObject({ status: 404 });
    expect(await door.stored()).toBe(3);
    expect(await isSuppressed(door, 'token-2')).toBe(true);
  });
});

describe('a web page, when every instance has a token', () => {
  it.each([{ origin: 'https://page.example' }, { host: 'page.example' }])('gets 403: %o', async (headers) => {
    const door = await aDoor({ list: [anInstance({ name: 'all-guarded' })] });
    expect(await door.post('all-guarded', { 'content-type': 'text/plain', ...headers })).toMatchObject({ status: 403 });
    expect(await door.post('nowhere', { 'content-type': 'text/plain', ...headers })).toMatchObject({ status: 403 });
    expect(await door.stored()).toBe(0);
  });
});

describe('beyond loopback', () => {
  it('everpost does not listen while a token is missing, and names all missing tokens at once', async () => {
    const list = [
      withoutToken({ name: 'shop' }),
      anInstance({ name: 'guarded', idInstance: '2' }),
      withoutToken({ name: 'bar', idInstance: '3' }),
    ];
    const parts = await ownApi({ ledger, instances: aDirectory(...list) });
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
      await expect(parts.api.listen({ host, port: 0 })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('EVERPOST_API_KEYS, shop.webhookToken, bar.webhookToken'),
        problems: [
          { path: 'EVERPOST_API_KEYS', message: expect.stringContaining('export EVERPOST_API_KEYS=') },
          { path: 'shop.webhookToken', message: expect.stringContaining('everpost doctor --fix') },
          { path: 'bar.webhookToken', message: expect.stringContaining('everpost doctor --fix') },
        ],
      });
    }
  });

  it('an instance whose notifications are fetched needs no token', async () => {
    const list = [withoutToken({ name: 'polled', notifications: 'poll' })];
    const door = await aDoor({ list, host: '0.0.0.0', apiKeys: API_KEYS });
    expect((await fetch(`${door.url}/livez`)).status).toBe(200);
    expect(await door.post('polled')).toMatchObject({ status: 401 });
  });

  it('a later instance without a token is refused, and the others continue', async () => {
    const list = [anInstance({ name: 'there' })];
    const door = await aDoor({ list, host: '0.0.0.0', apiKeys: API_KEYS });
    list.push(withoutToken({ name: 'later', idInstance: '2' }));

    expect(await door.post('later')).toMatchObject({ status: 401 });
    expect(await door.post('later')).toMatchObject({ status: 401 });
    expect(await door.post('there', { authorization: 'Bearer hook-token' })).toMatchObject({ status: 200 });
    expect(await door.stored()).toBe(1);
    expect(door.logged.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        instance: 'later',
        message: expect.stringMatching(/later .*no webhookToken.*everpost doctor --fix/),
      },
    ]);
  });
});

describe('EVERPOST_ALLOWED_HOSTS', () => {
  const asked = async (url: string, host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(url, { headers: { host }, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.once('error', reject).end();
    });

  it('accepts its own names, loopback and the public one, and answers 403 to any other', async () => {
    const door = await aDoor({
      list: [anInstance({ name: 'hosts' })],
      host: '0.0.0.0',
      apiKeys: API_KEYS,
      allowedHosts: ['api'],
      publicUrl: 'https://hooks.example.com/everpost',
    });
    for (const host of ['api:8080', 'API', 'localhost:1', '127.0.0.1', '[::1]:8080', 'hooks.example.com']) {
      expect(await asked(`${door.url}/openapi.json`, host), host).toBe(200);
    }
    for (const host of ['page.example', 'api.page.example', 'hooks.example.com.page.example']) {
      expect(await asked(`${door.url}/openapi.json`, host), host).toBe(403);
      expect(await asked(`${door.url}/v1/instances`, host), host).toBe(403);
    }
    const authorization = 'Bearer hook-token';
    expect(await door.post('hosts', { authorization, host: 'page.example' })).toMatchObject({ status: 403 });
    expect(await door.stored()).toBe(0);
  });

  it("does not affect a supervisor's probes, which name an address", async () => {
    const door = await aDoor({ list: [anInstance({ name: 'probed' })], allowedHosts: ['api'] });
    expect(await asked(`${door.url}/livez`, '10.1.2.3:8080')).toBe(200);
  });

  it('accepts every name while it is not set', async () => {
    const door = await aDoor({ list: [anInstance({ name: 'any' })], apiKeys: API_KEYS });
    expect(await asked(`${door.url}/openapi.json`, 'everpost.svc.example')).toBe(200);
  });
});
