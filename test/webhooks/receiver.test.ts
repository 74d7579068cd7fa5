import { describe, expect, it, vi } from 'vitest';
import { AppError, type MessageId } from '../../src/contract/index.js';
import { eventually } from '../support/eventually.js';
import { perTest } from '../support/per-test.js';
import { bytes, useOwnWorld } from './world.js';

const TOKEN = 'Bearer old-token';

const the = useOwnWorld();
const receiver = perTest(() => the.receiver());

const AWAY = new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.');

/** Stored and answered, and not yet applied. */
const receive = (body: unknown) => receiver.receive(the.instance, TOKEN, bytes(body));

const waiting = async () => (await the.summary()).waiting;

/** What the ledger knows of the message, newest last. */
const story = async (id: MessageId) => (await the.evidence(id)).map(({ what }) => what);

describe('a notification', () => {
  it('is stored before it is answered, then applied', async () => {
    const id = await the.accepted('A');

    expect(await receive(the.status('A', 'sent'))).toEqual({ status: 200 });
    await receiver.idle();

    expect(await the.state(id)).toBe('sent');
    expect(the.changed).toEqual([id]);
    expect(await waiting()).toBe(0);
  });

  it('is applied together with others that came meanwhile, as one change of each message', async () => {
    const ids = [await the.accepted('A'), await the.accepted('B')];
    const bodies = ['A', 'B'].flatMap((name) => [the.status(name, 'sent'), the.status(name, 'delivered')]);
    for (const body of bodies) await the.ledger.receipts.store(the.instance, body, the.nowMs);

    await receiver.idle();

    expect(the.changed.toSorted()).toEqual(ids.toSorted());
    expect(await Promise.all(ids.map((id) => the.state(id)))).toEqual(['delivered', 'delivered']);
    expect(await waiting()).toBe(0);
  });

  it('is refused while the ledger is unavailable, so that the gateway sends it again', async () => {
    vi.spyOn(the.ledger.receipts, 'store').mockRejectedValueOnce(AWAY);

    await expect(receive({})).rejects.toBe(AWAY);
  });
});

describe('work that failed at first', () => {
  it('is retried automatically when the ledger is back', async () => {
    const id = await the.accepted('A');
    vi.spyOn(the.ledger.receipts, 'applyTogether').mockRejectedValueOnce(AWAY);

    await receive(the.status('A', 'sent'));
    await expect.poll(() => the.state(id)).toBe('sent');
    await receiver.idle();

    expect(the.changed).toEqual([id]);
    expect(await the.summary()).toMatchObject({ waiting: 0, failed: 0 });
    expect(the.logged.map(({ message }) => message)).toContain(
      'Notifications wait until the ledger is available; retried automatically',
    );
  });

  it('is done after the next start', async () => {
    const id = await the.accepted('A');
    await receiver.close();
    await the.ledger.receipts.store(the.instance, the.status('A', 'sent'), the.nowMs);

    await the.receiver().idle();

    expect(await the.state(id)).toBe('sent');
  });
});

describe('a notification that is applied alone', () => {
  it('delays only notifications about the same message (RECEIPT-3)', async () => {
    const [stuck, other] = [await the.accepted('A'), await the.accepted('B')];
    const { release, isReached } = holdOnce('apply');

    await receive(the.status('A', 'yellowCard'));
    await eventually(() => expect(isReached()).toBe(true));
    await receive(the.status('A', 'sent'));
    await receive(the.status('B', 'sent'));
    await eventually(async () => expect(await the.state(other)).toBe('sent'));
    expect(await the.state(stuck)).toBe('accepted');

    release();
    await receiver.idle();
    expect((await story(stuck)).slice(-2)).toEqual(['yellowCard', 'sent']);
  });

  it('is read again, in order, when the ledger was unavailable meanwhile', async () => {
    const id = await the.accepted('A');
    vi.spyOn(the.ledger.receipts, 'apply').mockRejectedValueOnce(AWAY);

    await receive(the.status('A', 'yellowCard'));
    await receive(the.status('A', 'sent'));
    await eventually(async () => expect(await the.state(id)).toBe('sent'));
    await eventually(async () => expect(await waiting()).toBe(0));

    expect(await story(id)).toEqual(expect.arrayContaining(['yellowCard', 'sent']));
    expect(the.logged.map(({ message }) => message)).toContain(
      'Notifications wait until the ledger is available; retried automatically',
    );
  });

  it('is applied in its turn after its row was busy twice', async () => {
    const id = await the.accepted('A');
    const busy = vi
      .spyOn(the.ledger.receipts, 'applyTogether')
      .mockImplementation((receipts) =>
        Promise.resolve({ outcomes: new Map(receipts.map((one) => [one.id, 'busy'])), changed: [] }),
      );

    await the.post(receiver, the.status('A', 'sent'));
    busy.mockRestore();

    expect(await the.state(id)).toBe('sent');
    expect(await waiting()).toBe(0);
  });
});

/** The next call of this method begins, and ends when it is released. */
function holdOnce(method: 'apply' | 'applyTogether'): { release(): void; isReached(): boolean } {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let isReached = false;
  const { receipts } = the.ledger;
  const given = receipts[method].bind(receipts) as (...args: unknown[]) => Promise<never>;
  vi.spyOn(receipts, method).mockImplementationOnce(async (...args: unknown[]) => {
    isReached = true;
    await held;
    return given(...args);
  });
  return { release: () => release?.(), isReached: () => isReached };
}

describe('closing', () => {
  it.each([
    ['together', 'applyTogether', 'sent'],
    ['one by one', 'apply', 'yellowCard'],
  ] as const)('waits for what is applied %s and leaves the rest for the next start', async (_, method, status) => {
    await the.accepted('A');
    const { release, isReached } = holdOnce(method);
    await receive(the.status('A', status));
    await eventually(() => expect(isReached()).toBe(true));
    await receive(the.status('A', 'delivered'));

    const closed = receiver.close();
    release();
    await closed;

    expect(await waiting()).toBe(1);
  });
});
