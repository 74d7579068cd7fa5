/** REFUSAL-1 and REFUSAL-2, on real sockets, which have addresses. */
import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { newKeyId, newKeyText } from '../../../src/api/keyring.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { JSON_TYPE, aDirectory, anInstance, ownApi, read, someKeys } from '../api-parts.js';

const ledger = useLedger();
const ROOT = 'root-key';
const TWO = aDirectory(anInstance(), anInstance({ name: 'other', idInstance: '1101000002' }));

/** An API on a socket, and a caller behind a proxy of this machine. */
async function aServer() {
  const { uncompared } = await ownApi({ ledger, instances: TWO, apiKeys: someKeys(ROOT) });
  const { url } = await uncompared.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (key: string, address: string, path: string, body?: object) =>
    read(
      await fetch(url + path, {
        headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': `10.0.0.1, ${address}`, ...JSON_TYPE },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
  const entriesOf = async (address: string) => {
    const { body } = await ask(ROOT, '192.0.2.99', '/v1/audit?limit=500');
    return (body.items as { address?: string }[]).filter((entry) => entry.address === address);
  };
  return { ask, entriesOf };
}

describe('the audit list', () => {
  it('has refused reads, with the address of their caller, and no allowed ones', async () => {
    const { ask, entriesOf } = await aServer();
    const sender = { name: `sender-${newKeyId()}`, scopes: ['send'] };
    const { key } = (await ask(ROOT, '192.0.2.1', '/v1/keys', sender)).body;
    await ask(ROOT, '192.0.2.2', '/v1/messages');
    expect((await ask(key, '192.0.2.2', '/v1/messages')).status).toBe(403);
    expect(await entriesOf('192.0.2.2')).toMatchObject([
      { route: 'listMessages', witness: `key:${sender.name}`, status: 403, code: 'KEY_SCOPE_MISSING' },
    ]);
    expect(await entriesOf('192.0.2.1')).toMatchObject([{ route: 'createKey', status: 201 }]);
  });

  it('has requests without a valid key, but not each of many', async () => {
    const { ask, entriesOf } = await aServer();
    for (let tries = 0; tries < 15; tries += 1) await ask('wrong', '192.0.2.3', '/v1/instances/main');
    const entries = await entriesOf('192.0.2.3');
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      route: 'getInstance',
      witness: 'unidentified',
      status: 401,
      code: 'API_UNAUTHORIZED',
    });
    expect(JSON.stringify(entries)).not.toContain('wrong');
  });

  it("has a limited key's search for what is not of its instances, whether or not it exists", async () => {
    const { ask, entriesOf } = await aServer();
    const limited = { name: `limited-${newKeyId()}`, scopes: ['read', 'send'], instances: ['main'] };
    const { key } = (await ask(ROOT, '192.0.2.7', '/v1/keys', limited)).body;
    const campaign = { id: `c-${newKeyId()}`, instance: 'other', content: { kind: 'text', text: 'Hello' } };
    expect((await ask(ROOT, '192.0.2.7', '/v1/campaigns', campaign)).status).toBe(201);

    const seen = [campaign.id, 'never-was'].map((id) => ask(key, '192.0.2.8', `/v1/campaigns/${id}`));
    const [foreign, missing] = await Promise.all(seen);

    expect(foreign?.status).toBe(404);
    expect(JSON.stringify(foreign?.body).replaceAll(campaign.id, 'ID')).toBe(
      JSON.stringify(missing?.body).replaceAll('never-was', 'ID'),
    );
    const refused = { route: 'getCampaign', witness: `key:${limited.name}`, status: 404, code: 'CAMPAIGN_NOT_FOUND' };
    expect(await entriesOf('192.0.2.8')).toMatchObject([refused, refused]);
    // A key for every instance only asks for what does not exist.
    expect((await ask(ROOT, '192.0.2.9', '/v1/campaigns/never-was')).status).toBe(404);
    expect(await entriesOf('192.0.2.9')).toEqual([]);
  });
});

describe('an address that sends many invalid keys', () => {
  it('is throttled, while a valid key of it and other addresses are served', async () => {
    const { ask } = await aServer();
    const wrong = (address: string) => ask('wrong', address, '/v1/instances');
    for (let tries = 0; tries < 20; tries += 1) expect(await wrong('192.0.2.4')).toMatchObject({ status: 401 });

    const throttled = Array.from({ length: 5 }, () => wrong('192.0.2.4'));
    expect((await ask(ROOT, '192.0.2.4', '/v1/instances')).status).toBe(200);
    expect((await wrong('192.0.2.5')).status).toBe(401);
    for (const { status, headers, body } of await Promise.all(throttled)) {
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'AUTHENTICATION_THROTTLED' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});

describe('a key that cannot exist', () => {
  it('costs no query', async () => {
    const { ask } = await aServer();
    const known = vi.spyOn(ledger.apiKeys, 'known');
    const whole = newKeyText(newKeyId(), ledger.digest);
    // Well formed, with a check that anyone can compute.
    const text = whole.slice(0, -6);
    const guessed = text + createHash('sha256').update(text).digest('base64url').slice(0, 6);
    for (const key of [
      'x',
      'ep_',
      whole.slice(0, -1),
      `${whole.slice(0, -1)}${whole.endsWith('A') ? 'B' : 'A'}`,
      guessed,
    ]) {
      expect((await ask(key, '192.0.2.6', '/v1/instances')).status).toBe(401);
    }
    expect(known).not.toHaveBeenCalled();
    await ask(whole, '192.0.2.6', '/v1/instances');
    expect(known).toHaveBeenCalledTimes(1);
    known.mockRestore();
  });
});
