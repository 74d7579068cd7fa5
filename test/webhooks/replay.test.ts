import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { ReplayView } from '../../src/ledger/index.js';
import type { Receiver } from '../../src/webhooks/index.js';
import { useOwnWorld } from './world.js';
import { perTest } from '../support/per-test.js';

const HOUR_MS = 60 * 60_000;

const the = useOwnWorld();
const receiver = perTest(() => the.receiver());

async function replay(sinceMs = the.nowMs - HOUR_MS, by: Receiver = receiver): Promise<ReplayView | undefined> {
  const { id } = await the.ledger.replays.begin({ id: randomUUID(), instance: the.instance, sinceMs }, the.nowMs);
  await by.idle();
  return the.ledger.replays.view(id);
}

describe('a replay', () => {
  it('changes nothing when everything was applied', async () => {
    const id = await the.accepted('A');
    const statuses = ['sent', 'delivered', 'failed', 'read'];
    await the.post(receiver, ...statuses.map((status) => the.status('A', status)));
    const before = await the.ledger.views.message(id, Date.now());

    expect(await replay()).toMatchObject({ total: 4, done: 4, outcomes: { applied: 4 } });

    expect(await the.ledger.views.message(id, Date.now())).toEqual(before);
  });

  it('includes applied notifications of one instance since the given time only', async () => {
    await the.post(receiver, the.status('old', 'sent'));
    the.nowMs += 2 * HOUR_MS;
    await the.post(receiver, the.status('new', 'sent'));
    await receiver.close();
    await the.ledger.receipts.store(the.instance, the.status('not applied', 'sent'), the.nowMs);

    expect(await the.ledger.replays.begin({ id: randomUUID(), instance: 'missing', sinceMs: 0 }, 0)).toMatchObject({
      total: 0,
      endedAt: expect.any(String) as string,
    });
    expect(await replay(the.nowMs - HOUR_MS, the.receiver())).toMatchObject({ total: 1, done: 1 });
  });

  it('runs in parts and in order for many notifications, and new ones go first', async () => {
    for (let number = 0; number < 110; number += 1) {
      const { id } = await the.ledger.receipts.store(the.instance, the.status(String(number), 'sent'), the.nowMs);
      await the.ledger.receipts.markApplied(new Map([[id, { outcome: 'parked' }]]));
    }
    const again: string[] = [];
    await receiver.close();
    const apply = the.ledger.receipts.apply.bind(the.ledger.receipts);
    const watched = vi.spyOn(the.ledger.receipts, 'apply').mockImplementation((instance, receipt, nowMs) => {
      if (receipt.kind === 'status') again.push(receipt.idMessage);
      return apply(instance, receipt, nowMs);
    });
    const together = the.ledger.receipts.applyTogether.bind(the.ledger.receipts);
    const watchedTogether = vi.spyOn(the.ledger.receipts, 'applyTogether').mockImplementation((receipts, nowMs) => {
      again.push(...receipts.map(({ receipt }) => receipt.idMessage));
      return together(receipts, nowMs);
    });
    await the.ledger.receipts.store(the.instance, the.status('new', 'sent'), the.nowMs);

    expect(await replay(undefined, the.receiver())).toMatchObject({ total: 110, done: 110, outcomes: { parked: 110 } });
    [watched, watchedTogether].forEach((spy) => spy.mockRestore());

    const numbers = Array.from({ length: 110 }, (_, number) => String(number));
    expect(again).toEqual(['new', ...numbers].map((name) => the.idOf(name)));
  });

  it('continues after the process died', async () => {
    await the.post(receiver, the.status('A', 'sent'), the.status('B', 'sent'));
    await receiver.close();
    const { id } = await the.ledger.replays.begin({ id: randomUUID(), instance: the.instance, sinceMs: 0 }, the.nowMs);
    const batch = await the.ledger.replays.next(1);
    if (batch !== undefined)
      await the.ledger.replays.advance(batch, new Map([[batch.notifications[0]?.id ?? '', { outcome: 'parked' }]]), 0);

    await the.receiver().idle();

    expect(await the.ledger.replays.view(id)).toMatchObject({ total: 2, done: 2, outcomes: { parked: 2 } });
  });

  it('is counted once when two processes do the same part of it', async () => {
    await the.post(receiver, the.status('A', 'sent'));
    await receiver.close();
    const { id } = await the.ledger.replays.begin({ id: randomUUID(), instance: the.instance, sinceMs: 0 }, the.nowMs);
    const [first, second] = [await the.ledger.replays.next(10), await the.ledger.replays.next(10)];
    const outcomes = new Map([[first?.notifications[0]?.id ?? '', { outcome: 'parked' }]]);

    if (first !== undefined) await the.ledger.replays.advance(first, outcomes, 0);
    if (second !== undefined) await the.ledger.replays.advance(second, outcomes, 0);

    expect(await the.ledger.replays.view(id)).toMatchObject({ done: 1, outcomes: { parked: 1 } });
    await the.receiver().idle();
    expect(await the.ledger.replays.view(id)).toMatchObject({ done: 1, endedAt: expect.any(String) as string });
  });

  it("passes on a contact's message with its own time", async () => {
    const senderData = { chatId: '15550000001@c.us' };
    await the.post(receiver, the.notification('incomingMessageReceived', { idMessage: the.idOf('I'), senderData }, 60));
    the.nowMs += HOUR_MS;

    await replay(the.nowMs - 2 * HOUR_MS);

    expect(the.incoming).toHaveLength(2);
    expect(the.incoming[1]).toEqual(the.incoming[0]);
  });
});

describe('notifications', () => {
  it('are deleted some time after their arrival, unless they are still to be applied', async () => {
    await the.post(receiver, the.status('A', 'sent'), the.status('B', 'sent'));
    await receiver.close();
    await the.ledger.receipts.store(the.instance, the.status('C', 'sent'), the.nowMs);

    await the.ledger.notifications.forget(the.nowMs);
    expect(await the.summary()).toMatchObject({ came: 3 });
    await the.ledger.notifications.forget(the.nowMs + 1);
    expect(await the.summary()).toMatchObject({ came: 1, waiting: 1 });
  });
});
