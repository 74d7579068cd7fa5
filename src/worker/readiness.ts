/**
 * Whether a worker can do its work, for probes and metrics.
 *
 * READY-1 A worker is ready if it polls its task queues and Temporal responds, its last report to the ledger is young, its
 *    clock agrees with the database's, and its dispatcher ends its rounds. Otherwise it names everything that is missing.
 * READY-2 The report is a write (PRESENCE-1), so that a ledger that can only be read counts as unavailable.
 */
import { WORKER_PARTS, type WorkerPart } from '../contract/index.js';
import type { BackgroundJob } from './background-job.js';

/** A report is due every second, and retried after five at most. */
const REPORT_WITHIN_MS = 10_000;
/** Longer than a round takes, also one whose statement waits for a lock. */
const ROUND_WITHIN_MS = 20_000;

/** What a started worker shows of itself. */
export interface WorkerSigns {
  isPolling(): boolean;
  /** @throws Error if Temporal does not respond in time */
  askTemporal(): Promise<unknown>;
  clockProblem(): string | undefined;
  /** For how long a round of its dispatcher has been due without ending. */
  roundLateMs(): number;
}

export function createReadiness({
  monotonicMs = () => performance.now(),
}: {
  readonly monotonicMs?: () => number;
} = {}) {
  let worker: WorkerSigns | undefined;
  let reportedAtMs: number | undefined;

  async function problemsOf(signs: WorkerSigns): Promise<Readonly<Record<WorkerPart, string | undefined>>> {
    const isPolling = signs.isPolling();
    const temporal = isPolling
      ? await signs.askTemporal().then(
          () => undefined,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        )
      : 'the worker does not poll its task queues: it starts, stops or failed';
    const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
    const agoMs = monotonicMs() - (reportedAtMs ?? 0);
    const isOld =
      agoMs > REPORT_WITHIN_MS ? `the worker could not write to the ledger for ${seconds(agoMs)}` : undefined;
    const lateMs = signs.roundLateMs();
    return {
      temporal,
      ledger: reportedAtMs === undefined ? 'the worker has not written to the ledger yet' : isOld,
      clock: signs.clockProblem(),
      dispatcher: lateMs > ROUND_WITHIN_MS ? `a round has been due for ${seconds(lateMs)}` : undefined,
    };
  }

  return {
    follow(signs: WorkerSigns): void {
      worker = signs;
    },
    /** @returns the job, whose successful rounds count as reports */
    reporting: (job: BackgroundJob): BackgroundJob => ({
      ...job,
      async round() {
        await job.round();
        reportedAtMs = monotonicMs();
      },
    }),
    /** @returns what is missing, by part; undefined if this process has no worker yet */
    async missing(): Promise<ReadonlyMap<WorkerPart, string> | undefined> {
      if (worker === undefined) return undefined;
      const problems = await problemsOf(worker);
      return new Map(
        WORKER_PARTS.flatMap((part) => (problems[part] === undefined ? [] : [[part, problems[part]] as const])),
      );
    },
  };
}
