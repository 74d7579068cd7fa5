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

export interface Readiness {
  follow(signs: WorkerSigns): void;
  /** @returns the job, whose successful rounds count as reports */
  reporting(job: BackgroundJob): BackgroundJob;
  /** @returns what is missing, by part; undefined if this process has no worker yet */
  missing(): Promise<ReadonlyMap<WorkerPart, string> | undefined>;
}

export function createReadiness({
  monotonicMs = () => performance.now(),
}: {
  readonly monotonicMs?: () => number;
} = {}): Readiness {
  let worker: WorkerSigns | undefined;
  let reportedAtMs: number | undefined;

  async function temporalProblem({ isPolling, askTemporal }: WorkerSigns): Promise<string | undefined> {
    if (!isPolling()) return 'the worker does not poll its task queues: it starts, stops or failed';
    return askTemporal().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }

  function ledgerProblem(): string | undefined {
    if (reportedAtMs === undefined) return 'the worker has not written to the ledger yet';
    const agoMs = monotonicMs() - reportedAtMs;
    return agoMs <= REPORT_WITHIN_MS
      ? undefined
      : `the worker could not write to the ledger for ${Math.round(agoMs / 1_000)} s`;
  }

  function roundProblem({ roundLateMs }: WorkerSigns): string | undefined {
    const lateMs = roundLateMs();
    return lateMs <= ROUND_WITHIN_MS ? undefined : `a round has been due for ${Math.round(lateMs / 1_000)} s`;
  }

  return {
    follow(signs) {
      worker = signs;
    },
    reporting: (job) => ({
      ...job,
      async round() {
        await job.round();
        reportedAtMs = monotonicMs();
      },
    }),
    async missing() {
      if (worker === undefined) return undefined;
      const problems: Readonly<Record<WorkerPart, string | undefined>> = {
        temporal: await temporalProblem(worker),
        ledger: ledgerProblem(),
        clock: worker.clockProblem(),
        dispatcher: roundProblem(worker),
      };
      return new Map(
        WORKER_PARTS.flatMap((part) => (problems[part] === undefined ? [] : [[part, problems[part]] as const])),
      );
    },
  };
}
