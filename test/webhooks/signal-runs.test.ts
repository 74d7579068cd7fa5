/** How a signaller on a real ledger sends recorded signals. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import type { PendingSignal } from '../../src/ledger/index.js';
import type { ReceiverOptions } from '../../src/webhooks/index.js';
import { createSignaller } from '../../src/webhooks/signal-runs.js';
import { eventually } from '../support/eventually.js';
import { useOwnWorld } from './world.js';

const the = useOwnWorld();
afterEach(() => the.dropSignals());

function aSignaller(over: Partial<ReceiverOptions> = {}) {
  const told: PendingSignal[] = [];
  const signaller = createSignaller({
    ledger: the.ledger,
    clock: { nowMs: () => the.nowMs },
    log: () => undefined,
    notify: (signal) => {
      told.push(signal);
      return Promise.resolve('signalled');
    },
    ...over,
  });
  onTestFinished(() => signaller.close());
  return { signaller, told };
}

/** Messages whose workflow is to be signalled that they were sent. */
async function sentMessages(count: number): Promise<MessageId[]> {
  const ids: MessageId[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await the.accepted(String(at)));
  for (let at = 0; at < count; at += 1) await receives(String(at), 'sent');
  return ids;
}

async function receives(name: string, status: 'sent' | 'read'): Promise<void> {
  const receipt = { kind: 'status', idMessage: the.idOf(name), status, atMs: the.nowMs } as const;
  await the.ledger.receipts.apply(the.instance, receipt, the.nowMs);
}

/** Proves SIGNAL-1. */
describe('a run', () => {
  it('gets one signal for all changes before it', async () => {
    const [id] = await sentMessages(1);
    await receives('0', 'read');
    const { signaller, told } = aSignaller();
    await signaller.idle();
    await signaller.idle();
    expect(told).toMatchObject([{ snapshot: { id, state: 'read' }, completesSend: false, tries: 0 }]);
  });

  it('is signalled again when the signal may be lost', async () => {
    await sentMessages(1);
    const tries: number[] = [];
    const { signaller } = aSignaller({
      notify: (signal) => {
        tries.push(signal.tries);
        return Promise.resolve(signal.tries === 0 ? 'later' : 'signalled');
      },
    });
    await signaller.idle();
    await signaller.idle();
    expect(tries).toEqual([0]);
    the.nowMs += 5_000;
    await signaller.idle();
    expect(tries).toEqual([0, 1]);
  });
});

/** Proves SIGNAL-2. */
describe('a signaller', () => {
  it('sends several at once in an idle process; in a busy one, one at a time and the oldest first', async () => {
    const ids = await sentMessages(30);
    let isBusy = true;
    let atWork = 0;
    let mostBusy = 0;
    let mostIdle = 0;
    const told: MessageId[] = [];
    const { signaller } = aSignaller({
      isBusy: () => isBusy,
      notify: async ({ snapshot }) => {
        atWork += 1;
        if (isBusy) mostBusy = Math.max(mostBusy, atWork);
        else mostIdle = Math.max(mostIdle, atWork);
        await new Promise(setImmediate);
        atWork -= 1;
        told.push(snapshot.id);
        if (told.length === 10) isBusy = false;
        return 'signalled';
      },
    });
    await signaller.idle();
    await eventually(() => expect(told).toHaveLength(30));
    expect([mostBusy, mostIdle]).toEqual([1, 8]);
    expect(new Set(told.slice(0, 10))).toEqual(new Set(ids.slice(0, 10)));
  });
});
