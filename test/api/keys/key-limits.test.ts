/** Proves QUOTA-1 to QUOTA-4 and FILE-5 through the API: what a key may use, and that it takes nothing from others. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_KEY_LIMITS, parseKeyLimits } from '../../../src/contract/index.js';
import { forgetStale } from '../../../src/api/forget-stale.js';
import { CampaignCast } from '../../ledger/campaigns/campaign-life-cast.js';
import { NOW } from '../../ledger/cast.js';
import { eventually } from '../../support/eventually.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { ALICE, aDirectory, anInstance, ownApi, refusal, someKeys } from '../api-parts.js';

const ledger = useLedger();
const MESSAGE = { instance: 'main', to: ALICE, content: { kind: 'text', text: 'Hello' } };

async function aPlace(limits: string, ...campaigns: readonly CampaignCast[]) {
  const others = campaigns.map(({ instance }, at) => anInstance({ name: instance, idInstance: `110200000${at}` }));
  const parts = await ownApi({
    ledger,
    clock: { nowMs: () => NOW },
    instances: aDirectory(anInstance(), ...others),
    apiKeys: someKeys('root-key'),
    keyLimits: parseKeyLimits(limits),
  });
  /** A caller with a key: a new one, or this one. */
  async function aCaller(key?: string, over: object = {}) {
    const body = { name: `k-${randomUUID()}`, scopes: ['read', 'send', 'admin'], ...over };
    const root = { authorization: 'Bearer root-key' };
    const own: string = key ?? (await parts.call('POST', '/v1/keys', body, root)).body.key;
    const authorization = `Bearer ${own}`;
    const ask = (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) =>
      parts.call(method, path, sent, { authorization, ...headers });
    return {
      ask,
      fetch: (path: string, init: RequestInit) =>
        parts.uncompared.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers: { authorization } })),
      /** Twice, as after a lost response. */
      async command(method: string, path: string, sent?: object) {
        const headers = { 'idempotency-key': randomUUID() };
        const first = await ask(method, path, sent, headers);
        return [first, await ask(method, path, sent, headers)] as const;
      },
    };
  }
  return { ...parts, aCaller };
}

type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof aPlace>>['aCaller']>>;

/** Whether the caller still has a wait. */
async function maySurelyWait({ ask }: Caller, id: string): Promise<boolean> {
  return (await ask('GET', `/v1/messages/${id}?wait=sent&timeoutMs=1`)).headers.get('retry-after') === null;
}

/** The caller holds this many waits. It asks again when one is refused, since `maySurelyWait` takes one for a moment. */
async function holding(caller: Caller, id: string, waits: number) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const { signal } = left;
  const hold = async (): Promise<void> => {
    while (!signal.aborted) await caller.fetch(`/v1/messages/${id}?wait=sent&timeoutMs=60000`, { signal });
  };
  const held = Promise.all(Array.from({ length: waits }, hold));
  await eventually(async () => expect(await maySurelyWait(caller, id)).toBe(false));
  return {
    async leave(): Promise<void> {
      left.abort();
      await held;
    },
  };
}

describe('QUOTA-2: a key that holds all its waits', () => {
  const AT_ONCE = { 'retry-after': '2' };
  const headersOf = ({ headers }: { headers: Headers }) => ({ 'retry-after': headers.get('retry-after') });

  it('leaves the waits of all others, and gets the current state at once until its own waits end', async () => {
    const { aCaller } = await aPlace('waits=2');
    const greedy = await aCaller();
    const { id } = (await greedy.ask('POST', '/v1/messages', MESSAGE)).body;
    const { leave } = await holding(greedy, id, 2);

    const shortened = await greedy.ask('GET', `/v1/messages/${id}?wait=sent&timeoutMs=60000`);
    expect(shortened).toMatchObject({ status: 200, body: { id, state: 'pending' } });
    expect(headersOf(shortened)).toEqual(AT_ONCE);
    for (const other of [await aCaller(), await aCaller('root-key')]) {
      const begunMs = performance.now();
      const waited = await other.ask('GET', `/v1/messages/${id}?wait=sent&timeoutMs=150`);
      expect(waited).toMatchObject({ status: 200, body: { state: 'pending' } });
      expect(headersOf(waited)).toEqual({ 'retry-after': null });
      expect(performance.now() - begunMs).toBeGreaterThan(140);
    }
    await leave();
    await eventually(async () => expect(await maySurelyWait(greedy, id)).toBe(true));
  });

  it('still does every command exactly once, and answers with its state', async () => {
    const [steered, cancelled, paused] = await Promise.all(
      [1, 2, 3].map(async () => new CampaignCast(ledger).running(2)),
    );
    if (steered === undefined || cancelled === undefined || paused === undefined) throw new Error('no campaigns');
    const { aCaller } = await aPlace('waits=1', steered, cancelled, paused);
    const greedy = await aCaller();
    const send = async () => (await greedy.ask('POST', '/v1/messages', MESSAGE)).body.id as string;
    await holding(greedy, await send(), 1);

    const sent = await greedy.command('POST', '/v1/messages', MESSAGE);
    expect(sent).toMatchObject([{ status: 202 }, { status: 202, body: { id: sent[0].body.id } }]);

    const edits = await greedy.command('POST', `/v1/messages/${sent[0].body.id}/edits`, { text: 'New' });
    expect(edits).toMatchObject([200, 200].map((status) => ({ status, body: { outcome: 'edited' } })));
    expect(edits[1].body.id).toBe(edits[0].body.id);

    const pending = await greedy.command('POST', `/v1/messages/${await send()}/cancel`);
    expect(pending).toMatchObject([200, 200].map((status) => ({ status, body: { cancelled: true } })));

    // While a POST is under way, each command is done and not confirmed.
    const [posting] = await cancelled.claim(1);
    if (posting === undefined) throw new Error('nothing was claimed');
    const messageCancel = await greedy.command('POST', `/v1/messages/${posting.messageId}/cancel`);
    expect(messageCancel).toMatchObject([200, 200].map((status) => ({ status, body: { state: 'sending' } })));
    expect(messageCancel.map(headersOf)).toEqual([AT_ONCE, AT_ONCE]);
    const evidence = (await ledger.views.message(posting.messageId, NOW))?.evidence ?? [];
    expect(evidence.filter(({ what }) => what === 'cancel_requested')).toHaveLength(1);
    await ledger.dispatch.recordOutcomes([
      { token: posting.token, outcome: { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' }, atMs: NOW },
    ]);
    expect((await ledger.views.message(posting.messageId, NOW))?.state).toBe('cancelled');

    await steered.claim(1);
    const campaign = `/v1/campaigns/${steered.id}`;
    const pauses = await greedy.command('POST', `${campaign}/pause`);
    expect(pauses).toMatchObject([202, 202].map((status) => ({ status, body: { state: 'paused' } })));
    expect(pauses.map(headersOf)).toEqual([AT_ONCE, AT_ONCE]);
    const resumes = await greedy.command('POST', `${campaign}/resume`);
    expect(resumes).toMatchObject([200, 200].map((status) => ({ status, body: { progress: { state: 'running' } } })));
    const cancels = await greedy.command('POST', `${campaign}/cancel`);
    expect(cancels).toMatchObject([202, 202].map((status) => ({ status, body: { state: 'cancelling' } })));
    const { commands } = (await greedy.ask('GET', campaign)).body;
    expect(commands.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['cancel', 'pause', 'resume']);

    await paused.claim(1);
    const instance = `/v1/instances/${paused.instance}`;
    const halted = await greedy.command('POST', `${instance}/pause`);
    const one = { instance: { pauses: [{ reason: 'operator' }] } };
    expect(halted).toMatchObject([202, 202].map((status) => ({ status, body: one })));
    expect(halted[1].body.instance.pauses).toHaveLength(1);
    expect(await greedy.ask('POST', `${instance}/resume`)).toMatchObject({
      status: 200,
      body: { resumed: [{ reason: 'operator' }] },
    });
  });
});

describe('QUOTA-1: a key without limits of its own', () => {
  it('has the default rate, another key has its own, and a key of the environment has none', async () => {
    const { aCaller } = await aPlace('rate=2/s');
    const statuses = async ({ ask }: Caller) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask('GET', '/v1/instances')));
      return new Set(answers.map(({ status }) => status));
    };
    expect(await statuses(await aCaller())).toEqual(new Set([200, 429]));
    expect(await statuses(await aCaller(undefined, { ratePerSecond: 1_000 }))).toEqual(new Set([200]));
    expect(await statuses(await aCaller('root-key'))).toEqual(new Set([200]));
  });

  it('has so many uploads at a time; further ones are refused until one has ended, others are not', async () => {
    const { aCaller } = await aPlace('long=1');
    const uploader = await aCaller();
    const upload = (caller: Caller) => caller.ask('POST', '/v1/files', randomUUID(), { 'content-type': 'text/plain' });
    let finish = (): void => undefined;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(randomUUID()));
        finish = () => controller.close();
      },
    });
    const begun = uploader.fetch('/v1/files', { method: 'POST', body, duplex: 'half' });

    await eventually(async () => expect(await upload(uploader)).toMatchObject(refusal(429, 'KEY_BUSY')));
    expect((await upload(uploader)).headers.get('retry-after')).toBe('5');
    for (const other of [await aCaller(), await aCaller('root-key')]) expect((await upload(other)).status).toBe(200);
    expect((await uploader.ask('GET', '/v1/instances')).status).toBe(200);
    finish();
    expect((await begun).status).toBe(200);
    expect((await upload(uploader)).status).toBe(200);
  });

  it('stores files up to its limit, and may send again what is stored', async () => {
    const { aCaller } = await aPlace('files=10kb');
    const [storing, other, root] = [await aCaller(), await aCaller(), await aCaller('root-key')];
    const aText = (kb: number) => randomUUID() + 'x'.repeat(kb * 1_024 - 36);
    const store = ({ ask }: Caller, file: string) => ask('POST', '/v1/files', file, { 'content-type': 'text/plain' });
    const [first, second] = [aText(7), aText(7)];
    expect((await store(storing, first)).status).toBe(200);

    const refused = await store(storing, second);
    expect(refused).toMatchObject(refusal(413, 'KEY_FILES_LIMITED'));
    expect(refused.body.detail).toMatch(/file of 7 kB .* files of 7 kB, and its limit is 10 kB.*EVERPOST_KEY_LIMITS/);
    expect((await store(storing, aText(3))).status).toBe(200);
    expect((await store(storing, first)).status).toBe(200);
    expect((await store(other, second)).status).toBe(200);
    expect((await store(storing, second)).status).toBe(200);
    for (let time = 0; time < 3; time += 1) expect((await store(root, aText(7))).status).toBe(200);
  });

  it('FILE-5: stores no more than its limit by two uploads at once', async () => {
    const owner = { keyId: randomUUID(), maxBytes: 100 };
    const stored = await Promise.allSettled(
      ['a', 'b'].map((text) => ledger.files.store([Buffer.from(text.repeat(60))], 'text/plain', NOW, owner)),
    );
    expect(stored.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('EVERPOST_KEY_LIMITS', () => {
  const DEFAULTS = { ratePerSecond: 500, waits: 500, longRequests: 20, fileBytes: 10 * 1024 ** 3 };

  it.each([
    [DEFAULT_KEY_LIMITS, {}],
    ['rate=600/m', { ratePerSecond: 10 }],
    [' waits = 7 , files=2mb', { waits: 7, fileBytes: 2 * 1024 ** 2 }],
  ])('%s keeps the default of what it does not name', (text, changed) => {
    expect(parseKeyLimits(text)).toEqual({ ...DEFAULTS, ...changed });
  });

  it.each([
    '',
    'rate',
    'rate=',
    'rate=0/s',
    'rate=5',
    'waits=0',
    'waits=-1',
    'long=1.5',
    'files=10',
    'speed=1',
    'rate=1/s,',
  ])('%j is refused with the reason', (text) => {
    expect(() => parseKeyLimits(text)).toThrow(/^(?:must name limits|has a limit \w+ that must be)/);
  });
});

it('QUOTA-4: a cache of keys forgets those that make no requests', () => {
  const seen = new Map<string, boolean>();
  const forget = forgetStale(seen, (isUsed) => !isUsed);
  let most = 0;
  for (let key = 0; key < 100_000; key += 1) {
    seen.set(`k-${key}`, key < 10);
    forget();
    most = Math.max(most, seen.size);
  }
  expect(most).toBeLessThanOrEqual(1_000);
  expect([...seen.values()].filter(Boolean)).toHaveLength(10);
});
