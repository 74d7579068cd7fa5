/**
 * Starts the workflows of messages that were requested by HTTP, from their rows. Sending does not wait for it.
 *
 * RUNS-1 A row is marked as started after its workflow was started, with the id of its run, which waits for it from then
 *    on. If the mark is lost, the next start finds the workflow and has no effect.
 * RUNS-2 One worker starts them, at most eight at a time (LOOP-1).
 * RUNS-3 While Temporal or the ledger is unavailable, the pause between rounds grows (LOOP-2).
 * RUNS-4 A worker that is busy sending starts two workflows a second, since a workflow costs many times as much as
 *    sending its message. The others are started when the worker is less busy.
 * RUNS-5 Sending comes first: the workflow is started a quarter of a second after the message arrived.
 */
import { forEachConcurrently, type Clock } from '../contract/index.js';
import type { Ledger, StartedRun, WakeLedger, WantedRun } from '../ledger/index.js';
import type { Loop } from './background-job.js';

export interface RunStarterDependencies {
  readonly ledger: {
    readonly messages: Pick<Ledger['messages'], 'runsToStart' | 'runsStarted'>;
    readonly wakes: Pick<WakeLedger, 'listen'>;
  };
  readonly clock: Clock;
  /** Temporal's namespace of the workflows. */
  readonly namespace: string;
  /** Starts a workflow. No effect if it exists. */
  readonly start: (row: WantedRun) => Promise<StartedRun>;
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

export function startMessageRuns(dependencies: RunStarterDependencies): Loop {
  const { ledger, clock, namespace, start, isBusy = () => false } = dependencies;
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
      const rows = await messages.runsToStart(limit, clock.nowMs());
      const started: StartedRun[] = [];
      try {
        await forEachConcurrently(AT_ONCE, rows, async (row) => {
          if (stopping.aborted || (isBusy() && started.length > 0)) return;
          started.push(await start(row));
        });
      } finally {
        // Runs that were started are marked even if another start failed.
        if (started.length > 0) await messages.runsStarted(started, namespace, clock.nowMs());
      }
      if (isBusy()) return BETWEEN_BUSY_ROUNDS_MS;
      return rows.length < limit ? undefined : 0;
    },
  };
}
