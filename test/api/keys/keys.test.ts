/** Proves KEY-1 to KEY-3, KEYRING-1 to KEYRING-3 and AUDIT-1 to AUDIT-3 through the API. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GrantedTurns, ReserveTurns } from '../../../src/ledger/index.js';
import { createKeyRates } from '../../../src/api/key-limits.js';
import { keyIdOf, newKeyId, newKeyText } from '../../../src/api/keyring.js';
import { aLedger, useLedger } from '../../support/ledger/ledger.js';
import { eventually } from '../../support/eventually.js';
import { ALICE, SYSTEM_CLOCK, refusal, someApi, someKeys, ownApi, useApi } from '../api-parts.js';

const ledger = useLedger();
const clock = { aheadMs: 0, nowMs: () => SYSTEM_CLOCK.nowMs() + clock.aheadMs };
const parts = useApi({ ledger, clock, apiKeys: someKeys('root-key') });

const ask = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  parts.call(method, path, body, { authorization: `Bearer ${key}`, ...headers });
const asRoot = (method: string, path: string, body?: object) => ask('root-key', method, path, body);
const MESSAGE = { instance: 'main', to: ALICE, content: { kind: 'text', text: 'Hello' } };

let keys = 0;

async function aKey(over: object = {}): Promise<{ name: string; key: string; id: string }> {
  const name = `shop-${++keys}`;
  const { status, body } = await asRoot('POST', '/v1/keys', { name, scopes: ['read', 'send'], ...over });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

describe('a key', () => {
  it('is shown once, and stored as a hash', async () => {
    const { name, key, id } = await aKey({ instances: ['main'], ratePerSecond: 20, expiresIn: '90d' });
    expect(key).toMatch(/^ep_[0-9a-z]{16}_[\w-]{49}$/);
    const shown = await asRoot('GET', `/v1/keys/${name}`);
    expect(shown.body).toMatchObject({ id, name, createdBy: 'key:a', instances: ['main'], ratePerSecond: 20 });
    const all = JSON.stringify([shown.body, (await asRoot('GET', '/v1/keys')).body, await ledger.apiKeys.known(id)]);
    expect(all).not.toContain(key.slice(-20));
    await eventually(async () => expect((await ask(key, 'GET', '/v1/instances')).status).toBe(200));
  });

  it('keeps its name permanently', async () => {
    const { name } = await aKey();
    await asRoot('POST', `/v1/keys/${name}/revoke`);
    for (const taken of [name, 'a']) {
      const { status, body } = await asRoot('POST', '/v1/keys', { name: taken, scopes: ['read'] });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'KEY_EXISTS' });
    }
  });

  it.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['read', 'read'] }, 'scopes'],
    [{ scopes: ['root'] }, 'scopes[0]'],
    [{ name: 'Über' }, 'name'],
    [{ ratePerSecond: 0 }, 'ratePerSecond'],
    [{ expiresIn: 'soon' }, 'expiresIn'],
    [{ instances: [] }, 'instances'],
  ])('is refused with %o', async (over, path) => {
    const { status, body } = await asRoot('POST', '/v1/keys', { name: 'x', scopes: ['read'], ...over });
    expect(status).toBe(422);
    expect(body.errors[0].path).toBe(path);
  });

  it('is refused for an unknown instance', async () => {
    const { status } = await asRoot('POST', '/v1/keys', { name: 'x', scopes: ['read'], instances: ['nowhere'] });
    expect(status).toBe(404);
  });

  it('shows itself to its caller, whatever its scopes', async () => {
    for (const scope of ['read', 'send', 'admin']) {
      const { name, key } = await aKey({ scopes: [scope], instances: ['main'] });
      const caller = { name: `key:${name}`, scopes: [scope], instances: ['main'] };
      expect((await ask(key, 'GET', '/v1/caller')).body).toEqual(caller);
    }
    expect(await ask('guessed', 'GET', '/v1/caller')).toMatchObject(refusal(401, 'API_UNAUTHORIZED'));
  });

  it('is valid until it expires', async () => {
    const { key } = await aKey({ expiresIn: '1h' });
    expect((await ask(key, 'GET', '/v1/instances')).status).toBe(200);
    clock.aheadMs = 3_600_001;
    expect((await ask(key, 'GET', '/v1/instances')).status).toBe(401);
    clock.aheadMs = 0;
  });

  it('is valid beside its rotated successor for the overlap, and no longer', async () => {
    const { name, key } = await aKey();
    const rotated = await asRoot('POST', `/v1/keys/${name}/rotate`, { overlap: '1h' });
    expect(rotated).toMatchObject({ status: 200, body: { name, previousUntil: expect.any(String) } });
    for (const valid of [key, rotated.body.key]) expect((await ask(valid, 'GET', '/v1/instances')).status).toBe(200);
    clock.aheadMs = 3_600_001;
    expect((await ask(key, 'GET', '/v1/instances')).status).toBe(401);
    clock.aheadMs = 0;
    const again = await asRoot('POST', `/v1/keys/${name}/rotate`, {});
    const statuses = await Promise.all(
      [key, rotated.body.key, again.body.key].map(async (one) => (await ask(one, 'GET', '/v1/instances')).status),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('is refused at once here after its revocation, and soon by every other process', async () => {
    const other = await ownApi({ ledger, apiKeys: someKeys('root-key') });
    const { name, key } = await aKey();
    const authorization = `Bearer ${key}`;
    expect((await other.call('GET', '/v1/instances', undefined, { authorization })).status).toBe(200);
    expect(await asRoot('POST', `/v1/keys/${name}/revoke`)).toMatchObject({ body: { revokedAt: expect.any(String) } });
    expect((await ask(key, 'GET', '/v1/instances')).status).toBe(401);
    await eventually(async () => {
      expect((await other.call('GET', '/v1/instances', undefined, { authorization })).status).toBe(401);
    });
    expect((await asRoot('POST', `/v1/keys/${name}/rotate`, {})).status).toBe(404);
  });

  it('shows when it was last used', async () => {
    const { name, key } = await aKey();
    await ask(key, 'GET', '/v1/instances');
    await eventually(async () => expect(await ledger.apiKeys.view(name)).toHaveProperty('lastUsedAt'));
  });

  it('is not needed on this machine when none is configured, but limits the caller that sends one', async () => {
    const open = await ownApi({ ledger });
    const { key } = await aKey({ scopes: ['read'] });
    expect((await open.call('POST', '/v1/messages', MESSAGE)).status).toBe(202);
    const headers = { authorization: `Bearer ${key}` };
    expect((await open.call('POST', '/v1/messages', MESSAGE, headers)).status).toBe(403);
    expect((await open.call('GET', '/v1/messages', undefined, { authorization: 'Bearer no' })).status).toBe(401);
  });

  it('opens an API beyond this machine with all scopes, where every caller then needs one', async () => {
    const mine = await aLedger();
    const open = await someApi({ ledger: mine });
    await expect(open.api.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await open.call('POST', '/v1/keys', { name: 'reader', scopes: ['read'] });
    await expect(open.api.listen({ host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await open.call('POST', '/v1/keys', { name: 'ops', scopes: ['admin'] });
    await open.api.listen({ host: '0.0.0.0', port: 0 });
    expect((await open.call('GET', '/v1/keys')).status).toBe(401);
    await open.close();
    await mine.close();
  });
});

describe('an invalid key', () => {
  it('is recognized by its check, which needs the secret of the ledger that issued it', () => {
    const digestOf = (secret: string) => (text: string) => createHash('sha256').update(secret).update(text).digest();
    const [digest, ofOther] = [digestOf('one'), digestOf('other')];
    for (let time = 0; time < 50; time += 1) {
      const id = newKeyId();
      const key = newKeyText(id, digest);
      expect(keyIdOf(key, digest)).toBe(id);
      expect(keyIdOf(key, ofOther)).toBeUndefined();
      const at = Math.floor(Math.random() * key.length);
      const changed = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect(keyIdOf(changed, digest), changed).toBeUndefined();
      expect(keyIdOf(key.slice(0, at), digest)).toBeUndefined();
      expect(keyIdOf(`${key}a`, digest)).toBeUndefined();
    }
  });

  it('is in no response and in no log', async () => {
    const { key } = await aKey({ scopes: ['read'] });
    const answers = [
      await ask(`${key}x`, 'GET', '/v1/instances'),
      await ask(key, 'POST', '/v1/messages', MESSAGE),
      await ask(key, 'GET', '/v1/messages/none'),
    ];
    expect(JSON.stringify([answers.map(({ body }) => body), parts.logged])).not.toContain(key.slice(20, 60));
  });
});

function someBuckets(...grants: readonly Partial<GrantedTurns>[]) {
  const asked: ReserveTurns[] = [];
  const reserve = async (input: ReserveTurns): Promise<GrantedTurns> => {
    asked.push(input);
    return { turns: input.turns, firstInMs: 0, blockedForMs: 0, ...grants[asked.length - 1] };
  };
  return { asked, takeTurn: createKeyRates({ reserve }) };
}

const LIMIT = { id: 'k', perSecond: 1_000 };

describe('the rate limit of a key', () => {
  it('asks the ledger once for all requests within a twentieth of a second', async () => {
    const { asked, takeTurn } = someBuckets();
    await Promise.all(Array.from({ length: 50 }, () => takeTurn(LIMIT)));
    expect(asked).toEqual([{ instance: 'key:k', operation: 'api', turns: 50, spacingMs: 1, maxWaitMs: 1_000 }]);
    await takeTurn(LIMIT);
    expect(asked).toHaveLength(2);
  });

  it('refuses without asking, once the time of the next turn is known', async () => {
    const { asked, takeTurn } = someBuckets({ turns: 0, firstInMs: 61_000 });
    for (let time = 0; time < 5; time += 1) {
      const refused: unknown = await takeTurn(LIMIT).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'KEY_RATE_LIMITED', retryAfterMs: expect.any(Number) });
      expect(Math.round(Number(Reflect.get(Object(refused), 'retryAfterMs')) / 1_000)).toBe(60);
    }
    expect(asked).toHaveLength(1);
  });

  it('counts each key separately, and causes no other error when the ledger cannot be asked', async () => {
    const takeTurn = createKeyRates({ reserve: () => Promise.reject(new Error('away')) });
    await expect(takeTurn(LIMIT)).rejects.toThrow('away');
    const { asked, takeTurn: other } = someBuckets({ turns: 1 }, { turns: 1 });
    await Promise.all([other(LIMIT), other({ id: 'l', perSecond: 1 })]);
    expect(asked.map(({ instance, turns }) => [instance, turns])).toEqual([
      ['key:k', 50],
      ['key:l', 1],
    ]);
  });

  it('refuses requests above it, answers when to retry, and counts them without its name', async () => {
    const { key, name } = await aKey({ ratePerSecond: 2 });
    const statuses: number[] = [];
    let refused = await ask(key, 'GET', '/v1/instances');
    for (let at = 0; at < 10 && refused.status === 200; at += 1) {
      refused = await ask(key, 'GET', '/v1/instances');
      statuses.push(refused.status);
    }
    expect(statuses.length).toBeLessThan(10);
    expect(refused).toMatchObject({ status: 429, body: { code: 'KEY_RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const metrics = (await asRoot('GET', '/metrics')).body;
    expect(metrics).toMatch(/^everpost_api_key_rate_refusals_total [1-9]/m);
    expect(metrics).not.toContain(name);
    await eventually(async () => expect((await ask(key, 'GET', '/v1/instances')).status).toBe(200));
  });

  it('applies to all processes together', async () => {
    const other = await ownApi({ ledger, apiKeys: someKeys('root-key') });
    const { key } = await aKey({ ratePerSecond: 0.5 });
    const headers = { authorization: `Bearer ${key}` };
    await ask(key, 'GET', '/v1/instances');
    await ask(key, 'GET', '/v1/instances');
    expect((await other.call('GET', '/v1/instances', undefined, headers)).status).toBe(429);
  });
});

describe('the requester', () => {
  it('is named by a message, its cancellation and its edits', async () => {
    const { name, key } = await aKey();
    const { body } = await ask(key, 'POST', '/v1/messages', MESSAGE);
    await ask(key, 'POST', `/v1/messages/${body.id}/edits?timeoutMs=0`, { text: 'Bye' });
    await asRoot('POST', `/v1/messages/${body.id}/cancel`);
    const found = await asRoot('GET', `/v1/messages/${body.id}`);
    expect(found.body.requestedBy).toBe(`key:${name}`);
    expect(found.body.evidence).toEqual([
      expect.objectContaining({ what: 'edit_requested', witness: `key:${name}` }),
      expect.anything(),
      expect.objectContaining({ what: 'cancelled', witness: 'key:a' }),
    ]);
  });

  it('is named by the pause of an instance', async () => {
    const { name, key } = await aKey({ scopes: ['admin'] });
    await ask(key, 'POST', '/v1/instances/main/pause?timeoutMs=0');
    const { body } = await asRoot('GET', '/v1/instances/main');
    expect(body.pauses).toEqual([expect.objectContaining({ reason: 'operator', witness: `key:${name}` })]);
    await asRoot('POST', '/v1/instances/main/resume');
  });

  it('is in the audit list, with refused requests, and without contents', async () => {
    const { name, key } = await aKey();
    const campaign = await ask(key, 'POST', '/v1/campaigns', { instance: 'main', content: MESSAGE.content });
    await ask(key, 'POST', `/v1/campaigns/${campaign.body.id}/pause?timeoutMs=0`);
    await ask(key, 'POST', '/v1/instances/main/pause', undefined, { 'x-request-id': 'r-1' });
    await ask(key, 'POST', '/v1/messages', MESSAGE);
    await ask((await aKey({ scopes: ['read'] })).key, 'POST', '/v1/messages', MESSAGE);
    await ask(key, 'GET', '/v1/messages');
    const { body } = await asRoot('GET', `/v1/audit?key=${name}`);
    expect(body.items).toMatchObject([
      { route: 'pauseInstance', status: 403, code: 'KEY_SCOPE_MISSING', requestId: 'r-1' },
      { route: 'pauseCampaign', status: 409, code: 'CAMPAIGN_NOT_STARTED', objectId: campaign.body.id },
      { route: 'beginCampaign', status: 201, objectId: campaign.body.id, instance: 'main', witness: `key:${name}` },
    ]);
    const { items } = (await asRoot('GET', '/v1/audit?limit=2')).body;
    expect(items).toMatchObject([
      { route: 'sendMessage', status: 403, witness: `key:shop-${keys}` },
      { route: 'createKey', status: 201, objectId: `shop-${keys}`, witness: 'key:a' },
    ]);
    expect(JSON.stringify([body, items])).not.toMatch(/Hello|1555/);
  });

  it('is named by the commands of a campaign', async () => {
    const { name, key } = await aKey();
    const { body } = await ask(key, 'POST', '/v1/campaigns', { instance: 'main', content: MESSAGE.content });
    await ask(key, 'POST', `/v1/campaigns/${body.id}/pause?timeoutMs=0`);
    await asRoot('POST', `/v1/campaigns/${body.id}/cancel?timeoutMs=0`);
    const { commands } = (await asRoot('GET', `/v1/campaigns/${body.id}`)).body;
    expect(commands).toMatchObject([
      { kind: 'pause', requestedBy: `key:${name}` },
      { kind: 'cancel', requestedBy: 'key:a', begunAt: expect.any(String) },
    ]);
    expect(commands[0]).not.toHaveProperty('begunAt');
  });

  it('is listed in pages, by instance and since a time', async () => {
    for (let at = 0; at < 3; at += 1) await asRoot('POST', '/v1/suppressions', { instance: 'main', to: ALICE });
    const first = await asRoot('GET', '/v1/audit?instance=main&limit=2');
    expect(first.body.items).toHaveLength(2);
    const second = await asRoot('GET', `/v1/audit?instance=main&limit=2&cursor=${first.body.cursor}`);
    expect(second.body.items[0]).not.toEqual(first.body.items[1]);
    expect((await asRoot('GET', '/v1/audit?cursor=x')).status).toBe(422);
    expect((await asRoot('GET', '/v1/audit?since=2100-01-01T00:00:00Z')).body.items).toEqual([]);
  });

  it('is kept for its retention only', async () => {
    const count = async () => (await asRoot('GET', '/v1/audit?limit=500')).body.items.length;
    expect(await ledger.audit.removeOld(clock.nowMs() - 3_600_000)).toBe(0);
    const all = await count();
    // Refused requests were recorded while the clock was ahead.
    expect(await ledger.audit.removeOld(clock.nowMs() + 7_200_000)).toBe(all);
    expect(await count()).toBe(0);
  });

  it('is logged when it cannot be recorded, and the request is answered', async () => {
    const record = () => Promise.reject(new Error('the disk is full'));
    const audit = { record, list: () => Promise.resolve({ items: [] }), removeOld: () => Promise.resolve(0) };
    const broken = await ownApi({ ledger: { ...ledger, audit } });
    const { status } = await broken.call('POST', '/v1/suppressions', { instance: 'main', to: ALICE });
    expect(status).toBe(200);
    expect(broken.logged).toEqual([expect.objectContaining({ level: 'error', route: 'addSuppression' })]);
  });
});
