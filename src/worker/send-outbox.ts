/**
 * Gives runs in Temporal what they wait for, in the background. No other work waits for it.
 *
 * AWAIT-4 A run gets the row's present state once, for all changes before it.
 * AWAIT-5 An idle worker sends what its own process changed at once, and what others changed within a second. A busy one
 *    sends a few in each round, the oldest first, since a completion costs ten times as much as storing a receipt.
 * AWAIT-6 One that fails for its own reason is postponed. While Temporal is unavailable, the pause of all grows (LOOP-2).
 */
import { AppError, forEachConcurrently, present, type Clock, type Log } from '../contract/index.js';
import type { Ledger, OutboxEntry } from '../ledger/index.js';
import type { Loop } from './background-job.js';

interface OutboxDependencies {
  readonly ledger: { readonly outbox: Pick<Ledger['outbox'], 'claim' | 'remove' | 'release' | 'putOff'> };
  readonly clock: Clock;
  readonly log: Log;
  readonly send: (entry: OutboxEntry) => Promise<void>;
  /** Whether this process is too busy for more than a few. @default never */
  readonly isBusy?: () => boolean;
  /** Wakes the job when rows changed in this process. @default the job polls */
  readonly wakes?: NonNullable<Loop['wakes']>;
}

const EVERY_MS = 1_000;
const AT_ONCE = 8;
const MOST_IN_A_ROUND = 100;
const MOST_OF_A_BUSY_ROUND = 5;
const BETWEEN_BUSY_ROUNDS_MS = 500;
/** One round for the changes of a tick. */
const AFTER_WAKE_MS = 100;
/** How long this process has the right to send what it claimed. After that another process does. */
const CLAIM_MS = 15_000;
const RETRY_MAX_MS = 15_000;
const PUT_OFF_FIRST_MS = 5_000;
const PUT_OFF_MAX_MS = 60 * 60_000;

export function sendOutbox({ ledger, clock, log, send, isBusy = () => false, wakes }: OutboxDependencies): Loop {
  const { outbox } = ledger;

  /** @returns false if it was postponed. @throws an error that affects all entries */
  async function isSent(entry: OutboxEntry): Promise<boolean> {
    const { seq, tries } = entry;
    try {
      await send(entry);
      return true;
    } catch (error) {
      // Only a worker can accept an update, and the run of this one may be stuck.
      const isUpdate = entry.edit !== undefined && entry.activity === undefined;
      if (error instanceof AppError && !isUpdate) throw error;
      log({
        level: 'warn',
        message: 'A run did not take what its row has become; retried later',
        workflowId: entry.workflowId,
        error,
      });
      const delayMs = Math.min(PUT_OFF_FIRST_MS * 2 ** tries, PUT_OFF_MAX_MS);
      await outbox.putOff(seq, error instanceof AppError ? error.code : 'INTERNAL', clock.nowMs() + delayMs);
      return false;
    }
  }

  return {
    name: 'send the outbox',
    everyMs: EVERY_MS,
    inEveryWorker: true,
    afterWakeMs: AFTER_WAKE_MS,
    retryMaxMs: RETRY_MAX_MS,
    ...present({ wakes }),
    async round(stopping) {
      const limit = isBusy() ? MOST_OF_A_BUSY_ROUND : MOST_IN_A_ROUND;
      const batch = await outbox.claim({ nowMs: clock.nowMs(), forMs: CLAIM_MS, limit });
      const untried = new Set(batch.map(({ seq }) => seq));
      const sent: string[] = [];
      try {
        await forEachConcurrently(AT_ONCE, batch, async (entry) => {
          if (stopping.aborted) return;
          if (await isSent(entry)) sent.push(entry.seq);
          untried.delete(entry.seq);
        });
      } finally {
        await outbox.remove(sent);
        await outbox.release([...untried], clock.nowMs());
      }
      if (isBusy()) return BETWEEN_BUSY_ROUNDS_MS;
      return batch.length < limit ? undefined : 0;
    },
  };
}
