/** What operators read of many accounts and endpoints: the doctor's findings, unwell accounts, and deliveries by page. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/contract/index.js';
import { aDirectory, anInstance, ownApi, refusal, someKeys } from './api-parts.js';
import { aKey } from './keys/two-worlds.js';

const OPS = 'the-key-of-ops-for-findings';
const NAMES = ['a', 'b', 'c', 'd'];
const broken = (instance: string): Finding => ({
  subject: `instance ${instance}`,
  instance,
  verdict: 'broken',
  found: 'blocked',
  remedy: 'Use another one.',
});

async function anApi() {
  const asked: string[] = [];
  const parts = await ownApi({
    apiKeys: someKeys(OPS),
    instances: aDirectory(...NAMES.map((name, at) => anInstance({ name, idInstance: String(1101000001 + at) }))),
    examination: {
      temporal: () => Promise.resolve([{ subject: 'temporal', verdict: 'ok', found: 'responds' }]),
      account(name) {
        asked.push(name);
        return Promise.resolve([broken(name)]);
      },
    },
  });
  const get = (path: string, key = OPS) => parts.call('GET', path, undefined, { authorization: `Bearer ${key}` });
  const post = (path: string, body?: object) =>
    parts.call('POST', path, body, { authorization: `Bearer ${OPS}`, 'Idempotency-Key': crypto.randomUUID() });
  return { ...parts, get, post, asked };
}

describe('the findings of the doctor', () => {
  it('are of the whole installation, each with its time, and cost one examination', async () => {
    const { get, asked } = await anApi();
    const [{ body }] = await Promise.all([get('/v1/findings'), get('/v1/findings')]);
    expect(body.items.map(({ subject }: Finding) => subject)).toEqual(
      expect.arrayContaining(['temporal', ...NAMES.map((name) => `instance ${name}`)]),
    );
    expect(body.items[0].at).toMatch(/^\d{4}-.*Z$/);
    expect(asked.toSorted()).toEqual(NAMES);
  });

  it('are those of one account on request, and of its own for a key of some accounts', async () => {
    const { get, ledger, asked } = await anApi();
    const owners = ({ body }: Awaited<ReturnType<typeof get>>) => [
      ...new Set(body.items.map(({ instance }: Finding) => instance)),
    ];
    expect(owners(await get('/v1/findings?instance=b'))).toEqual(['b']);
    const limited = await aKey([ledger], ['read'], ['c']);
    expect(owners(await get('/v1/findings', limited))).toEqual(['c']);
    expect(await get('/v1/findings?instance=b', limited)).toMatchObject(refusal(404, 'INSTANCE_NOT_FOUND'));
    expect(asked).toEqual(['b', 'c']);
  });

  it('name a paused account of the ledger', async () => {
    const { get, post } = await anApi();
    await post('/v1/instances/d/pause?timeoutMs=0');
    const { body } = await get('/v1/findings?instance=d');
    expect(body.items).toContainEqual(
      expect.objectContaining({ instance: 'd', found: expect.stringContaining('paused: operator') as string }),
    );
  });
});

describe('the list of accounts', () => {
  it('is read by page, with the names of all', async () => {
    const { get } = await anApi();
    const first = (await get('/v1/instances?limit=3')).body;
    expect([first.items.map(({ name }: { name: string }) => name), first.names]).toEqual([['a', 'b', 'c'], NAMES]);
    const last = (await get(`/v1/instances?limit=3&cursor=${first.cursor}`)).body;
    expect([last.items.map(({ name }: { name: string }) => name), last.cursor]).toEqual([['d'], undefined]);
  });

  it('shows those that an operator has to look at', async () => {
    const { get, post, ledger } = await anApi();
    const atMs = Date.now();
    await post('/v1/instances/b/pause?timeoutMs=0');
    await ledger.instanceStates.record({ instance: 'a', state: 'authorized', atMs });
    await ledger.instanceStates.record({ instance: 'c', state: 'notAuthorized', atMs });
    await ledger.instances.recordConnection({ instance: 'd', status: 'offline', atMs });
    const unwell = async () =>
      (await get('/v1/instances?unwell=true')).body.items.map(({ name }: { name: string }) => name);
    expect(await unwell()).toEqual(['b', 'c', 'd']);
    await post('/v1/instances/b/resume');
    await ledger.instances.recordConnection({ instance: 'd', status: 'online', atMs: atMs + 1 });
    expect(await unwell()).toEqual(['c']);
  });
});

describe('the deliveries of an endpoint', () => {
  it('are read by page, the oldest first, and those that were set aside apart', async () => {
    const { get, post, ledger } = await anApi();
    const { id } = (await post('/v1/event-endpoints', { instance: 'a', url: 'https://example.com/hook' })).body;
    const events: string[] = [];
    for (let at = 0; at < 3; at += 1) events.push((await post(`/v1/event-endpoints/${id}/test`)).body.event);
    const path = `/v1/event-endpoints/${id}/deliveries`;
    const first = (await get(`${path}?limit=2`)).body;
    const rest = (await get(`${path}?limit=2&cursor=${first.cursor}`)).body;
    const shown = [...first.items, ...rest.items].map(({ event }: { event: string }) => event);
    expect([shown, rest.cursor]).toEqual([events, undefined]);

    const nowMs = Date.now();
    const claim = { nowMs, leaseMs: 1_000, perTarget: 1, limit: 1, underWay: {} };
    const { due } = await ledger.deliveries.claim(claim);
    const [delivery] = due;
    await ledger.deliveries.record([{ delivery: delivery!, problem: 'HTTP 500' }], nowMs);
    expect((await get(`${path}?state=failed`)).body.items).toMatchObject([
      { event: events[0], instance: 'a', type: 'endpoint.test', tries: 1, problem: 'HTTP 500' },
    ]);
    expect((await get(path)).body.items).toHaveLength(2);
  });
});
