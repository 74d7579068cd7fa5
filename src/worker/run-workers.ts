import { setInterval } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { AppError } from '../contract/index.js';

type RunnableWorker = Pick<Worker, 'run' | 'getState' | 'shutdown'>;
type Connection = Pick<NativeConnection, 'close'>;

const FAILURE_POLL_MS = 1_000;

/**
 * Ends both workers when one of them ends, since half a worker would seem alive without working.
 * @throws AppError TEMPORAL_UNAVAILABLE when one failed, whether or not the SDK ends its run
 */
export async function runToTheirEnd(workers: readonly RunnableWorker[], connection: Connection): Promise<void> {
  const running = workers.map((worker) =>
    worker.run().finally(() => {
      shutDown(workers);
    }),
  );
  const closed = Promise.allSettled(running).then(async () => connection.close());
  const hasEnded = new AbortController();
  try {
    await Promise.race([closed, failureOf(workers, hasEnded.signal)]);
    await Promise.all(running);
  } finally {
    hasEnded.abort();
    shutDown(workers);
  }
}

/**
 * Rejects when a worker has failed, e.g. because a proxy answered in Temporal's place. The SDK's run of a worker that
 * failed may never settle, even after Temporal is back; this process would then neither work nor end.
 */
async function failureOf(workers: readonly RunnableWorker[], signal: AbortSignal): Promise<void> {
  for await (const _ of setInterval(FAILURE_POLL_MS, undefined, { signal, ref: false })) {
    if (workers.every((worker) => worker.getState() !== 'FAILED')) continue;
    throw new AppError(
      'TEMPORAL_UNAVAILABLE',
      'The worker failed: Temporal, or a proxy before it, refused its requests. The error was logged. Start it again.',
    );
  }
}

export function shutDown(workers: readonly RunnableWorker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
