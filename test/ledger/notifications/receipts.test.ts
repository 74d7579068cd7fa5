import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageState } from '../../../src/contract/index.js';
import { stateAfter } from '../../../src/domain/index.js';
import { milestonesOf } from '../../../src/ledger/messages/message-row.js';
import { withReceipt, type ReceiptStatus, type Progress } from '../../../src/ledger/messages/writer/message-state.js';
import { exactly, MINUTE, NOW, SECOND, useOwnCast, WINDOW, Cast } from '../cast.js';

const c = useOwnCast();
const at = (ms: number): string => new Date(ms).toISOString();

describe('LEDGER-6 receipts move a message forward only', () => {
  it.each<[MessageState, ReceiptStatus, MessageState]>([
    ['accepted', 'sent', 'sent'],
    ['accepted', 'delivered', 'delivered'],
    ['accepted', 'no_account', 'no_account'],
    ['sent', 'failed', 'failed'],
    ['delivered', 'sent', 'delivered'],
    ['delivered', 'failed', 'delivered'],
    ['read', 'failed', 'read'],
    ['read', 'delivered', 'read'],
    ['failed', 'sent', 'failed'],
    ['failed', 'no_account', 'failed'],
    ['failed', 'delivered', 'delivered'],
    ['no_account', 'read', 'read'],
    ['unresolved', 'sent', 'sent'],
  ])('LEDGER-6 moves a message that is %s by a receipt %s to %s', (before, status, after) => {
    expect(stateAfter(before, status)).toBe(after);
  });

  const status = fc.constantFrom<ReceiptStatus>('sent', 'delivered', 'read', 'failed');
  const receipts = fc.array(fc.record({ status, atMs: fc.nat(1_000), seenMs: fc.nat(1_000) }), { maxLength: 8 });
  const state = fc.constantFrom<MessageState>(...Object.values(MessageState));

  function all(from: MessageState, told: readonly { status: ReceiptStatus; atMs: number; seenMs: number }[]): Progress {
    const seen = { sent_seen_at: null, delivered_seen_at: null, read_seen_at: null };
    const nothing = { ...seen, state: from, sent_at: null, delivered_at: null, read_at: null };
    return told.reduce<Progress>(
      (known, receipt) => withReceipt(known, receipt.status, new Date(receipt.atMs), new Date(receipt.seenMs)),
      nothing,
    );
  }

  it('LEDGER-6 has the same result for every order and repetition of receipts', () => {
    const inTwoOrders = receipts.chain((told) =>
      fc.tuple(fc.constant(told), fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 })),
    );
    fc.assert(
      fc.property(state, inTwoOrders, (from, [told, again]) => {
        expect(all(from, again)).toEqual(all(from, told));
      }),
    );
  });

  it('LEDGER-6 never lets our own times run backwards, whatever times the gateway gives', () => {
    const acceptedAt = fc.option(fc.nat(1_000).map((ms) => new Date(ms)));
    fc.assert(
      fc.property(state, acceptedAt, receipts, (from, accepted_at, told) => {
        const milestones = milestonesOf({ ...all(from, told), accepted_at });
        const steps = [milestones.acceptedAt, milestones.sentAt, milestones.deliveredAt, milestones.readAt];
        const known = steps.filter((step) => step !== undefined);
        expect(known).toEqual(known.toSorted());
        const isReported = (wanted: ReceiptStatus) => told.some((receipt) => receipt.status === wanted);
        expect(milestones.deliveredAt !== undefined).toBe(isReported('delivered'));
        expect(milestones.gatewayReadAt !== undefined).toBe(isReported('read'));
      }),
    );
  });

  it('LEDGER-6 never lets a failure hide that the message arrived', () => {
    fc.assert(
      fc.property(state, receipts, (from, told) => {
        const arrived = told.some((receipt) => receipt.status === 'delivered' || receipt.status === 'read');
        const after = all(from, told).state;
        expect(arrived && (after === 'failed' || after === 'no_account')).toBe(false);
      }),
    );
  });
});

describe('LEDGER-6 a receipt that comes before its id', () => {
  it('LEDGER-6 is parked and applied, in order, when the id is stored', async () => {
    const { id, token } = await c.posting();
    expect(await c.receive('A1', 'sent')).toBeUndefined();
    expect(await c.receive('A1', 'delivered', { atMs: NOW + SECOND })).toBeUndefined();

    expect(await c.accept(token, 'A1')).toMatchObject({ state: 'delivered', idMessage: 'A1', sentAt: at(NOW) });
    expect((await c.view(id)).evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'sent', 'delivered']);
  });

  it('LEDGER-6 is not applied to the same id of another instance', async () => {
    const elsewhere = new Cast(c.ledger);
    await elsewhere.receive('A1', 'failed');

    expect(await c.state(await c.accepted('A1'))).toBe('accepted');
  });

  it('LEDGER-6 never stays parked when it arrives at the moment at which its id is stored', async () => {
    const claims = [];
    for (let n = 0; n < 12; n += 1) claims.push(await c.claimed(await c.pending()));

    await Promise.all(
      claims.flatMap(({ token }, n) => [
        c.accept(token, `A${n}`),
        c.receive(`A${n}`, 'sent'),
        c.receive(`A${n}`, 'read'),
      ]),
    );

    const { items } = await c.ledger.views.messages({ instance: c.instance });
    expect(items.map((item) => item.state)).toEqual(Array(12).fill('read'));
  });
});

describe('a receipt', () => {
  it('is written once, and returns the same snapshot when it is repeated', async () => {
    const id = await c.accepted('A1');
    const first = await c.receive('A1', 'sent');
    const before = await c.view(id);

    expect(await c.receive('A1', 'sent', { nowMs: NOW + MINUTE })).toEqual(first);
    expect(await c.view(id)).toEqual(before);
  });

  it('keeps the gateway’s reason of a failure', async () => {
    const id = await c.accepted('A1');

    await c.receive('A1', 'failed', { description: 'SWE004: no such chat', nowMs: NOW + SECOND });

    expect(await c.view(id)).toMatchObject({
      state: 'failed',
      reason: 'failed',
      reasonText: 'SWE004: no such chat',
      endedAt: at(NOW + SECOND),
    });
  });

  it('corrects a failure by a delivery, and the failure stays in the evidence', async () => {
    const id = await c.accepted('A1');
    await c.receive('A1', 'failed', { description: 'lost' });

    await c.receive('A1', 'delivered', { atMs: NOW + SECOND });

    const view = await c.view(id);
    expect(view).toMatchObject({ state: 'delivered', gatewayDeliveredAt: at(NOW + SECOND) });
    expect(view).not.toHaveProperty('reason');
    expect(view).not.toHaveProperty('endedAt');
    expect(await c.evidence(id, 'failed')).toMatchObject([{ detail: { description: 'lost' } }]);
  });

  it('ends waiting edits when the message failed', async () => {
    const id = await c.accepted('A1');
    const edit = await c.edit(id, 'newer');

    await c.receive('A1', 'no_account');

    expect(await c.ledger.edits.view(edit)).toMatchObject({ state: 'not_possible', reason: 'message_no_account' });
  });

  it('may contain characters that a database rejects', async () => {
    const id = await c.accepted('A1');

    await c.receive('A1', 'failed', { description: 'half \ud800 and nothing \u0000.' });

    expect((await c.view(id)).reasonText).toBe('half \ufffd and nothing \ufffd.');
  });
});

describe('the edit window', () => {
  it.each<[string, [lowestMs: number, highestMs: number, measuredMs: number] | undefined, number, number, number]>([
    [
      'starts with the first sight of sent when the gateway’s clock is unknown',
      undefined,
      -7 * SECOND,
      3 * SECOND,
      3 * SECOND,
    ],
    ['closes as early as the gateway’s clock may be ahead of ours', [55 * SECOND, 61 * SECOND, 0], MINUTE, 0, -SECOND],
    // 200 parts in a million of ten days.
    [
      'closes earlier by the possible drift of a clock measured long ago',
      [0, 0, -10 * 24 * 60 * MINUTE],
      0,
      0,
      -172_800,
    ],
    ['never ends later than one window after the first sight of sent', [0, 0, 0], 60 * MINUTE, 0, 0],
  ])('%s', async (_, offset, sentMs, seenMs, startMs) => {
    await c.accepted('A1');
    if (offset !== undefined) {
      const [lowestMs, highestMs, measuredMs] = offset;
      await c.ledger.gatewayClocks.narrow(c.instance, { lowestMs, highestMs }, NOW + measuredMs);
    }

    const snapshot = await c.receive('A1', 'sent', { atMs: NOW + sentMs, nowMs: NOW + seenMs });

    expect(snapshot).toMatchObject({ sentAt: at(NOW + seenMs), editableUntil: at(NOW + startMs + WINDOW) });
    expect(await c.view(snapshot!.id)).toMatchObject({ gatewaySentAt: at(NOW + sentMs) });
  });

  it('closes earlier where the instance has a shorter one, also for messages sent before', async () => {
    const id = await c.sent('A1');

    await c.ledger.dispatch.configure([{ instance: c.instance, settings: { editWindowMs: 5 * MINUTE } }]);

    const editableUntil = at(NOW + 5 * MINUTE - 10 * SECOND);
    expect(await c.ledger.messages.snapshot(id)).toMatchObject({ editableUntil });
    expect(await c.view(id)).toMatchObject({ editableUntil });
    const edit = await c.edit(id, 'new');
    await c.ledger.edits.endByTime(500, NOW + 5 * MINUTE);
    expect(await c.editState(edit)).toBe('too_late');
  });

  it('follows the gateway’s clock, translated by the newest offset', async () => {
    const id = await c.sent('A1');

    await c.ledger.gatewayClocks.narrow(c.instance, exactly(4 * MINUTE), NOW + SECOND);

    expect(await c.ledger.messages.snapshot(id)).toMatchObject({ editableUntil: at(NOW - 4 * MINUTE + WINDOW) });
  });

  it('starts with a delivery when sent is missing, and with the earlier time when sent follows', async () => {
    const id = await c.accepted('A1');

    const delivered = await c.receive('A1', 'delivered', { atMs: NOW, nowMs: NOW + SECOND });
    const sent = await c.receive('A1', 'sent', { atMs: NOW - MINUTE, nowMs: NOW + 2 * SECOND });

    const sentAt = at(NOW + SECOND);
    expect(delivered).toMatchObject({ state: 'delivered', sentAt, editableUntil: at(NOW + SECOND + WINDOW) });
    expect(sent).toMatchObject({ state: 'delivered', sentAt });
    expect(await c.view(id)).toMatchObject({ gatewaySentAt: at(NOW - MINUTE), gatewayDeliveredAt: at(NOW) });
  });
});

describe('the inbox', () => {
  it('stores a body once for an instance, whatever the order of its keys', async () => {
    const first = await c.ledger.receipts.store(c.instance, { typeWebhook: 'x', idMessage: 'A1' }, NOW);

    expect(await c.ledger.receipts.store(c.instance, { idMessage: 'A1', typeWebhook: 'x' }, NOW)).toMatchObject({
      id: first.id,
      duplicate: true,
    });
    expect(await c.ledger.receipts.store(`${c.instance}-b`, { typeWebhook: 'x', idMessage: 'A1' }, NOW)).toMatchObject({
      duplicate: false,
    });
  });

  it('returns unapplied notifications, oldest first, as they came', async () => {
    const bodies = [{ n: 1, text: 'nothing \u0001' }, 'no object', null, [{ n: 4 }]];
    for (const body of bodies) await c.ledger.receipts.store(c.instance, body, NOW);
    const mine = async () =>
      (await c.ledger.receipts.unapplied(1_000)).filter(({ instance }) => instance === c.instance);

    const stored = await mine();
    expect(stored.map(({ body }) => body)).toEqual(bodies);
    expect(stored[0]).toMatchObject({ receivedAt: at(NOW) });

    await c.ledger.receipts.markApplied(new Map([[stored[0]?.id ?? '', { outcome: 'applied' }]]));
    expect((await mine()).map(({ body }) => body)).toEqual(bodies.slice(1));
  });
});
