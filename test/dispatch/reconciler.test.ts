import { expect, it } from 'vitest';
import { AppError, type MessageId, type MessageSnapshot, type MessageState } from '../../src/contract/index.js';
import { Reconciler } from '../../src/dispatch/reconciler.js';

const ID = 'msg_1' as MessageId;

/** In order; a number: undecided, ask again after that time. */
type Responses = readonly (MessageState | 'the ledger is away' | number)[];

/** Asks until nothing more is planned. */
async function asked(responses: Responses) {
  const waits: number[] = [];
  const planned: (() => void)[] = [];
  const decided: MessageId[] = [];
  const left = [...responses];
  const reconciler = new Reconciler(
    {
      reconcile: () => {
        const next = left.shift();
        if (next === 'the ledger is away') return Promise.reject(new AppError('LEDGER_UNAVAILABLE', 'Refused.'));
        if (typeof next === 'string') return Promise.resolve({ id: ID, state: next } as MessageSnapshot);
        return Promise.reject(new AppError('MESSAGE_OUTCOME_UNKNOWN', 'not yet', { retryAfterMs: next ?? 0 }));
      },
      timers: {
        nowMs: () => 0,
        after(delayMs, run) {
          waits.push(delayMs);
          planned.push(run);
          return () => undefined;
        },
      },
      log: () => undefined,
    },
    (id) => decided.push(id),
  );
  // One that is watched already is not asked about twice.
  reconciler.watch(ID);
  reconciler.watch(ID);
  while (left.length > 0) {
    planned.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { waits, decided };
}

/** Proves ASK-1 and ASK-2. */
it.each<[string, Responses, readonly number[]]>([
  ['the row is still sending: its outcome is not recorded yet', ['sending', 'unresolved'], [0, 2_000]],
  ['the outcome is recorded during the poll', ['unknown', 'accepted'], [0, 2_000]],
  ['the ledger is away', [9_000, 'the ledger is away', 'accepted'], [0, 9_000, 2_000]],
  ['no witness decides, and one names the time of the next poll', [30_000, 0, 'pending'], [0, 30_000, 500]],
])('the reconciler polls again when %s', async (_, responses, waits) => {
  expect(await asked(responses)).toEqual({ waits, decided: [ID] });
});
