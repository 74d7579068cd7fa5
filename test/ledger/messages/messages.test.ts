import { describe, expect, it } from 'vitest';
import { acceptedAs } from '../../support/edits.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast, Cast } from '../cast.js';

const c = useOwnCast();

describe('opening a message', () => {
  it('writes the row as requested, with its defaults', async () => {
    const id = c.anId();
    const request = c.request({ text: 'hello', reference: 'order 7', statusCallback: 'https://example.com/cb' });

    const times = { expiresAtMs: NOW + MINUTE, nowMs: NOW };
    const snapshot = await c.ledger.intake.open({ id, requestHash: 'h', request, ...times });

    const expiresAt = '2026-03-01T10:01:00.000Z';
    expect(snapshot).toEqual({ id, version: 1, state: 'pending', expiresAt, edits: [] });
    expect(await c.view(id)).toEqual({
      id,
      instance: c.instance,
      chatId: CHAT,
      content: { kind: 'text', text: 'hello' },
      state: 'pending',
      version: 1,
      priority: 'normal',
      category: 'transactional',
      onUnknown: 'manual',
      reference: 'order 7',
      statusCallback: 'https://example.com/cb',
      requestedBy: 'temporal',
      createdAt: '2026-03-01T10:00:00.000Z',
      expiresAt,
      evidence: [],
      attempts: [],
      edits: [],
      callbacks: [],
    });
  });

  it('LEDGER-7 finds the row of an earlier run and leaves it unchanged', async () => {
    const id = await c.sent('A1', { text: 'hello' });
    const before = await c.view(id);

    expect(await c.pending({ id, text: 'hello', nowMs: NOW + MINUTE })).toBe(id);
    expect(await c.view(id)).toEqual(before);
  });

  it('names the workflow that sends the message, in every snapshot, until another takes over', async () => {
    const id = c.anId();
    const times = { expiresAtMs: NOW + MINUTE, nowMs: NOW };
    const asked = { id, requestHash: 'h', request: c.request(), run: 'started', ...times } as const;
    const { intake, messages, views } = c.ledger;
    const opened = await intake.open({ ...asked, namespace: 'one', workflowId: 'order-17' });
    expect(opened).toMatchObject({ workflowId: 'order-17' });
    expect(await intake.open({ ...asked, namespace: 'two', workflowId: 'order-18' })).toEqual(opened);
    expect(await messages.snapshot(id)).toEqual(opened);
    expect(await views.message(id, NOW)).toMatchObject({ workflowId: 'order-17' });

    const { token } = await c.claimed(id);
    expect(await c.accept(token, `of ${id}`)).toMatchObject({ workflowId: 'order-17' });
    const unfinished = { nowMs: NOW, limit: 1_000 };
    expect(await messages.unfinished({ ...unfinished, namespace: 'two' })).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    const expiresAt = new Date(times.expiresAtMs).toISOString();
    const item = { id, instance: c.instance, kind: 'text', expiresAt, workflowId: 'order-17' };
    expect(await messages.unfinished({ ...unfinished, namespace: 'one' })).toContainEqual(item);

    expect(await messages.takeOver(id, 'one')).toEqual({ instance: c.instance, kind: 'text' });
    expect(await messages.snapshot(id)).not.toHaveProperty('workflowId');
  });

  it('stores the hash of the request', async () => {
    expect(await c.ledger.messages.isRequestOf(c.anId(), 'h')).toBeUndefined();
    const id = await c.pending();
    expect(await c.ledger.messages.isRequestOf(id, 'h')).toBe(true);
    expect(await c.ledger.messages.isRequestOf(id, 'other')).toBe(false);
  });

  it('refuses another request under the same id', async () => {
    const id = await c.pending();
    const other = { id, requestHash: 'other', request: c.request(), expiresAtMs: NOW, nowMs: NOW };
    await expect(c.ledger.intake.open(other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('replaces the characters of a text that databases reject, and keeps all others exactly', async () => {
    const text = 'nothing \u0000, half \ud83d, whole \u{1f600}, “quotes” \\ and\ttabs';

    expect(await c.view(await c.pending({ text }))).toMatchObject({
      content: { text: 'nothing \ufffd, half \ufffd, whole \u{1f600}, “quotes” \\ and\ttabs' },
    });
  });

  it('finds no message that was never opened', async () => {
    expect(await c.ledger.messages.snapshot(c.anId())).toBeUndefined();
    expect(await c.ledger.views.message(c.anId(), NOW)).toBeUndefined();
  });
});

describe('ending a message that was not posted', () => {
  it('cancels a pending message once, and records the caller', async () => {
    const id = await c.pending();
    const first = await c.ledger.messages.cancel(id, 'request', NOW);

    expect(first).toMatchObject({ state: 'cancelled', reason: 'cancelled', version: 2 });
    expect(await c.ledger.messages.cancel(id, 'sweeper', NOW + SECOND)).toEqual(first);
    expect(await c.evidence(id, 'cancelled')).toMatchObject([{ witness: 'request' }]);
  });

  it('returns a posted message unchanged', async () => {
    const id = await c.accepted('A1');
    const before = await c.view(id);

    expect(await c.ledger.messages.cancel(id, 'request', NOW)).toMatchObject({ state: 'accepted' });
    expect(await c.ledger.messages.expire(id, NOW + 24 * 60 * MINUTE)).toMatchObject({ state: 'accepted' });
    expect(await c.view(id)).toEqual(before);
  });

  it('expires a pending message at its time, and not earlier', async () => {
    const id = await c.pending({ expiresAtMs: NOW + MINUTE });

    expect(await c.ledger.messages.expire(id, NOW + MINUTE - 1)).toMatchObject({ state: 'pending', version: 1 });
    expect(await c.ledger.messages.expire(id, NOW + MINUTE)).toMatchObject({
      state: 'expired',
      reason: 'expired_before_sending',
    });
    expect(await c.view(id)).toMatchObject({ endedAt: '2026-03-01T10:01:00.000Z' });
  });

  it('refuses to end a message that does not exist', async () => {
    await expect(c.ledger.messages.cancel(c.anId(), 'request', NOW)).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    });
  });
});

describe('the list of messages', () => {
  it('shows the newest first, page by page, each row once although new ones arrive', async () => {
    const ids = [];
    // Two of them have the same time: the id decides their order.
    for (const second of [1, 2, 2, 3, 4]) ids.push(await c.pending({ nowMs: NOW + second * SECOND }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await c.ledger.views.messages({
        instance: c.instance,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
      await c.pending({ nowMs: NOW + MINUTE });
    } while (cursor !== undefined);

    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
    expect(seen).toEqual([fifth, fourth, ...[second, third].toSorted().toReversed(), first]);
  });

  it('finds a message by each of its gateway ids, and by no id of an edit', async () => {
    const id = await c.pending();
    const first = await c.claimed(id);
    await c.record(first.token, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    await c.accept((await c.claimed(id)).token, 'A2');
    await c.accept(first.token, 'A1');
    await c.receive('A2', 'sent');
    const edit = await c.edit(id, 'new');
    await c.recordEdit((await c.claimEdit(edit))!, acceptedAs('E1'));
    const found = await Promise.all(
      ['A1', 'A2', 'E1'].map((idMessage) => c.ledger.views.messages({ instance: c.instance, idMessage })),
    );

    expect(found.map(({ items }) => items.map((item) => item.id))).toEqual([[id], [id], []]);
  });

  it('filters by state, chat and reference', async () => {
    const sent = await c.sent('A1', { reference: 'order 7' });
    const other = await c.pending({ chatId: '15550002222@c.us' });
    const of = async (filter: object) =>
      (await c.ledger.views.messages({ instance: c.instance, ...filter })).items.map(({ id }) => id);

    expect(await of({ state: 'sent' })).toEqual([sent]);
    expect(await of({ chatId: '15550002222@c.us' })).toEqual([other]);
    expect(await of({ reference: 'order 7' })).toEqual([sent]);
    expect(await of({ reference: 'order 8' })).toEqual([]);
  });

  it('refuses a foreign cursor', async () => {
    await expect(new Cast(c.ledger).ledger.views.messages({ cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      problems: [{ path: 'cursor' }],
    });
  });
});

describe('operations', () => {
  const open = (id: string, requestHash = 'h') =>
    c.ledger.operations.open({
      id,
      method: 'setSettings',
      instance: c.instance,
      requestHash,
      request: { webhookUrlToken: 's3cret' },
      nowMs: NOW,
    });

  it('have one response for one key permanently, and delete the request with it', async () => {
    const id = `op_${c.instance}`;
    expect(await open(id)).toEqual({
      id,
      method: 'setSettings',
      instance: c.instance,
      state: 'pending',
      createdAt: '2026-03-01T10:00:00.000Z',
    });
    expect(await c.ledger.operations.requestOf(id)).toEqual({ webhookUrlToken: 's3cret' });

    const done = await c.ledger.operations.finish(id, { state: 'done', result: { saveSettings: true } }, NOW + SECOND);

    expect(done).toMatchObject({ state: 'done', result: { saveSettings: true }, endedAt: '2026-03-01T10:00:01.000Z' });
    expect(await open(id)).toEqual(done);
    expect(await c.ledger.operations.finish(id, { state: 'failed', code: 'GATEWAY_REJECTED' }, NOW)).toEqual(done);
    expect(await c.ledger.operations.requestOf(id)).toBeUndefined();
  });

  it('refuse another request under the same key', async () => {
    await open(`op_${c.instance}`);
    await expect(open(`op_${c.instance}`, 'other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('give one of many callers the right to run once, and another one after it was given back', async () => {
    const id = `op_${c.instance}`;
    await open(id);

    const begun = await Promise.all(Array.from({ length: 5 }, () => c.ledger.operations.beginOnce(id)));
    expect(begun.filter(Boolean)).toHaveLength(1);
    await c.ledger.operations.giveBack(id);
    expect(await c.ledger.operations.beginOnce(id)).toBe(true);
  });

  it.each([
    { state: 'done', result: null } as const,
    { state: 'may_have_happened', code: 'GATEWAY_OUTCOME_UNKNOWN', text: 'reset' } as const,
  ])('keep the end %j', async (end) => {
    const { id } = await open(`op_${c.instance}`);
    expect(await c.ledger.operations.finish(id, end, NOW)).toMatchObject(end);
  });

  it('name an unknown operation in the error', async () => {
    expect(await c.ledger.operations.view('op_missing')).toBeUndefined();
    await expect(c.ledger.operations.finish('op_missing', { state: 'done', result: 1 }, NOW)).rejects.toMatchObject({
      code: 'OPERATION_NOT_FOUND',
    });
  });
});
