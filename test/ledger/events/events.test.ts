import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import type { DueDelivery } from '../../../src/ledger/index.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { LATER, URL, about, useEvents } from './event-cast.js';

const { the, endpoint, events, notify, claim, record, statesOf, allListed } = useEvents();

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
        const attempt = await the.ledger.reconciling.attempt(id);
        if (attempt !== undefined)
          await the.ledger.reconciling.markUnresolved(attempt, 'no one knows', NOW + 60 * SECOND);
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
    await endpoint({ events: ['edit.ended'] });
    const messageId = await the.pending();
    const editId = the.anEditId();

    await the.ledger.edits.open({ editId, messageId, text: 'better', nowMs: NOW });

    expect(await events()).toMatchObject([
      { type: 'edit.ended', data: { id: editId, messageId, state: 'edited', via: 'before_send' } },
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

describe('secrets', () => {
  it('are created for status callbacks with the first one, and the previous one still signs after a rotation', async () => {
    await the.claim(await the.pending({ statusCallback: URL }));
    const [first] = await claim();
    const [before] = first?.credentials().secrets ?? [];
    expect(before?.reveal()).toMatch(/^whsec_.{44}$/);
    if (first !== undefined) await record(first, 'HTTP 500', LATER);

    const id = `callbacks-${the.instance}`;
    const { secret } = await the.ledger.eventEndpoints.rotateSecret(id, LATER + MINUTE, NOW);

    const [again] = await claim();
    expect(again?.credentials().secrets.map((one) => one.reveal())).toEqual([secret.reveal(), before?.reveal()]);
    if (again !== undefined) await record(again, 'HTTP 500', LATER);
    const [last] = await claim({ nowMs: LATER + 2 * MINUTE });
    expect(last?.credentials().secrets.map((one) => one.reveal())).toEqual([secret.reveal()]);
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

  it('are listed from the newest on, and a cursor continues with older events', async () => {
    await endpoint({}, '');
    for (const at of [1, 2, 3]) await notify({ at }, about('a'));
    await allListed();
    const list = (cursor?: string) =>
      the.ledger.events.list({ instance: the.instance, order: 'newest', limit: 2, ...(cursor && { cursor }) });

    const first = await list();
    await notify({ at: 4 }, about('a'));
    await allListed();
    const second = await list(first.cursor);

    expect([first, second].map(({ items }) => items.map(({ data }) => data))).toEqual([
      [{ at: 3 }, { at: 2 }],
      [{ at: 1 }],
    ]);
    const { cursor } = await the.ledger.events.list({ instance: the.instance, limit: 2 });
    await expect(list(cursor)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
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
