import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, useOwnCast } from '../cast.js';

const the = useOwnCast();
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RECEIPT_WAIT = DAY + 15 * MINUTE;

const recorded = (state: string, atMs: number) =>
  the.ledger.instanceStates.record({ instance: the.instance, state, atMs });
const current = () => the.ledger.instanceStates.current(the.instance);

/** Observes the instance every nine minutes, so that no gap is too long. */
async function seen(state: string, fromMs: number, toMs: number): Promise<void> {
  for (let atMs = fromMs; atMs <= toMs; atMs += 9 * MINUTE) await recorded(state, atMs);
}

describe('the states of an instance', () => {
  it('show since when an instance is in its state, and when it was last seen in it', async () => {
    await recorded('authorized', NOW - HOUR);
    for (const minute of [0, 1, 2]) {
      await recorded('notAuthorized', NOW + minute * MINUTE);
    }
    expect(await current()).toEqual({
      state: 'notAuthorized',
      since: new Date(NOW).toISOString(),
      seenAt: new Date(NOW + 2 * MINUTE).toISOString(),
    });
  });

  it('are unknown before the first observation', async () => {
    expect(await current()).toBeUndefined();
  });

  it('start again after a time without a poll', async () => {
    await recorded('authorized', NOW);
    await recorded('authorized', NOW + HOUR);
    expect((await current())?.since).toBe(new Date(NOW + HOUR).toISOString());
  });
});

describe('an accepted message without a receipt', () => {
  it('shows until when it may still leave the queue', async () => {
    const id = await the.accepted('BAE1');
    expect((await the.view(id)).mayLeaveUntil).toBe(new Date(NOW + DAY).toISOString());
    await the.receive('BAE1', 'sent');
    expect((await the.view(id)).mayLeaveUntil).toBeUndefined();
  });

  it('is not reconciled before the time for its receipts has passed', async () => {
    const id = await the.accepted('BAE2');
    await seen('notAuthorized', NOW, NOW + DAY);
    const row = await the.ledger.messages.expire(id, NOW + RECEIPT_WAIT - 1);
    expect(row.state).toBe('accepted');
    expect(row.reason).toBeUndefined();
  });

  it('expires when the instance was never authorized in that time, with the evidence', async () => {
    const id = await the.accepted('BAE3');
    await seen('notAuthorized', NOW, NOW + 3 * HOUR);
    await seen('yellowCard', NOW + 3 * HOUR, NOW + DAY);
    const row = await the.ledger.messages.expire(id, NOW + RECEIPT_WAIT, 'no_status');
    expect(row).toMatchObject({ state: 'expired', reason: 'never_authorized' });
    expect(await the.evidence(id, 'never_authorized')).toMatchObject([
      { witness: 'getStateInstance', detail: { journal: 'no_status', keptUntil: new Date(NOW + DAY).toISOString() } },
    ]);
  });

  it.each<[string, () => Promise<void>]>([
    ['no poll of the instance ran', async () => undefined],
    [
      'the instance was authorized for a minute',
      async () => {
        await seen('notAuthorized', NOW, NOW + HOUR);
        await recorded('authorized', NOW + HOUR);
        await seen('notAuthorized', NOW + HOUR + MINUTE, NOW + DAY);
      },
    ],
    [
      'the instance was authorized when it was accepted',
      async () => {
        await recorded('authorized', NOW - HOUR);
        await seen('notAuthorized', NOW + MINUTE, NOW + DAY);
      },
    ],
    [
      'no poll ran for an hour',
      async () => {
        await seen('notAuthorized', NOW, NOW + HOUR);
        await seen('notAuthorized', NOW + 2 * HOUR, NOW + DAY);
      },
    ],
    [
      'no poll ran towards the end',
      async () => {
        await seen('notAuthorized', NOW, NOW + 20 * HOUR);
      },
    ],
  ])('stays accepted, with the evidence that it left the queue, when %s', async (_, tell) => {
    const id = await the.accepted('BAE4');
    await tell();
    const row = await the.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    expect(row).toMatchObject({ state: 'accepted', reason: 'left_queue_no_receipt' });
    const view = await the.view(id);
    expect(view.endedAt).toBe(new Date(NOW + RECEIPT_WAIT).toISOString());
    expect(view.mayLeaveUntil).toBeUndefined();
    expect(await the.evidence(id, 'left_queue_no_receipt')).toHaveLength(1);
  });

  it('is reconciled once', async () => {
    const id = await the.accepted('BAE5');
    const first = await the.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    expect(await the.ledger.messages.expire(id, NOW + 2 * RECEIPT_WAIT)).toEqual(first);
  });

  it.each([
    ['expired', true],
    ['left accepted', false],
  ])('moves forward when a receipt comes after it was %s', async (_, wasOff) => {
    const id = await the.accepted('BAE6');
    if (wasOff) await seen('notAuthorized', NOW, NOW + DAY);
    await the.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    await the.receive('BAE6', 'delivered');
    const view = await the.view(id);
    expect(view.state).toBe('delivered');
    expect(view.reason).toBeUndefined();
    expect(view.endedAt).toBeUndefined();
  });
});

describe('the lease of a background job', () => {
  it('belongs to one holder until it is released or has expired', async () => {
    const { ledger, instance: name } = the;
    expect(await ledger.leases.acquire(name, 'first', HOUR)).toBe(true);
    expect(await ledger.leases.acquire(name, 'second', HOUR)).toBe(false);
    expect(await ledger.leases.acquire(name, 'first', 0)).toBe(true);
    expect(await ledger.leases.acquire(name, 'second', HOUR)).toBe(true);
    await ledger.leases.release(name, 'first');
    expect(await ledger.leases.acquire(name, 'first', HOUR)).toBe(false);
    await ledger.leases.release(name, 'second');
    expect(await ledger.leases.acquire(name, 'first', HOUR)).toBe(true);
  });
});
