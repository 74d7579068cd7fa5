import { connect } from 'node:net';
import { once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/api/routes/routes.js';
import { timeLimitMs, withTimeLimit } from '../../src/api/server/router.js';
import { someKeys, useApi, ownApi } from './api-parts.js';

const parts = useApi({ maxImportBytes: 1_000 });

describe('an import that is over the size limit', () => {
  const tooLarge = {
    status: 413,
    body: {
      code: 'INPUT_TOO_LARGE',
      detail: expect.stringContaining('Split the file, or raise the limit: EVERPOST_MAX_IMPORT_SIZE.'),
    },
  };
  const csv = `phone\n${'15550000001\n'.repeat(200)}`;

  it('is refused as recipients, and changes nothing', async () => {
    const definition = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
    await parts.call('PUT', '/v1/campaigns/sale', definition);
    await parts.call('PUT', '/v1/campaigns/sale/recipients', 'phone\n15550000009\n', { 'content-type': 'text/csv' });

    expect(await parts.call('PUT', '/v1/campaigns/sale/recipients', csv, { 'content-type': 'text/csv' })).toMatchObject(
      tooLarge,
    );
    const { body } = await parts.call('GET', '/v1/campaigns/sale');
    expect(body).toMatchObject({ audience: 1 });
    expect(body.importing).toBeUndefined();
  });

  it('is refused as suppressions', async () => {
    expect(await parts.call('POST', '/v1/suppressions/import', csv, { 'content-type': 'text/csv' })).toMatchObject(
      tooLarge,
    );
  });

  it('is refused before it is read when its size is known', async () => {
    const response = await parts.call('POST', '/v1/suppressions/import', '15550000001\n', {
      'content-type': 'text/plain',
      'content-length': '1001',
    });
    expect(response).toMatchObject(tooLarge);
  });
});

describe('a body of thousands of levels', () => {
  it.each([
    ['PUT', '/v1/campaigns/deep'],
    ['POST', '/v1/messages'],
    ['POST', '/v1/operations/sendMessage'],
    ['POST', '/v1/templates/validate'],
    ['POST', '/v1/suppressions'],
  ])('is refused by %s %s, and is not reported as a bug', async (method, path) => {
    const list = '['.repeat(20_000) + ']'.repeat(20_000);
    const response = await parts.call(method, path, `{"instance":"main","content":{"kind":"text","text":${list}}}`);

    expect(response).toMatchObject({
      status: 400,
      body: { code: 'INPUT_INVALID', detail: expect.stringContaining('nested more than 100 levels deep') },
    });
  });
});

describe('an API without keys', () => {
  const host = '127.0.0.1:8080';
  const get = (headers: Record<string, string>) => parts.call('GET', '/v1/instances', undefined, { host, ...headers });

  it.each([
    ['no page at all', {}],
    ["a page of the API's own address", { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
  ])('accepts a request of %s', async (_, headers) => {
    expect(await get(headers)).toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, string>]>([
    ['another port of this machine', { origin: 'http://127.0.0.1:3000' }],
    ['another name of this machine', { origin: 'http://localhost:8080' }],
    ['another scheme', { origin: `https://${host}` }],
    ['a page with a null origin', { origin: 'null' }],
    ['a page elsewhere', { origin: 'https://evil.example' }],
    ['a page that names this machine by a host name of its own', { host: 'evil.example:8080' }],
    ['a page of another port without Origin', { 'sec-fetch-site': 'same-site' }],
    ['a page elsewhere without Origin', { 'sec-fetch-site': 'cross-site' }],
    ['a host whose name begins with ours', { host: 'localhost.evil.example' }],
    ['a host whose name contains ours as a user', { host: '127.0.0.1@evil.example' }],
    ...[
      'Forwarded',
      'Via',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Forwarded-Port',
      'X-Real-IP',
      'X-Client-IP',
      'X-Original-Forwarded-For',
      'True-Client-IP',
      'CF-Connecting-IP',
      'Tailscale-User-Login',
    ].map((header) => [`a proxy that adds ${header}`, { [header]: '127.0.0.1' }] as [string, Record<string, string>]),
  ])('refuses a request of %s, with any method', async (_, headers) => {
    expect(await get(headers)).toMatchObject({ status: 401 });
    expect(await parts.call('POST', '/v1/messages', {}, { host, ...headers })).toMatchObject({ status: 401 });
    const key = { name: 'taken', scopes: ['admin'] };
    expect(await parts.call('POST', '/v1/keys', key, { host, ...headers })).toMatchObject({ status: 401 });
    expect((await parts.call('GET', '/v1/keys', undefined, { host })).body).toEqual({ items: [] });
  });

  it('records what a proxy forwards without a key, and serves it with one', async () => {
    const { uncompared, call } = await ownApi();
    const { url } = await uncompared.listen({ host: '127.0.0.1', port: 0 });
    const forwarded = { 'x-forwarded-for': '203.0.113.77' };
    const refused = await fetch(`${url}/v1/messages`, { headers: forwarded });
    expect(await refused.json()).toMatchObject({
      status: 401,
      detail: expect.stringContaining('EVERPOST_API_KEYS') as string,
    });
    expect((await call('GET', '/v1/audit')).body.items).toEqual([
      expect.objectContaining({ witness: 'unidentified', address: '203.0.113.77', route: 'listMessages' }),
    ]);
    const { key } = (await call('POST', '/v1/keys', { name: 'ops', scopes: ['read'] })).body;
    const keyed = await fetch(`${url}/v1/messages`, { headers: { ...forwarded, authorization: `Bearer ${key}` } });
    expect(keyed.status).toBe(200);
  });

  it('requires a key from every caller while its public address is not loopback, and warns without one', async () => {
    const probes = ['/livez', '/readyz', '/openapi.json'];
    const local = await ownApi({ ledger: parts.ledger, publicUrl: 'http://localhost:8080' });
    expect(await local.call('GET', '/v1/messages', undefined, { host })).toMatchObject({ status: 200 });
    const open = await ownApi({ ledger: parts.ledger, publicUrl: 'https://hooks.example.com' });
    await open.uncompared.listen({ host: '127.0.0.1', port: 0 });
    expect(open.logged).toEqual([{ level: 'warn', message: expect.stringContaining('export EVERPOST_API_KEYS=') }]);
    for (const path of ['/v1/messages', '/v1/keys', '/metrics']) {
      expect(await open.call('GET', path, undefined, { host })).toMatchObject({ status: 401 });
    }
    for (const path of probes) expect((await open.call('GET', path, undefined, { host })).status, path).toBe(200);
    expect((await open.call('POST', '/webhooks/main', {}, { host })).status).toBe(200);
    const keyed = await ownApi({ ledger: parts.ledger, publicUrl: 'https://x.example', apiKeys: someKeys('key-1') });
    await keyed.uncompared.listen({ host: '127.0.0.1', port: 0 });
    expect(keyed.logged).toEqual([]);
    const headers = { host, authorization: 'Bearer key-1' };
    expect(await keyed.call('GET', '/v1/messages', undefined, headers)).toMatchObject({ status: 200 });
  });
});

describe('an Authorization header', () => {
  it('is accepted as Bearer in any case, with spaces around its token, and refused otherwise', async () => {
    const guarded = await ownApi({ ledger: parts.ledger, apiKeys: someKeys('key-1', 'old key') });
    const status = async (authorization: string) =>
      (await guarded.call('GET', '/v1/instances', undefined, { authorization })).status;

    const accepted = ['Bearer key-1', 'bearer   key-1', 'BEARER key-1  ', 'Bearer old key'];
    expect(await Promise.all(accepted.map(status))).toEqual(accepted.map(() => 200));
    const others = ['key-1', 'Basic key-1', 'Bearer', 'Bearer key-2', 'Bearer Bearer key-1'];
    const refused = [...others, `Bearer ${'x'.repeat(9_000)}`];
    expect(await Promise.all(refused.map(status))).toEqual(refused.map(() => 401));
  });
});

describe('a handler that hangs', () => {
  it('is answered after its time limit, and its connection is closed', async () => {
    const app = new Hono();
    app.get('/hangs', (c) => withTimeLimit(c, 20, () => new Promise<Response>(() => undefined)));
    const response = await app.fetch(new Request('http://127.0.0.1/hangs'));

    expect(response.status).toBe(504);
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.json()).toMatchObject({ code: 'REQUEST_TIMED_OUT' });
  });

  it('has more time when it waits, and most when it reads all recipients', () => {
    const limits = (['sendMessage', 'getMessage', 'importRecipients', 'getReportCsv', 'removePlan'] as const).map(
      (name) => timeLimitMs(ROUTES[name]),
    );
    expect(limits).toEqual([30_000, 90_000, 3_600_000, 3_600_000, 3_600_000]);
  });
});

describe('the HTTP server', () => {
  it('refuses headers over 8 kB with 431', async () => {
    const { port } = await parts.api.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${'x'.repeat(9_000)}\r\n\r\n`);

    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });
});
