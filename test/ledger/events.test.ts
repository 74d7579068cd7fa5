import { describe, expect, it } from 'vitest';
import type { EventType, MessageId } from '../../src/contract/index.js';
import type { DueDelivery, EventView, NewEndpoint, NotificationFacts } from '../../src/ledger/index.js';
import { eventually } from '../support/eventually.js';
import { MINUTE, NOW, SECOND, useOwnCast } from './cast.js';

const URL = 'https://example.com/hook';
const LATER = Date.now() + 60 * MINUTE;

const the = useOwnCast();

async function endpoint(over: Partial<NewEndpoint> = {}, url = URL): Promise<string> {
  const id = `evp_${crypto.randomUUID()}`;
  const place = url === '' ? {} : { url };
  const given = { id, instance: the.instance, ...place, events: ['*'], raw: false, requestHash: 'h', ...over };
  await the.ledger.eventEndpoints.create(given, NOW);
  return id;
}

/** On a server the list ends before the oldest open transaction of any database; other tests have open ones. */
async function allListed(): Promise<void> {
  const [type, instance] = ['call.received', `${the.instance}-last`] as const;
  await the.ledger.eventEndpoints.create(
    { id: `evp_${crypto.randomUUID()}`, instance, events: ['*'], raw: false, requestHash: 'h' },
    NOW,
  );
  const last = crypto.randomUUID();
  await the.ledger.receipts.store(instance, { last }, NOW, { event: about('last', type) });
  await eventually(async () => {
    const { items } = await the.ledger.events.list({ instance, limit: 500 });
    expect(items).toContainEqual(expect.objectContaining({ data: { last } }));
  });
}

async function events(type?: EventType): Promise<EventView[]> {
  await allListed();
  const filter = { instance: the.instance, limit: 500, ...(type && { type }) };
  return (await the.ledger.events.list(filter)).items;
}

async function notify(body: unknown, event: NotificationFacts['event'], nowMs = NOW): Promise<void> {
  await the.ledger.receipts.store(the.instance, body, nowMs, event && { event });
}

/** Of this test's instance: tests share the ledger. */
async function claim({ nowMs = LATER, perTarget = 100, limit = 1_000, underWay = {} } = {}): Promise<DueDelivery[]> {
  const claimed: DueDelivery[] = [];
  for (;;) {
    const { due, isMore } = await the.ledger.deliveries.claim({ nowMs, leaseMs: MINUTE, perTarget, limit, underWay });
    claimed.push(...due.filter(({ instance }) => instance === the.instance));
    if (!isMore) return claimed;
  }
}

function record(delivery: DueDelivery, problem?: string, nextTryAtMs?: number): Promise<void> {
  const outcome = { delivery, ...(problem && { problem }), ...(nextTryAtMs && { nextTryAtMs }) };
  return the.ledger.deliveries.record([outcome], LATER);
}

const about = (key: string, type: EventType = 'message.received') => ({ type, key });

async function statesOf(id: MessageId): Promise<string[]> {
  return ((await the.view(id)).callbacks ?? []).map(({ state }) => state);
}

describe('events of messages', () => {
  const changes: [string, readonly string[], (id: MessageId) => Promise<unknown>][] = [
    ['a cancellation', ['cancelled'], (id) => the.ledger.messages.cancel(id, 'test', NOW)],
    ['a refusal', ['rejected'], (id) => the.ledger.messages.reject(id, { reason: 'no' }, NOW)],
    ['its expiry', ['expired'], (id) => the.ledger.messages.expire(id, NOW + 61 * MINUTE)],
    ['a claim after its expiry', ['expired'], (id) => the.claim(id, NOW + 61 * MINUTE)],
    [
      'an abandoned attempt that an operator resolves',
      ['sending', 'unknown', 'pending'],
      async (id) => {
        await the.claim(id);
        await the.takeOver(id, NOW + 60 * SECOND);
        await the.ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'loopback' }, NOW + 60 * SECOND);
      },
    ],
    [
      'an outcome that no witness knows',
      ['sending', 'unknown', 'unresolved'],
      async (id) => {
        await the.claim(id);
        await the.takeOver(id, NOW + 60 * SECOND);
        const question = await the.ledger.reconciling.question(id);
        if (question !== undefined)
          await the.ledger.reconciling.markUnresolved(question, 'no one knows', NOW + 60 * SECOND);
      },
    ],
    [
      'receipts that are applied together',
      ['sending', 'accepted', 'delivered'],
      async (id) => {
        const idMessage = `of ${id}`;
        await the.accept((await the.claimed(id)).token, idMessage);
        const receipts = (['sent', 'delivered'] as const).map((status, at) => ({
          id: String(at),
          instance: the.instance,
          receipt: { kind: 'status', idMessage, status, atMs: NOW } as const,
        }));
        await the.ledger.receipts.applyTogether(receipts, NOW);
      },
    ],
  ];
  it.each(changes)('follow from %s, for the callback and for an endpoint', async (_, states, change) => {
    await endpoint();
    const id = await the.pending({ statusCallback: URL });

    await change(id);

    const told = await events('message.state_changed');
    expect(told.map(({ data }) => data)).toMatchObject(states.map((state) => ({ id, state })));
    expect(await statesOf(id)).toEqual(states);
    expect(await events('message.unresolved')).toHaveLength(states.includes('unresolved') ? 1 : 0);
  });

  it('are absent when nothing changes, and when no target wants them', async () => {
    const silent = await the.accepted('A1');
    const id = await the.accepted('A2', { statusCallback: URL });

    for (const status of ['sent', 'sent', 'failed', 'no_account'] as const) await the.receive('A2', status);

    expect(await statesOf(id)).toEqual(['sending', 'accepted', 'sent', 'failed']);
    expect(await events()).toHaveLength(4);
    expect((await the.view(silent)).callbacks).toBeUndefined();
  });

  it("carry the ledger's time, so that a later state never has an earlier time, and no text or number", async () => {
    const id = await the.accepted('A3', { statusCallback: URL, reference: 'order 7', text: 'a secret' });

    await the.receive('A3', 'sent', { atMs: NOW + 5 * SECOND, nowMs: NOW + 9 * SECOND });

    const [last] = (await events()).slice(-1);
    expect(last).toMatchObject({ timestamp: '2026-03-01T10:00:09.000Z', instance: the.instance });
    const { version } = await the.view(id);
    expect(last?.data).toEqual({ id, state: 'sent', version, idMessage: 'A3', reference: 'order 7' });
  });

  it.each(['HTTPS://EXAMPLE.COM/hook', 'no URL at all', ''])(
    'never prevent a change when the URL of the callback is invalid (%j)',
    async (url) => {
      const id = await the.pending({ statusCallback: url });

      await the.claim(id);

      expect(await statesOf(id)).toEqual(['sending']);
    },
  );

  it('show the outcome of an edit', async () => {
    await endpoint({ events: ['edit.settled'] });
    const messageId = await the.pending();
    const editId = the.anEditId();

    await the.ledger.edits.open({ editId, messageId, text: 'better', nowMs: NOW });

    expect(await events()).toMatchObject([
      { type: 'edit.settled', data: { id: editId, messageId, state: 'edited', via: 'before_send' } },
    ]);
  });
});

describe('events of an instance', () => {
  it('report a new state once', async () => {
    await endpoint();
    for (const state of ['authorized', 'authorized', 'notAuthorized']) {
      await the.ledger.instanceStates.record({ instance: the.instance, state, atMs: NOW });
    }

    const told = await events('instance.state_changed');
    expect(told.map(({ data }) => data)).toMatchObject([{ state: 'authorized' }, { state: 'notAuthorized' }]);
  });
});

describe('events of notifications', () => {
  it('contain the notification as it came, once', async () => {
    await endpoint();
    await endpoint({ raw: true });
    const body = { typeWebhook: 'incomingMessageReceived', idMessage: 'X', text: '\u{1F600}' };

    await notify(body, { ...about('chat'), raw: Buffer.from('{ "not": "the same" }'), contentType: 'text/plain' });
    await notify(body, about('chat'));

    expect(await events()).toMatchObject([{ type: 'message.received', data: body }]);
    const [typed, raw] = (await claim()).toSorted((a, b) => Number(a.raw) - Number(b.raw));
    expect(typed).toMatchObject({ raw: false, type: 'message.received', data: JSON.stringify(body) });
    expect(raw).toMatchObject({ raw: true, contentType: 'text/plain' });
    expect(String(raw?.rawBody)).toBe('{ "not": "the same" }');
  });

  it('are stored for endpoints that want them: an endpoint for raw notifications gets all of them, and nothing else', async () => {
    const raw = await endpoint({ raw: true });
    const calls = await endpoint({ events: ['call.received'] });
    await endpoint({ events: ['message.received'] }, '');

    await notify({ a: 1 }, about('x', 'message.received'));
    await notify({ a: 2 }, about('x', 'call.received'));
    await the.claim(await the.pending());

    expect((await events()).map(({ type }) => type)).toEqual(['message.received', 'call.received']);
    const due: DueDelivery[] = [];
    for (let left = await claim(); left.length > 0; left = await claim()) {
      for (const one of left) await record(one);
      due.push(...left);
    }
    const counts = new Map(due.map(({ endpointId }) => [endpointId, due.filter((d) => d.endpointId === endpointId)]));
    expect([counts.get(raw)?.length, counts.get(calls)?.length, due.length]).toEqual([2, 1, 3]);
  });

  it('are absent when the instance has no endpoint', async () => {
    await notify({ a: 1 }, about('x'));

    expect(await events()).toEqual([]);
  });
});

describe('due deliveries', () => {
  it('are claimed once, and only the earliest of one key (DELIVER-1, DELIVER-2)', async () => {
    await endpoint();
    for (const [key, at] of [
      ['a', 1],
      ['a', 2],
      ['b', 3],
      ['a', 4],
    ] as const)
      await notify({ at }, about(key));

    const claimed = [...(await claim()), ...(await claim())];
    expect(claimed.map(({ data }) => data)).toEqual(['{"at":1}', '{"at":3}']);

    for (const one of claimed) await record(one);
    expect((await claim()).map(({ data }) => data)).toEqual(['{"at":2}']);
  });

  it('wait behind a failed one until its next try', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'));
    await notify({ at: 2 }, about('a'));
    const [first] = await claim();

    if (first !== undefined) await record(first, 'HTTP 500', LATER + 5 * MINUTE);

    expect(await claim({ nowMs: LATER + 4 * MINUTE })).toEqual([]);
    const again = await claim({ nowMs: LATER + 6 * MINUTE });
    expect(again).toMatchObject([{ data: '{"at":1}', tries: 2 }]);
    if (again[0] !== undefined) await record(again[0], 'HTTP 500');
    expect(await claim({ nowMs: LATER + 6 * MINUTE })).toMatchObject([{ data: '{"at":2}', tries: 1 }]);
  });

  it('are claimed again after the lease of a dead worker', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'));
    await claim();

    expect(await claim({ nowMs: LATER + 59 * SECOND })).toEqual([]);
    expect(await claim({ nowMs: LATER + 61 * SECOND })).toMatchObject([{ tries: 2 }]);
  });

  it('are limited for each target, and other targets continue (DELIVER-3)', async () => {
    const slow = await endpoint();
    const quick = await endpoint();
    for (let at = 0; at < 5; at++) await notify({ at }, about(`key ${at}`));

    const claimed = await claim({ perTarget: 3, underWay: { [slow]: 2 } });

    const countOf = (id: string) => claimed.filter(({ endpointId }) => endpointId === id).length;
    expect([countOf(slow), countOf(quick)]).toEqual([1, 3]);
  });

  it('are found for other keys although many wait behind one (DELIVER-4)', async () => {
    await endpoint();
    for (let at = 0; at < 30; at++) await notify({ at }, about('busy'));
    await notify({ at: 'last' }, about('other'));

    expect((await claim({ perTarget: 2 })).map(({ data }) => data)).toEqual(['{"at":0}', '{"at":"last"}']);
  });

  it('wait while the endpoint is disabled or paused', async () => {
    const id = await endpoint();
    await notify({ at: 1 }, about('a'));
    const [first] = await claim();
    if (first !== undefined) await record(first, 'HTTP 410', LATER);

    expect(await the.ledger.eventEndpoints.disable(id, 'HTTP 410', NOW)).toBe(true);
    expect(await the.ledger.eventEndpoints.disable(id, 'HTTP 410', NOW)).toBe(false);
    expect(await claim()).toEqual([]);
    const disabled = { enabled: false, disabledReason: 'HTTP 410', waiting: 1, problem: 'HTTP 410', failed: 0 };
    expect(await the.ledger.eventEndpoints.view(id)).toMatchObject(disabled);

    expect(await the.ledger.eventEndpoints.change(id, { enabled: true }, NOW)).not.toHaveProperty('disabledReason');
    await the.ledger.eventEndpoints.hold(id, LATER + MINUTE);
    expect(await claim()).toEqual([]);
    expect(await claim({ nowMs: LATER + 2 * MINUTE })).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('are created for status callbacks with the first one, and the previous one still signs after a rotation', async () => {
    await the.claim(await the.pending({ statusCallback: URL }));
    const [first] = await claim();
    const [before] = first?.secrets ?? [];
    expect(before?.reveal()).toMatch(/^whsec_.{44}$/);
    if (first !== undefined) await record(first, 'HTTP 500', LATER);

    const id = `callbacks-${the.instance}`;
    const { secret } = await the.ledger.eventEndpoints.rotateSecret(id, LATER + MINUTE, NOW);

    const [again] = await claim();
    expect(again?.secrets.map((one) => one.reveal())).toEqual([secret.reveal(), before?.reveal()]);
    if (again !== undefined) await record(again, 'HTTP 500', LATER);
    const [last] = await claim({ nowMs: LATER + 2 * MINUTE });
    expect(last?.secrets.map((one) => one.reveal())).toEqual([secret.reveal()]);
  });

  it('are returned once for an endpoint', async () => {
    const id = await endpoint();
    const given = { id, instance: the.instance, url: URL, events: ['*'], raw: false, requestHash: 'h' };

    expect(await the.ledger.eventEndpoints.create(given, NOW)).not.toHaveProperty('secret');
    await expect(the.ledger.eventEndpoints.create({ ...given, requestHash: 'other' }, NOW)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    expect(JSON.stringify(await the.ledger.eventEndpoints.list([the.instance]))).not.toContain('whsec');
  });
});

describe('stored events', () => {
  it('are listed page by page, and a cursor continues with later events', async () => {
    await endpoint({}, '');
    const list = async (cursor?: string) => {
      await allListed();
      return the.ledger.events.list({ instance: the.instance, limit: 2, ...(cursor && { cursor }) });
    };
    for (const at of [1, 2, 3]) await notify({ at }, about('a'));

    const first = await list();
    const second = await list(first.cursor);
    const none = await list(second.cursor);
    await notify({ at: 4 }, about('a'));
    const last = await list(none.cursor);

    expect([first, second, none, last].map(({ items }) => items.map(({ data }) => data))).toEqual([
      [{ at: 1 }, { at: 2 }],
      [{ at: 3 }],
      [],
      [{ at: 4 }],
    ]);
    await expect(list('nonsense')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('are listed from the end on request', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'));
    await allListed();
    const { items, cursor } = await the.ledger.events.list({ instance: the.instance, fromEnd: true, limit: 10 });
    await notify({ at: 2 }, about('a'));
    await allListed();

    expect(items).toEqual([]);
    const next = await the.ledger.events.list({ instance: the.instance, cursor, limit: 10 });
    expect(next.items.map(({ data }) => data)).toEqual([{ at: 2 }]);
  });

  it('are delivered again by a replay, once for each command', async () => {
    const id = await endpoint();
    const other = await endpoint({ events: ['call.received'] });
    for (const at of [1, 2]) await notify({ at }, about(`key ${at}`), NOW + at * MINUTE);
    for (const one of await claim()) await record(one);
    expect(await claim()).toEqual([]);
    const replay = (key: string, endpointId = id) =>
      the.ledger.eventEndpoints.replay(
        endpointId,
        { fromMs: NOW + 2 * MINUTE, toMs: LATER },
        { id: key, requestHash: 'h' },
        NOW,
      );

    expect([await replay('k1'), await replay('k1'), await replay('k1', other)]).toEqual([1, 1, 0]);

    expect(await claim()).toMatchObject([{ data: '{"at":2}', tries: 1 }]);
    const [event] = await events();
    const shown = await the.ledger.events.view(event?.id ?? '');
    expect(shown).toMatchObject({ data: { at: 1 }, deliveries: [{ endpointId: id, tries: 1 }] });
    await expect(the.ledger.events.view('evt_0')).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('are deleted by their age, with their deliveries', async () => {
    await endpoint();
    await notify({ at: 1 }, about('a'), NOW - 60 * MINUTE);
    await notify({ at: 2 }, about('b'), NOW);

    await the.ledger.events.forget(NOW - 30 * MINUTE);

    expect((await events()).map(({ data }) => data)).toEqual([{ at: 2 }]);
    expect(await claim()).toHaveLength(1);
  });

  it('go to one endpoint only for a test event', async () => {
    const id = await endpoint();
    await endpoint();

    const event = await the.ledger.eventEndpoints.test(id, NOW);

    expect(await claim()).toMatchObject([{ endpointId: id, type: 'endpoint.test' }]);
    expect(await the.ledger.events.view(event)).toMatchObject({ data: { endpointId: id } });
  });
});
