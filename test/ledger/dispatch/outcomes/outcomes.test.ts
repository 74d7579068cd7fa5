import { describe, expect, it } from 'vitest';
import type { AttemptOutcome, MessageId } from '../../../../src/contract/index.js';
import { MINUTE, NOW, SECOND, useOwnCast, Cast } from '../../cast.js';

const c = useOwnCast();
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'Validation failed', httpStatus: 400 } as const;
const BUSY = { kind: 'not_accepted', code: 'GATEWAY_BUSY', httpStatus: 429 } as const;

/** Proves PROMISE-4. */
describe('an outcome of the current attempt', () => {
  it.each<[string, AttemptOutcome, object]>([
    ['accepted', { kind: 'accepted', idMessage: 'A1', httpStatus: 200 }, { state: 'accepted', idMessage: 'A1' }],
    ['rejected', REFUSED, { state: 'rejected', reason: 'GATEWAY_REJECTED', reasonText: 'Validation failed' }],
    ['not accepted', BUSY, { state: 'pending' }],
    ['unknown', LOST, { state: 'unknown' }],
  ])('moves the row when it was %s, and is recorded in the attempt and in the evidence', async (_, outcome, row) => {
    const { id, token } = await c.posting();

    await c.record(token, outcome, NOW + SECOND);

    const { kind, ...facts } = outcome;
    const view = await c.view(id);
    expect(view).toMatchObject({ ...row, version: 3 });
    expect(view.attempts).toMatchObject([{ token, outcome: kind, outcomeAt: '2026-03-01T10:00:01.000Z', ...facts }]);
    expect(view.evidence.at(-1)).toEqual({
      at: '2026-03-01T10:00:01.000Z',
      witness: 'response',
      what: kind,
      detail: { attempt: token, ...facts },
    });
  });

  it('LEDGER-7 is written once however often it is recorded', async () => {
    const { id, token } = await c.posting();
    const first = await c.accept(token, 'A1');
    const before = await c.view(id);

    expect(await c.accept(token, 'A1', NOW + MINUTE)).toEqual(first);
    expect(await c.view(id)).toEqual(before);
  });

  it('makes a message pending again that was not accepted, for a claim with a new token', async () => {
    const { id, token } = await c.posting();
    await c.record(token, BUSY);

    expect((await c.claimed(id)).token).not.toBe(token);
  });

  it('is refused for an attempt that does not exist', async () => {
    await expect(new Cast(c.ledger).record('t-missing', LOST)).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
      next: 'stop',
    });
  });
});

describe('LEDGER-4 late outcomes are kept', () => {
  const LATE: [string, (id: MessageId, token: string) => Promise<unknown>][] = [
    ['unknown', (_, token) => c.record(token, LOST)],
    ['taken over', (id) => c.takeOver(id, NOW + 10 * MINUTE)],
    ['pending again', (_, token) => c.record(token, BUSY)],
    ['rejected', (_, token) => c.record(token, REFUSED)],
    [
      'pending again and cancelled',
      async (id, token) => {
        await c.record(token, BUSY);
        await c.ledger.messages.cancel(id, 'request', NOW);
      },
    ],
    [
      'pending again and expired',
      async (id, token) => {
        await c.record(token, BUSY);
        await c.ledger.messages.expire(id, NOW + 60 * MINUTE);
      },
    ],
    [
      'pending again and claimed again',
      async (id, token) => {
        await c.record(token, BUSY);
        await c.claimed(id);
      },
    ],
  ];

  it.each(LATE)('LEDGER-4 records a late id after the row was %s', async (_, meanwhile) => {
    const { id, token } = await c.posting();
    await meanwhile(id, token);

    await c.accept(token, 'A-late', NOW + MINUTE);

    const view = await c.view(id);
    expect(view).toMatchObject({ state: 'accepted', idMessage: 'A-late', acceptedAt: '2026-03-01T10:01:00.000Z' });
    expect(view).not.toHaveProperty('reason');
    expect(view).not.toHaveProperty('endedAt');
    expect(view.attempts[0]).toMatchObject({ token, outcome: 'accepted', idMessage: 'A-late' });
  });

  it.each([REFUSED, BUSY, LOST])(
    'LEDGER-4 does not let an old attempt that was $kind move the row',
    async (outcome) => {
      const id = await c.pending();
      const old = await c.claimed(id);
      await c.record(old.token, { ...BUSY, code: 'GATEWAY_UNREACHABLE' });
      await c.claimed(id);

      await c.record(old.token, outcome);

      expect(await c.state(id)).toBe('sending');
    },
  );

  it.each([REFUSED, BUSY])('LEDGER-4 lets a late $kind decide a row that is unknown', async (outcome) => {
    const { id, token } = await c.posting();
    await c.record(token, LOST);

    await c.record(token, outcome);

    expect(await c.view(id)).toMatchObject({
      state: outcome.kind === 'rejected' ? 'rejected' : 'pending',
      attempts: [{ outcome: outcome.kind }],
    });
  });

  it.each([LOST, BUSY, REFUSED])(
    'LEDGER-4 lets no later $kind weaken an attempt that was accepted',
    async (outcome) => {
      const { id, token } = await c.posting();
      await c.accept(token, 'A1');

      await c.record(token, outcome);

      expect(await c.view(id)).toMatchObject({
        state: 'accepted',
        attempts: [{ outcome: 'accepted', idMessage: 'A1' }],
      });
    },
  );

  it('LEDGER-4 records both ids when two attempts of one message were accepted, and keeps the first', async () => {
    const id = await c.pending();
    const first = await c.claimed(id);
    await c.record(first.token, BUSY);
    const second = await c.claimed(id);
    await c.accept(second.token, 'A2');

    await c.accept(first.token, 'A1');
    await c.accept(first.token, 'A1');

    expect(await c.view(id)).toMatchObject({ state: 'accepted', idMessage: 'A2' });
    expect((await c.evidence(id, 'duplicated')).map(({ detail }) => detail)).toEqual([
      { idMessage: 'A2', secondIdMessage: 'A1', attempt: first.token },
    ]);
    // A receipt for either id belongs to this message.
    expect(await c.receive('A1', 'sent')).toMatchObject({ id, state: 'sent' });
  });

  it('LEDGER-4 records a conflict in both messages when the gateway gives one id twice, and moves neither', async () => {
    const owner = await c.accepted('A1');
    const other = await c.pending();
    const { token } = await c.claimed(other);
    const before = await c.ledger.messages.snapshot(owner);

    expect(await c.accept(token, 'A1')).toMatchObject({ state: 'sending' });

    expect(await c.ledger.messages.snapshot(owner)).toEqual(before);
    expect((await c.evidence(owner, 'id_conflict')).map(({ detail }) => detail)).toEqual([
      { idMessage: 'A1', otherMessage: other },
    ]);
    expect((await c.evidence(other, 'id_conflict')).map(({ detail }) => detail)).toEqual([
      { idMessage: 'A1', otherMessage: owner },
    ]);
  });

  it('LEDGER-4 ends an edit as unconfirmed when the gateway had accepted the text before it', async () => {
    const id = await c.pending({ text: 'old' });
    const early = await c.edit(id, 'posted');
    const { token } = await c.claimed(id);
    await c.record(token, BUSY);
    const late = await c.edit(id, 'new');
    expect(await c.editState(late)).toBe('edited');

    await c.accept(token, 'A1');

    expect(await c.view(id)).toMatchObject({ state: 'accepted', content: { text: 'posted' } });
    expect([await c.editState(early), await c.editState(late)]).toEqual(['edited', 'unconfirmed']);
    expect(await c.evidence(id, 'older_text_accepted')).toHaveLength(1);
  });
});

describe('a cancellation while a request is out', () => {
  it('cancels the message when the gateway did not accept it', async () => {
    const { id, token } = await c.posting();
    expect(await c.ledger.messages.cancel(id, 'request', NOW)).toMatchObject({ state: 'sending' });

    await c.record(token, BUSY);
    expect(await c.view(id)).toMatchObject({ state: 'cancelled', reason: 'cancelled' });
    expect((await c.view(id)).evidence.map(({ what }) => what)).toEqual([
      'claimed',
      'cancel_requested',
      'not_accepted',
      'cancelled',
    ]);
  });

  it('changes nothing when the gateway accepted it', async () => {
    const { id, token } = await c.posting();
    await c.ledger.messages.cancel(id, 'request', NOW);

    expect(await c.accept(token, 'A1')).toMatchObject({ state: 'accepted' });
  });
});

describe('an edit that waits while a request is out', () => {
  it('replaces the text when the gateway did not accept the message', async () => {
    const { id, token } = await c.posting({ text: 'old' });
    const older = await c.edit(id, 'newer');
    const newest = await c.edit(id, 'newest');

    await c.record(token, BUSY);

    expect((await c.claimed(id)).content).toEqual({ kind: 'text', text: 'newest' });
    expect(await c.ledger.edits.view(newest)).toMatchObject({ state: 'edited', via: 'before_send' });
    expect(await c.editState(older)).toBe('superseded');
  });

  it('ends as not possible when the message is rejected', async () => {
    const { id, token } = await c.posting();
    const edit = await c.edit(id, 'newer');

    await c.record(token, REFUSED);

    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'not_possible', reason: 'message_rejected' });
  });
});
