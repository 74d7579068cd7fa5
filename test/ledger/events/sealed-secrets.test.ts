/** The secrets of endpoints and operations in the tables, with and without encryption keys. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { atRest } from '../../../src/codec/index.js';
import { parseEncryptionKeys, Secret } from '../../../src/contract/index.js';
import { ledgerParts } from '../../../src/ledger/open-ledger.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { aDatabase, TEXT_KEY } from '../../support/ledger/ledger.js';
import { MINUTE, NOW } from '../cast.js';

const [OLD, NEW] = ['old', 'new'].map((id, at) => `${id}:${Buffer.alloc(32, at).toString('base64')}`);
const HEADER = 'Bearer velvet otter';
const TOKEN = 'amber walrus';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** One database, and ledgers over it that have these keys. */
async function aTable() {
  const { db, close } = await aDatabase();
  onTestFinished(close);
  const withKeys = (...keys: readonly (string | undefined)[]) =>
    ledgerParts(new Store(db), {
      atRest: atRest(keys.length === 0 ? undefined : parseEncryptionKeys(keys.join(','))),
      gatherMs: 0,
      textKey: TEXT_KEY,
    });
  /** Every row of every table. */
  async function dump(): Promise<string> {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  }
  return { db, withKeys, dump };
}

type Parts = ReturnType<typeof ledgerParts>;

async function anEndpoint({ eventEndpoints }: Parts, id = 'evp_1', over: { requestHash?: string } = {}) {
  const given = { id, instance: 'main', url: 'https://example.com/hook', events: ['*'], raw: false };
  const requestHash = hashOf(HEADER);
  const request = { ...given, authorization: new Secret(HEADER), requestHash, ...over };
  const { secret } = await eventEndpoints.create(request, NOW);
  return secret?.reveal() ?? '';
}

function anOperation({ operations }: Parts, over: { requestHash?: string } = {}) {
  const request = { webhookUrl: 'https://example.com/', webhookUrlToken: TOKEN };
  const requestHash = hashOf(TOKEN);
  const of = { id: 'op_1', method: 'setSettings', instance: 'main', requestHash, request, nowMs: NOW };
  return operations.open({ ...of, ...over });
}

/** The credentials of the first due delivery of the endpoint, as a worker with these keys reads them. */
async function credentials(parts: Parts, id = 'evp_1') {
  await parts.eventEndpoints.test(id, NOW);
  // The events' trigger makes it due by the database's clock.
  const { due } = await parts.deliveries.claim({
    nowMs: Date.now() + MINUTE,
    leaseMs: 0,
    perTarget: 9,
    limit: 9,
    underWay: {},
  });
  const delivery = due.find(({ endpointId }) => endpointId === id);
  if (delivery !== undefined) await parts.deliveries.record([{ delivery }], NOW);
  const { secrets = [], authorization } = delivery?.credentials() ?? {};
  return { secrets: secrets.map((secret) => secret.reveal()), authorization: authorization?.reveal() };
}

describe('secrets in the tables', () => {
  it.each([
    ['with keys none of them', [OLD], false],
    ['without keys all of them', [], true],
  ])('are %s, and no hash confirms a guess', async (_, keys, isShown) => {
    const { withKeys, dump } = await aTable();
    const parts = withKeys(...keys);
    const first = await anEndpoint(parts);
    const { secret: second } = await parts.eventEndpoints.rotateSecret('evp_1', Date.now() + 60 * MINUTE, Date.now());
    const { secret: callbacks } = await parts.eventEndpoints
      .ensureCallbacks('main')
      .then(() => parts.eventEndpoints.rotateSecret('callbacks-main', NOW, NOW));
    await anOperation(parts);

    const text = await dump();

    expect(text).toContain('callbacks-main');
    for (const secret of [first, second.reveal(), callbacks.reveal(), HEADER, TOKEN]) {
      expect(text.includes(secret), secret).toBe(isShown);
    }
    for (const hash of [hashOf(HEADER), hashOf(TOKEN)]) expect(text).not.toContain(hash);
    // The rest of a request stays readable: an erasure searches it.
    expect(text).toContain('https://example.com/');
    expect(await credentials(parts)).toEqual({ secrets: [second.reveal(), first], authorization: HEADER });
    expect(await parts.operations.requestOf('op_1')).toMatchObject({ webhookUrlToken: TOKEN });
  });

  it('recognize the same request, and another one', async () => {
    const parts = (await aTable()).withKeys(OLD);
    await anEndpoint(parts);
    await anOperation(parts);

    expect(await anEndpoint(parts)).toBe('');
    expect(await anOperation(parts)).toMatchObject({ state: 'pending' });
    for (const again of [anEndpoint(parts, 'evp_1', { requestHash: 'b' }), anOperation(parts, { requestHash: 'b' })]) {
      await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    }
  });

  it('cannot be moved to the row of another endpoint', async () => {
    const { db, withKeys } = await aTable();
    const parts = withKeys(OLD);
    await anEndpoint(parts, 'evp_1');
    await anEndpoint(parts, 'evp_2');
    await sql`update event_endpoints set auth_header = (select auth_header from event_endpoints where id = 'evp_1')
      where id = 'evp_2'`.execute(db);

    await expect(credentials(parts, 'evp_2')).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' });
    expect((await parts.eventEndpoints.view('evp_2')).secretsProblem).toMatch(
      /^The stored event_endpoints.auth_header of evp_2 that names key old/,
    );
  });
});

describe('a rotation of the keys', () => {
  it.each([
    ['the former key sealed', [OLD]],
    ['were stored before there were keys', []],
  ])('seals again what %s, after which only the new key is needed', async (_, before) => {
    const { withKeys, dump } = await aTable();
    const secret = await anEndpoint(withKeys(...before));
    await anOperation(withKeys(OLD));
    const rotated = withKeys(NEW, OLD);

    expect([await rotated.eventEndpoints.sealAgain(NOW), await rotated.operations.sealAgain()]).toEqual([1, 1]);
    expect([await rotated.eventEndpoints.sealAgain(NOW), await rotated.operations.sealAgain()]).toEqual([0, 0]);

    expect(await dump()).not.toMatch(/enc:old:|velvet|whsec_/);
    const newOnly = withKeys(NEW);
    expect(await credentials(newOnly)).toEqual({ secrets: [secret], authorization: HEADER });
    expect(await newOnly.operations.requestOf('op_1')).toMatchObject({ webhookUrlToken: TOKEN });
    expect(await anEndpoint(newOnly)).toBe('');
    expect(await anOperation(newOnly)).toMatchObject({ state: 'pending' });
  });

  it('without the former key names each row that needs it, and seals the others', async () => {
    const { withKeys } = await aTable();
    await anEndpoint(withKeys(OLD), 'evp_1');
    await anEndpoint(withKeys(), 'evp_2');
    const { eventEndpoints } = withKeys(NEW);

    await expect(eventEndpoints.sealAgain(NOW)).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' });

    const [first, second] = await eventEndpoints.list();
    expect(first).toMatchObject({
      id: 'evp_1',
      secretsProblem: expect.stringContaining('of evp_1 was encrypted with key old') as string,
    });
    expect(second).not.toHaveProperty('secretsProblem');
    await expect(credentials(withKeys(OLD), 'evp_2')).rejects.toMatchObject({
      message: expect.stringContaining('key new') as string,
    });
  });

  it('does nothing in a process without keys', async () => {
    const { withKeys } = await aTable();
    await anEndpoint(withKeys(OLD));
    expect(await withKeys().eventEndpoints.sealAgain(NOW)).toBe(0);
    expect(await withKeys().operations.sealAgain()).toBe(0);
  });

  it('forgets secrets that sign no more', async () => {
    const { withKeys, dump } = await aTable();
    const parts = withKeys();
    const former = await anEndpoint(parts);
    await parts.eventEndpoints.rotateSecret('evp_1', NOW + MINUTE, NOW);

    expect(await parts.eventEndpoints.sealAgain(NOW)).toBe(0);
    expect(await dump()).toContain(former);
    expect(await parts.eventEndpoints.sealAgain(NOW + MINUTE)).toBe(1);
    expect(await dump()).not.toContain(former);
  });

  it('whose former key is lost ends with a new secret and header', async () => {
    const { withKeys } = await aTable();
    await anEndpoint(withKeys(OLD));
    const { eventEndpoints } = withKeys(NEW);

    await eventEndpoints.change('evp_1', { authorization: new Secret('Bearer other') }, NOW);
    const { endpoint } = await eventEndpoints.rotateSecret('evp_1', NOW, NOW);

    expect(endpoint).not.toHaveProperty('secretsProblem');
    const { secret } = await eventEndpoints.rotateSecret('evp_1', NOW + MINUTE, NOW);
    expect(await eventEndpoints.sealAgain(NOW + MINUTE)).toBe(1);
    expect(await eventEndpoints.sealAgain(NOW + MINUTE)).toBe(0);
    expect(await credentials(withKeys(NEW))).toEqual({ secrets: [secret.reveal()], authorization: 'Bearer other' });
  });
});
