import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt, StoredReceipt } from '../../../src/ledger/index.js';
import { aWait, Cast, MINUTE, NOW, SECOND, useOwnCast } from '../cast.js';

const c = useOwnCast();

type Status = Extract<Receipt, { kind: 'status' }>['status'];

function reported(id: string, idMessage: string, status: Status, atMs = NOW, instance = c.instance): StoredReceipt {
  return { id, instance, receipt: { kind: 'status', idMessage, status, atMs } };
}

const applyMany = (receipts: readonly StoredReceipt[], nowMs = NOW) => c.ledger.receipts.applyTogether(receipts, nowMs);

const EDITED = { kind: 'edited', originalIdMessage: 'A1', idMessage: 'N1', text: 'new', atMs: NOW } as const;

describe('receipts applied together', () => {
  it('move each message to its newest state, and all become evidence', async () => {
    const [one, two] = [await c.accepted('A1'), await c.accepted('A2')];

    const { outcomes, changed } = await applyMany([
      reported('1', 'A1', 'sent'),
      reported('2', 'A2', 'sent'),
      reported('3', 'A1', 'delivered', NOW + SECOND),
    ]);

    expect(outcomes).toEqual(new Map(['1', '2', '3'].map((id) => [id, 'applied'])));
    expect(changed.toSorted()).toEqual([one, two].toSorted());
    expect((await c.view(one)).evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'sent', 'delivered']);
    expect(await c.state(one)).toBe('delivered');
    expect(await c.state(two)).toBe('sent');
  });

  it('end a message that failed, and reopen it when a delivery follows', async () => {
    const id = await c.accepted('A1');

    const receipt = {
      kind: 'status',
      idMessage: 'A1',
      status: 'no_account',
      atMs: NOW,
      description: 'no such number',
    } as const;
    await applyMany([{ id: '1', instance: c.instance, receipt }]);
    expect(await c.view(id)).toMatchObject({
      state: 'no_account',
      reason: 'no_account',
      reasonText: 'no such number',
      endedAt: new Date(NOW).toISOString(),
    });

    await applyMany([reported('2', 'A1', 'delivered')]);
    const view = await c.view(id);
    expect(view.state).toBe('delivered');
    expect(view).not.toHaveProperty('reason');
    expect(view).not.toHaveProperty('endedAt');
  });

  it('change nothing when they add no information, but become evidence', async () => {
    const id = await c.accepted('A1');
    await c.receive('A1', 'delivered');
    const before = await c.ledger.messages.snapshot(id);

    const { outcomes, changed } = await applyMany([reported('1', 'A1', 'sent')]);

    expect([outcomes.get('1'), changed]).toEqual(['applied', []]);
    expect(await c.ledger.messages.snapshot(id)).toEqual(before);
    expect(await c.evidence(id, 'sent')).toHaveLength(1);
  });

  it('are parked once while no message has their id, and applied in their order when one gets it', async () => {
    const receipts = [reported('1', 'A1', 'sent'), reported('2', 'A1', 'read'), reported('3', 'A1', 'read')];

    expect((await applyMany(receipts)).outcomes).toEqual(new Map(receipts.map(({ id }) => [id, 'parked'])));
    await applyMany(receipts);
    const id = await c.accepted('A1');

    expect((await c.view(id)).evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'sent', 'read']);
  });

  it('apply only to messages of their own instance', async () => {
    const id = await c.accepted('A1');

    const elsewhere = reported('1', 'A1', 'sent', NOW, `${c.instance}-b`);
    expect((await applyMany([elsewhere])).outcomes.get('1')).toBe('parked');
    expect(await c.state(id)).toBe('accepted');
  });

  it('mark their notifications as applied, and end the waits of runs', async () => {
    const id = await c.accepted('A1', { run: 'started' });
    await c.ledger.outbox.awaitState(aWait(id));
    const store = async (n: number) => (await c.ledger.receipts.store(c.instance, { n }, NOW)).id;
    const [first, second, third] = [await store(1), await store(2), await store(3)];

    await applyMany([reported(first, 'A1', 'sent'), reported(second, 'A2', 'sent')]);

    const left = (await c.ledger.receipts.unapplied(1_000)).filter(({ instance }) => instance === c.instance);
    expect(left.map((one) => one.id)).toEqual([third]);
    const due = await c.ledger.outbox.claim({ nowMs: NOW, forMs: 0, limit: 1_000 });
    expect(due.filter(({ messageId }) => messageId === id)).toMatchObject([{ message: { state: 'sent' } }]);
  });

  it.each<[string, () => Promise<StoredReceipt[]>]>([
    [
      'come with a notification of an edit of the same message',
      async () => {
        await c.accepted('A1');
        return [reported('1', 'A1', 'sent'), { id: '2', instance: c.instance, receipt: EDITED }];
      },
    ],
    [
      'report a failure that may be an edit’s, together with all others of their message',
      async () => {
        const id = await c.sent('A1');
        await c.edit(id, 'new');
        return [reported('1', 'A1', 'delivered'), reported('2', 'A1', 'failed')];
      },
    ],
    [
      'name another id under which the message was accepted',
      async () => {
        const id = await c.pending();
        const first = await c.claimed(id);
        await c.record(first.token, { kind: 'not_accepted', code: 'GATEWAY_BUSY', httpStatus: 429 });
        await c.accept((await c.claimed(id)).token, 'A2');
        await c.accept(first.token, 'A1');
        return [reported('1', 'A1', 'sent')];
      },
    ],
    [
      'name the id of an edit',
      async () => {
        await c.sent('A1');
        await c.ledger.receipts.apply(c.instance, EDITED, NOW);
        return [reported('1', 'N1', 'delivered')];
      },
    ],
  ])('are all left to the general path when some %s', async (_, arrange) => {
    const receipts = await arrange();
    const before = await c.ledger.views.messages({ instance: c.instance });

    expect(await applyMany(receipts)).toEqual({ outcomes: new Map(), changed: [] });
    expect(await c.ledger.views.messages({ instance: c.instance })).toEqual(before);
  });

  it('have the same result as one by one, in any order', async () => {
    const status = fc.constantFrom<Status>('sent', 'delivered', 'read', 'failed', 'no_account');
    const receipt = fc.record({ message: fc.nat(2), status, atMs: fc.nat(3).map((n) => NOW + n * SECOND) });
    await fc.assert(
      fc.asyncProperty(fc.array(receipt, { minLength: 1, maxLength: 10 }), async (list) => {
        const [together, inTurn] = [new Cast(c.ledger), new Cast(c.ledger)];
        const ids = { together: await three(together), inTurn: await three(inTurn) };

        const all = list.map((one, at) =>
          reported(`${at}`, `A${one.message}`, one.status, one.atMs, together.instance),
        );
        const { outcomes } = await applyMany(all, NOW + MINUTE);
        expect([...outcomes.values()]).toEqual(all.map(() => 'applied'));
        for (const { receipt: one } of all) await inTurn.ledger.receipts.apply(inTurn.instance, one, NOW + MINUTE);

        for (const at of [0, 1, 2]) {
          expect(await seen(together, ids.together[at])).toEqual(await seen(inTurn, ids.inTurn[at]));
        }
      }),
      { numRuns: 8 },
    );
  });
});

async function three(cast: Cast) {
  const accepted = (number: number) => cast.accepted(`A${number}`, { text: String(number) });
  return [await accepted(0), await accepted(1), await accepted(2)];
}

/** The rows without the names of their message and without the counts of writes. */
async function seen(cast: Cast, id: Awaited<ReturnType<Cast['accepted']>> | undefined) {
  if (id === undefined) throw new Error('no such message');
  const { id: _, instance: _instance, version: _version, attempts: _attempts, evidence, ...rest } = await cast.view(id);
  return { ...rest, evidence: evidence.slice(2) };
}
