import { expect, it } from 'vitest';
import { AppError, type MessageId, type MessageSnapshot, type MessageState } from '../../src/contract/index.js';
import { Reconciler } from '../../src/dispatch/shift/reconciler.js';
import { LedClock } from './led-clock.js';

const ID = 'msg_1' as MessageId;

/** In order; a number: undecided, ask again after that time. */
type Responses = readonly (MessageState | 'the ledger is away' | number)[];

/** A reconciler that watches a message, and how often it has asked. */
function watching(responses: Responses) {
  const clock = new LedClock();
  const left = [...responses];
  const askedAtMs: number[] = [];
  const decided: MessageId[] = [];
  const reconcile = (): Promise<MessageSnapshot> => {
    askedAtMs.push(clock.nowMs());
    const next = left.shift();
    if (next === 'the ledger is away') return Promise.reject(new AppError('LEDGER_UNAVAILABLE', 'Refused.'));
    if (typeof next === 'string') return Promise.resolve({ id: ID, state: next } as MessageSnapshot);
    return Promise.reject(new AppError('MESSAGE_OUTCOME_UNKNOWN', 'not yet', { retryAfterMs: next ?? 0 }));
  };
  const reconciler = new Reconciler({ reconcile, timers: clock, log: () => undefined }, (id) => decided.push(id));
  // One that is watched already is not asked about twice.
  reconciler.watch(ID);
  reconciler.watch(ID);
  return { clock, askedAtMs, decided, reconciler };
}

/** Proves ASK-1 and ASK-2. */
it.each<[string, Responses, readonly number[]]>([
  ['the row is still sending: its outcome is not recorded yet', ['sending', 'unresolved'], [0, 2_000]],
  ['the outcome is recorded during the poll', ['unknown', 'accepted'], [0, 2_000]],
  ['the ledger is away', [9_000, 'the ledger is away', 'accepted'], [0, 9_000, 11_000]],
  ['no witness decides, and one names the time of the next poll', [30_000, 0, 'pending'], [0, 30_000, 30_500]],
])('the reconciler polls again when %s', async (_, responses, times) => {
  const { clock, askedAtMs, decided } = watching(responses);
  await clock.pass(60_000);
  expect({ askedAtMs, decided }).toEqual({ askedAtMs: times, decided: [ID] });
  expect(clock.pending).toBe(0);
});

it('the reconciler stops polling when the shift has ended', async () => {
  const { clock, askedAtMs, reconciler } = watching([]);
  await clock.pass(1_000);
  reconciler.close();
  const before = askedAtMs.length;
  reconciler.watch(ID);
  await clock.pass(60_000);
  expect(askedAtMs).toHaveLength(before);
  expect(clock.pending).toBe(0);
});
