/**
 * Starts the workflows of messages that were requested by HTTP, from their rows. Sending does not wait for it.
 *
 * RUNS-1 A row is marked as started after its workflow was started. If the mark is lost, the next start finds the
 *    workflow and has no effect.
 * RUNS-2 One worker starts them, at most eight at a time (LOOP-1).
 * RUNS-3 While Temporal or the ledger is unavailable, the pause between rounds grows (LOOP-2).
 * RUNS-4 A worker that is busy sending starts two workflows a second, since a workflow costs many times as much as
 *    sending its message. The others are started when the worker is less busy.
 * RUNS-5 Sending comes first: the workflow is started a quarter of a second after the message arrived.
 */
import { forEachConcurrently, type MessageId } from '../contract/index.js';
import type { Ledger, WakeLedger, WantedRun } from '../ledger/index.js';
import type { Loop } from './background-job.js';

export interface RunStarterDependencies {
  readonly ledger: {
    readonly messages: Pick<Ledger['messages'], 'runsToStart' | 'runStarted'>;
    readonly wakes: Pick<WakeLedger, 'listen'>;
  };
  /** Starts a workflow. No effect if it exists. */
  readonly start: (row: WantedRun) => Promise<void>;
  /** Whether this process is too busy to start workflows. @default never */
  readonly isBusy?: () => boolean;
}

const AT_ONCE = 8;
/** Read together and marked together. */
const MOST_IN_A_ROUND = 64;
/** One workflow in each round. */
const BETWEEN_BUSY_ROUNDS_MS = 500;
/** RUNS-5: the first task of a workflow occupies the process as long as a send does. */
const AFTER_WAKE_MS = 250;
/** The next round finds messages whose announcement came while no connection listened. */
const EVERY_MS = 5_000;
const RETRY_MAX_MS = 30_000;

export function startMessageRuns({ ledger, start, isBusy = () => false }: RunStarterDependencies): Loop {
  const { messages, wakes } = ledger;
  return {
    name: 'start message workflows',
    everyMs: EVERY_MS,
    afterWakeMs: AFTER_WAKE_MS,
    retryMaxMs: RETRY_MAX_MS,
    withAnyClock: true,
    wakes: (wake) => wakes.listen(wake),
    async round(stopping) {
      const limit = isBusy() ? 1 : MOST_IN_A_ROUND;
      const rows = await messages.runsToStart(limit);
      const started: MessageId[] = [];
      try {
        await forEachConcurrently(AT_ONCE, rows, async (row) => {
          if (stopping.aborted || (isBusy() && started.length > 0)) return;
          await start(row);
          started.push(row.id);
        });
      } finally {
        // Runs that were started are marked even if another start failed.
        if (started.length > 0) await messages.runStarted(started);
      }
      if (rows.length < limit) return EVERY_MS;
      return isBusy() ? BETWEEN_BUSY_ROUNDS_MS : 0;
    },
  };
}
