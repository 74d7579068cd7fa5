import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt, StoredReceipt } from '../../src/ledger/index.js';
import { MINUTE, NOW, SECOND, useCast, type Cast } from './cast.js';

const cast = useCast();

type Status = Extract<Receipt, { kind: 'status' }>['status'];

function reported(c: Cast, id: string, idMessage: string, status: Status, atMs = NOW): StoredReceipt {
  return { id, instance: c.instance, receipt: { kind: 'status', idMessage, status, atMs } };
}

function applyMany(c: Cast, receipts: readonly StoredReceipt[], nowMs = NOW) {
  return c.ledger.receipts.applyOrdinary(receipts, nowMs);
}

describe('receipts applied together', () => {
  it('move each message as far as they say, with all of them in its evidence', async () => {
    const c = cast();
    const [one, two] = [await c.accepted('A1'), await c.accepted('A2')];

    const applied = await applyMany(c, [
      reported(c, '1', 'A1', 'sent'),
      reported(c, '2', 'A2', 'sent'),
      reported(c, '3', 'A1', 'delivered', NOW + SECOND),
    ]);

    expect([...applied.keys()].toSorted()).toEqual(['1', '2', '3']);
    expect(applied.get('1')).toEqual(applied.get('3'));
    expect(applied.get('1')).toEqual(await c.ledger.messages.snapshot(one));
    expect((await c.view(one)).evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted', 'sent', 'delivered']);
    expect(await c.state(one)).toBe('delivered');
    expect(await c.state(two)).toBe('sent');
  });

  it.each<[string, (c: Cast) => Promise<StoredReceipt[]>]>([
    ['are of an id that no one has', async (c) => [reported(c, '1', 'A1', 'sent')]],
    [
      'tell of a failure, together with all others of its message',
      async (c) => {
        await c.accepted('A1');
        return [reported(c, '1', 'A1', 'sent'), reported(c, '2', 'A1', 'failed')];
      },
    ],
    [
      'are of a message that has failed',
      async (c) => {
        await c.accepted('A1');
        await c.receive('A1', 'failed');
        return [reported(c, '1', 'A1', 'delivered')];
      },
    ],
    [
      'tell nothing new',
      async (c) => {
        await c.accepted('A1');
        await c.receive('A1', 'delivered');
        return [reported(c, '1', 'A1', 'sent')];
      },
    ],
    [
      'are of the same id at another instance',
      async (c) => {
        await c.accepted('A1');
        return [reported(cast(), '1', 'A1', 'sent')];
      },
    ],
  ])('leave those alone that %s', async (_, arrange) => {
    const c = cast();
    const receipts = await arrange(c);
    const before = await c.ledger.messages.list({ instance: c.instance });

    expect(await applyMany(c, receipts)).toEqual(new Map());
    expect(await c.ledger.messages.list({ instance: c.instance })).toEqual(before);
  });

  it('end as one after the other does, whatever they are', async () => {
    const status = fc.constantFrom<Status>('sent', 'delivered', 'read', 'failed', 'no_account');
    const receipt = fc.record({ message: fc.nat(2), status, atMs: fc.nat(3).map((n) => NOW + n * SECOND) });
    await fc.assert(
      fc.asyncProperty(fc.array(receipt, { minLength: 1, maxLength: 10 }), async (list) => {
        const [together, inTurn] = [cast(), cast()];
        const ids = { together: await three(together), inTurn: await three(inTurn) };

        const all = list.map(({ message, ...one }, at) =>
          reported(together, `${at}`, `A${message}`, one.status, one.atMs),
        );
        const applied = await applyMany(together, all, NOW + MINUTE);
        for (const { receipt: left } of all.filter(({ id }) => !applied.has(id))) {
          await together.ledger.receipts.apply(together.instance, left, NOW + MINUTE);
        }
        for (const { receipt: one } of all) await inTurn.ledger.receipts.apply(inTurn.instance, one, NOW + MINUTE);

        for (const at of [0, 1, 2]) {
          expect(await seen(together, ids.together[at])).toEqual(await seen(inTurn, ids.inTurn[at]));
        }
      }),
      { numRuns: 8 },
    );
  });
});

async function three(c: Cast) {
  return [
    await c.accepted('A0', { text: 'a' }),
    await c.accepted('A1', { text: 'b' }),
    await c.accepted('A2', { text: 'c' }),
  ];
}

/** All but what differs between two messages, or only says how often the row was written. */
async function seen(c: Cast, id: Awaited<ReturnType<Cast['accepted']>> | undefined) {
  if (id === undefined) throw new Error('no such message');
  const { id: _, instance: _instance, version: _version, attempts: _attempts, evidence, ...rest } = await c.view(id);
  return { ...rest, evidence: evidence.slice(2) };
}
