/** A notification that cannot be applied delays no other, and is kept with its reason. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import { useOwnWorld } from './world.js';

const the = useOwnWorld();

/** As after a restart: the waiting notifications are applied together. */
async function stored(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) await the.ledger.receipts.store(the.instance, body, the.nowMs);
}

/**
 * The ledger rejects everything about this message, alone or together with others.
 * @returns the messages whose receipts are applied one by one
 */
function refuse(name: string, error: () => Error): string[] {
  const apart: string[] = [];
  const idMessage = the.idOf(name);
  const { receipts } = the.ledger;
  const [apply, together] = [receipts.apply.bind(receipts), receipts.applyTogether.bind(receipts)];
  const spies = [
    vi.spyOn(receipts, 'apply').mockImplementation((instance, receipt, nowMs) => {
      apart.push(receipt.idMessage);
      return receipt.idMessage === idMessage ? Promise.reject(error()) : apply(instance, receipt, nowMs);
    }),
    vi
      .spyOn(receipts, 'applyTogether')
      .mockImplementation((batch, nowMs) =>
        batch.some(({ receipt }) => receipt.idMessage === idMessage) ? Promise.reject(error()) : together(batch, nowMs),
      ),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return apart;
}

const broken = () => new AppError('INTERNAL', 'The ledger failed (22P05): this is a bug, not your input.');

/** Proves RECEIPT-2, also for receipts that are applied together. */
describe('a notification that the ledger rejects', () => {
  it('is set aside with its reason, and those before and after it are applied', async () => {
    const [first, last] = [await the.accepted('A'), await the.accepted('C')];
    await the.accepted('B');
    const apart = refuse('B', broken);
    await stored(the.status('A', 'sent'), the.status('B', 'sent'), the.status('C', 'delivered'));

    await the.receiver().idle();

    expect([await the.state(first), await the.state(last)]).toEqual(['sent', 'delivered']);
    expect(apart).toEqual([the.idOf('B')]);
    expect(await the.summary()).toMatchObject({
      waiting: 0,
      failed: 1,
      lastFailure: { at: new Date(the.nowMs).toISOString(), problem: broken().message },
    });
  });

  it('waits, and is applied, when only a key was missing (SECRET-2)', async () => {
    const id = await the.accepted('A');
    const missing = new AppError('ENCRYPTION_KEY_MISSING', 'Add the key.');
    const spies = (['apply', 'applyTogether'] as const).map((name) =>
      vi.spyOn(the.ledger.receipts, name).mockRejectedValueOnce(missing),
    );
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    await stored(the.status('A', 'sent'));

    const receiver = the.receiver();
    await expect.poll(() => the.state(id)).toBe('sent');
    await receiver.idle();

    expect(await the.summary()).toMatchObject({ waiting: 0, failed: 0 });
  });

  it('is applied by a replay once the ledger accepts it, and is no longer set aside', async () => {
    const id = await the.accepted('B');
    const refusing = vi.spyOn(the.ledger.receipts, 'applyTogether').mockRejectedValueOnce(broken());
    const refusingAlone = vi.spyOn(the.ledger.receipts, 'apply').mockRejectedValueOnce(broken());
    onTestFinished(() => [refusing, refusingAlone].forEach((spy) => spy.mockRestore()));
    await stored(the.status('B', 'sent'));
    const receiver = the.receiver();
    await receiver.idle();
    expect(await the.summary()).toMatchObject({ failed: 1 });

    await the.ledger.replays.begin({ id: randomUUID(), instance: the.instance, sinceMs: 0 }, the.nowMs);
    await receiver.idle();

    expect(await the.state(id)).toBe('sent');
    const summary = await the.summary();
    expect(summary).toMatchObject({ failed: 0 });
    expect(summary).not.toHaveProperty('lastFailure');
  });

  it('shows only the kind of a foreign error, since its message may quote a text', async () => {
    await the.accepted('B');
    refuse('B', () => new SyntaxError('Unexpected token in "my number is 15550000001"'));
    await stored(the.status('B', 'sent'));

    await the.receiver().idle();

    expect((await the.summary()).lastFailure?.problem).toMatch(/^SyntaxError: this is a bug/);
  });
});
