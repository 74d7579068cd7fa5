import { describe, expect, it } from 'vitest';
import { MINUTE, NOW, useCast, type Cast } from '../cast.js';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RECEIPT_WAIT = DAY + 15 * MINUTE;

describe('the states of an instance', () => {
  const aCast = useCast();

  it('show since when an instance is in its state, and when it was last seen in it', async () => {
    const { ledger, instance } = aCast();
    await ledger.instanceStates.record({ instance, state: 'authorized', atMs: NOW - HOUR });
    for (const minute of [0, 1, 2]) {
      await ledger.instanceStates.record({ instance, state: 'notAuthorized', atMs: NOW + minute * MINUTE });
    }
    expect(await ledger.instanceStates.current(instance)).toEqual({
      state: 'notAuthorized',
      since: new Date(NOW).toISOString(),
      seenAt: new Date(NOW + 2 * MINUTE).toISOString(),
    });
  });

  it('are unknown before the first observation', async () => {
    const { ledger, instance } = aCast();
    expect(await ledger.instanceStates.current(instance)).toBeUndefined();
  });

  it('start again after a time without a poll', async () => {
    const { ledger, instance } = aCast();
    await ledger.instanceStates.record({ instance, state: 'authorized', atMs: NOW });
    await ledger.instanceStates.record({ instance, state: 'authorized', atMs: NOW + HOUR });
    const current = await ledger.instanceStates.current(instance);
    expect(current?.since).toBe(new Date(NOW + HOUR).toISOString());
  });
});

/** Polls the instance once a minute, as a worker does. */
async function seen(cast: Cast, state: string, fromMs: number, toMs: number): Promise<void> {
  for (let atMs = fromMs; atMs <= toMs; atMs += 9 * MINUTE) {
    await cast.ledger.instanceStates.record({ instance: cast.instance, state, atMs });
  }
}

describe('an accepted message without a receipt', () => {
  const aCast = useCast();

  it('shows until when it may still leave the queue', async () => {
    const cast = aCast();
    const id = await cast.accepted('BAE1');
    expect((await cast.view(id)).mayLeaveUntil).toBe(new Date(NOW + DAY).toISOString());
    await cast.receive('BAE1', 'sent');
    expect((await cast.view(id)).mayLeaveUntil).toBeUndefined();
  });

  it('is not reconciled before the time for its receipts has passed', async () => {
    const cast = aCast();
    const id = await cast.accepted('BAE2');
    await seen(cast, 'notAuthorized', NOW, NOW + DAY);
    const row = await cast.ledger.messages.expire(id, NOW + RECEIPT_WAIT - 1);
    expect(row.state).toBe('accepted');
    expect(row.reason).toBeUndefined();
  });

  it('expires when the instance was never authorized in that time, with the evidence', async () => {
    const cast = aCast();
    const id = await cast.accepted('BAE3');
    await seen(cast, 'notAuthorized', NOW, NOW + 3 * HOUR);
    await seen(cast, 'yellowCard', NOW + 3 * HOUR, NOW + DAY);
    const row = await cast.ledger.messages.expire(id, NOW + RECEIPT_WAIT, 'no_status');
    expect(row).toMatchObject({ state: 'expired', reason: 'never_authorized' });
    expect(await cast.evidence(id, 'never_authorized')).toMatchObject([
      { witness: 'getStateInstance', detail: { journal: 'no_status', keptUntil: new Date(NOW + DAY).toISOString() } },
    ]);
  });

  it.each<[string, (cast: Cast) => Promise<void>]>([
    ['no poll of the instance ran', async () => undefined],
    [
      'the instance was authorized for a minute',
      async (cast) => {
        await seen(cast, 'notAuthorized', NOW, NOW + HOUR);
        await cast.ledger.instanceStates.record({ instance: cast.instance, state: 'authorized', atMs: NOW + HOUR });
        await seen(cast, 'notAuthorized', NOW + HOUR + MINUTE, NOW + DAY);
      },
    ],
    [
      'the instance was authorized when it was accepted',
      async (cast) => {
        await cast.ledger.instanceStates.record({ instance: cast.instance, state: 'authorized', atMs: NOW - HOUR });
        await seen(cast, 'notAuthorized', NOW + MINUTE, NOW + DAY);
      },
    ],
    [
      'no poll ran for an hour',
      async (cast) => {
        await seen(cast, 'notAuthorized', NOW, NOW + HOUR);
        await seen(cast, 'notAuthorized', NOW + 2 * HOUR, NOW + DAY);
      },
    ],
    [
      'no poll ran towards the end',
      async (cast) => {
        await seen(cast, 'notAuthorized', NOW, NOW + 20 * HOUR);
      },
    ],
  ])('stays accepted, with the evidence that it left the queue, when %s', async (_, tell) => {
    const cast = aCast();
    const id = await cast.accepted('BAE4');
    await tell(cast);
    const row = await cast.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    expect(row).toMatchObject({ state: 'accepted', reason: 'left_queue_no_receipt' });
    const view = await cast.view(id);
    expect(view.endedAt).toBe(new Date(NOW + RECEIPT_WAIT).toISOString());
    expect(view.mayLeaveUntil).toBeUndefined();
    expect(await cast.evidence(id, 'left_queue_no_receipt')).toHaveLength(1);
  });

  it('is reconciled once', async () => {
    const cast = aCast();
    const id = await cast.accepted('BAE5');
    const first = await cast.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    expect(await cast.ledger.messages.expire(id, NOW + 2 * RECEIPT_WAIT)).toEqual(first);
  });

  it.each([
    ['expired', true],
    ['left accepted', false],
  ])('moves forward when a receipt comes after it was %s', async (_, wasOff) => {
    const cast = aCast();
    const id = await cast.accepted('BAE6');
    if (wasOff) await seen(cast, 'notAuthorized', NOW, NOW + DAY);
    await cast.ledger.messages.expire(id, NOW + RECEIPT_WAIT);
    await cast.receive('BAE6', 'delivered');
    const view = await cast.view(id);
    expect(view.state).toBe('delivered');
    expect(view.reason).toBeUndefined();
    expect(view.endedAt).toBeUndefined();
  });
});

describe('the lease of a background job', () => {
  const aCast = useCast();

  it('belongs to one holder until it is released or has expired', async () => {
    const { ledger, instance: name } = aCast();
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
