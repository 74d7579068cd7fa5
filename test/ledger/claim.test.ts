import { describe, expect, it } from 'vitest';
import { CHAT, MINUTE, NOW, SECOND, useCast } from './cast.js';

const cast = useCast();

describe('LEDGER-1 intent before bytes', () => {
  it('LEDGER-1 has the attempt with its text and deadlines stored when the claim returns', async () => {
    const c = cast();
    const id = await c.pending({ text: 'hello' });

    const attempt = await c.claimed(id, 't-intent', NOW + SECOND);

    expect(attempt).toEqual({
      token: 't-intent',
      instance: c.instance,
      chatId: CHAT,
      content: { kind: 'text', text: 'hello' },
      postingDeadlineMs: NOW + 6 * SECOND,
    });
    const view = await c.view(id);
    expect(view).toMatchObject({ state: 'sending', version: 2 });
    expect(view.attempts).toEqual([
      { token: 't-intent', claimedAt: '2026-03-01T10:00:01.000Z', postingDeadlineAt: '2026-03-01T10:00:06.000Z' },
    ]);
    expect(view.evidence).toEqual([
      {
        at: '2026-03-01T10:00:01.000Z',
        witness: 'claim',
        what: 'claimed',
        detail: { attempt: 't-intent', worker: 'worker-1' },
      },
    ]);
  });

  it('LEDGER-1 sends anyone who finds a row sending to ask, not to post', async () => {
    const c = cast();
    const id = await c.pending();
    await c.claimed(id);

    expect(await c.claim(id)).toEqual({ kind: 'sending', reconcileAfterMs: NOW + 35 * SECOND });
    expect((await c.view(id)).attempts).toHaveLength(1);
  });
});

describe('LEDGER-2 claim by compare-and-set', () => {
  it('LEDGER-2 gives the right to post to exactly one of many that claim at once', async () => {
    const c = cast();
    const id = await c.pending();

    const results = await Promise.all(Array.from({ length: 8 }, () => c.claim(id)));

    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['claimed', ...Array(7).fill('sending')]);
    expect((await c.view(id)).attempts).toHaveLength(1);
  });

  it('LEDGER-2 claims nothing past the expiry, and ends the message there and then', async () => {
    const c = cast();
    const id = await c.pending({ expiresAtMs: NOW + MINUTE });

    const result = await c.claim(id, 't-late', NOW + MINUTE);

    expect(result).toMatchObject({
      kind: 'settled',
      snapshot: { state: 'expired', reason: 'expired_before_sending', version: 2 },
    });
    expect((await c.view(id)).attempts).toEqual([]);
    expect(await c.evidence(id, 'expired_before_sending')).toHaveLength(1);
  });

  it('LEDGER-2 claims nothing that was cancelled', async () => {
    const c = cast();
    const id = await c.pending();
    await c.ledger.messages.cancel(id, 'request', NOW);

    expect(await c.claim(id)).toMatchObject({ kind: 'settled', snapshot: { state: 'cancelled' } });
  });

  it.each(['accepted', 'unknown', 'rejected'] as const)('LEDGER-2 calls a row that is %s settled', async (state) => {
    const c = cast();
    const id = await c.pending();
    const { token } = await c.claimed(id);
    if (state === 'accepted') await c.accept(token, 'A1');
    else await c.record(token, { kind: state, code: 'GATEWAY_SAID_SO' });

    expect(await c.claim(id)).toMatchObject({ kind: 'settled', snapshot: { id, state } });
  });

  it('LEDGER-2 takes the text that the row has at the moment of the claim', async () => {
    const c = cast();
    const id = await c.pending({ text: 'first' });
    await c.edit(id, 'second');

    expect((await c.claimed(id)).content).toEqual({ kind: 'text', text: 'second' });
  });

  it('refuses to claim what is not in the ledger', async () => {
    const c = cast();
    await expect(c.claim(c.anId())).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' });
  });
});

describe('LEDGER-3 deadlines are stored', () => {
  it('LEDGER-3 calls an attempt abandoned only from its own time on', async () => {
    const c = cast();
    const id = await c.pending();
    await c.claimed(id);

    const before = await c.ledger.messages.reconcileAbandoned(id, NOW + 35 * SECOND - 1);
    const after = await c.ledger.messages.reconcileAbandoned(id, NOW + 35 * SECOND);

    expect([before.state, after.state]).toEqual(['sending', 'unknown']);
    expect(await c.evidence(id, 'abandoned')).toHaveLength(1);
  });

  it('LEDGER-3 gives no deadline after the expiry, however long a claim may take to post', async () => {
    const c = cast();
    const id = await c.pending({ expiresAtMs: NOW + 2 * SECOND });

    const first = await c.claim(id, 'soon');

    expect(first).toMatchObject({ kind: 'claimed', attempt: { postingDeadlineMs: NOW + 2 * SECOND } });
    expect(await c.claim(id, 'soon')).toEqual(first);
    expect((await c.view(id)).attempts).toMatchObject([
      { postingDeadlineAt: new Date(NOW + 2 * SECOND).toISOString() },
    ]);
  });

  it('LEDGER-3 reconciles nothing but a row that is sending', async () => {
    const c = cast();
    const id = await c.accepted('A1');
    const before = await c.view(id);

    expect(await c.ledger.messages.reconcileAbandoned(id, NOW + 60 * MINUTE)).toMatchObject({ state: 'accepted' });
    expect(await c.view(id)).toEqual(before);
  });
});

describe('LEDGER-5 identical messages wait', () => {
  it('LEDGER-5 lets the second of two equal messages wait until the first is known', async () => {
    const c = cast();
    const first = await c.pending({ text: 'same' });
    const second = await c.pending({ text: 'same' });
    const { token } = await c.claimed(first);

    expect(await c.claim(second)).toEqual({ kind: 'identical', identical: first });
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    expect(await c.claim(second)).toEqual({ kind: 'identical', identical: first });
    await c.accept(token, 'A1');
    expect(await c.claim(second)).toMatchObject({ kind: 'claimed' });
  });

  it('LEDGER-5 has one of ten equal messages sending when all are claimed at once', async () => {
    const c = cast();
    const ids = await Promise.all(Array.from({ length: 10 }, () => c.pending({ text: 'same' })));

    const results = await Promise.all(ids.map((id) => c.claim(id)));

    const claimed = results.flatMap((result, n) => (result.kind === 'claimed' ? [ids[n]] : []));
    expect(claimed).toHaveLength(1);
    const others = results.filter(({ kind }) => kind !== 'claimed');
    expect(others).toEqual(others.map(() => ({ kind: 'identical', identical: claimed[0] })));
  });

  it('LEDGER-5 sees an identical message where only line ends and composed characters differ', async () => {
    const c = cast();
    const first = await c.pending({ text: 'caf\u00e9\r\nopen' });
    const second = await c.pending({ text: 'cafe\u0301\nopen' });
    await c.claimed(first);

    expect(await c.claim(second)).toEqual({ kind: 'identical', identical: first });
  });

  it.each([
    ['another text', { text: 'other' }],
    ['another chat', { text: 'same', chatId: '15550002222@c.us' }],
    ['another instance', { text: 'same', instance: 'i-elsewhere' }],
    ['another kind', { content: { kind: 'status', text: 'same' } }],
  ] as const)('LEDGER-5 lets %s go on', async (_, difference) => {
    const c = cast();
    await c.claimed(await c.pending({ text: 'same' }));

    expect(await c.claim(await c.pending(difference))).toMatchObject({ kind: 'claimed' });
  });
});

describe('LEDGER-7 the row decides', () => {
  it('LEDGER-7 gives the same attempt again to the same token, for a commit whose response was lost', async () => {
    const c = cast();
    const id = await c.pending();
    const first = await c.claim(id, 't-again');

    expect(await c.claim(id, 't-again', NOW + SECOND)).toEqual(first);
    expect(await c.view(id)).toMatchObject({ version: 2, attempts: [{ token: 't-again' }] });
  });

  it('LEDGER-7 gives a token no second right to post once its attempt has an outcome', async () => {
    const c = cast();
    const id = await c.pending();
    await c.claimed(id, 't-used');
    await c.record('t-used', { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    expect(await c.claim(id, 't-used')).toMatchObject({ kind: 'settled', snapshot: { state: 'unknown' } });

    await c.record('t-used', { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    await expect(c.claim(id, 't-used')).rejects.toMatchObject({ code: 'MESSAGE_CLAIMED_ELSEWHERE' });
  });
});
