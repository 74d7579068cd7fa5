/**
 * The one loop of a worker's background jobs.
 *
 * LOOP-1 Of all workers of a ledger the one with the job's lease runs it. Another takes over when the holder stops, or
 *    when its lease ends.
 * LOOP-2 A round that fails is retried after a pause that grows with each failure. The first failure of a row is logged,
 *    and the recovery.
 * LOOP-3 A wake begins a round early, also one that comes during a round. It does not shorten a pause that the round
 *    asked for: a busy worker is woken all the time.
 * LOOP-4 A stop aborts the round's signal, waits briefly for the round, and then releases the lease.
 * LOOP-5 A row that fails for its own reason is logged, and delays no other row of its round.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Clock, type Log } from '../contract/index.js';
import { heldLease, type Ledger } from '../ledger/index.js';

export interface Loop {
  /** A stable name: workers that share a ledger identify the background job by it. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * Whether every worker runs it without a lease, for a cheap job that must not wait for a dead worker. @default false
   */
  readonly inEveryWorker?: boolean;
  /** Whether it runs with a wrong clock too, since it does not decide by time. @default false */
  readonly withAnyClock?: boolean;
  /** The longest pause after failures (LOOP-2). @default 5 seconds, or `everyMs` if that is longer */
  readonly retryMaxMs?: number;
  /** What wakes the job between its rounds (LOOP-3). */
  readonly wakes?: (wake: () => void) => { close(): void };
  /** How long after a wake its round begins, so that one round serves many wakes. @default 0 */
  readonly afterWakeMs?: number;
  /** @returns the pause before the next round, in milliseconds. @default at most `everyMs`; a wake ends it early */
  round(stopping: AbortSignal): Promise<number | void>;
  /** After the last round, before another worker may take over. */
  finish?(): Promise<void>;
}

/** A loop whose rounds are as short as a stop waits, and as frequent as `everyMs` says. */
export interface BackgroundJob extends Loop {
  round(): Promise<void>;
}

export interface JobDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The work of a round on one row. A row that fails for its own reason is logged, and delays no other one (LOOP-5).
 * @throws an error that concerns all rows
 */
export function byItself<Row>(
  log: Log,
  idsOf: (row: Row) => Readonly<Record<string, string>>,
  work: (row: Row) => Promise<unknown>,
): (row: Row) => Promise<void> {
  return async (row) => {
    try {
      await work(row);
    } catch (error) {
      const code = error instanceof AppError ? error.code : '';
      if (code === 'LEDGER_UNAVAILABLE' || code.startsWith('TEMPORAL_')) throw error;
      const message = 'a background job failed for a row; retried in a later round';
      log({ level: 'error', message, ...idsOf(row), error });
    }
  };
}

export interface LoopDependencies {
  readonly leases: Pick<Ledger['leases'], 'acquire' | 'release'>;
  /** Identifies this worker in the leases. */
  readonly holder: string;
  readonly log: Log;
  /** SKEW-1. @default always */
  readonly isClockRight?: () => boolean;
  /** Called after each round of a job. */
  readonly onRound?: (job: string, outcome: 'worked' | 'failed', durationMs: number) => void;
}

/** How long the lease lasts beyond the next round. After that another worker takes over. */
const GRACE_MS = 15_000;
/** How long a stop waits for a round, which may wait for a gateway that does not respond. */
const STOP_WITHIN_MS = 2_000;
/** How often a worker without the lease tries to take it. */
const POLL_AGAIN_MS = 10_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 5_000;

export function startBackgroundJob(job: Loop, dependencies: LoopDependencies) {
  const { name, everyMs, inEveryWorker = false, withAnyClock = false, afterWakeMs = 0 } = job;
  const { retryMaxMs = RETRY_MAX_MS } = job;
  const { leases, holder, log, isClockRight = () => true, onRound } = dependencies;
  const lease = heldLease(leases, { name, holder, forMs: everyMs + GRACE_MS });
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  let isWoken = false;
  let wakePause = (): void => undefined;
  const waking = job.wakes?.(() => {
    isWoken = true;
    wakePause();
  });

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isWoken = false;
      const askedMs = await turn();
      await (askedMs === undefined ? untilNextOrWoken() : rest(askedMs));
    }
  }

  /** @returns a pause that no wake shortens */
  async function turn(): Promise<number | undefined> {
    const beganMs = performance.now();
    try {
      if (!withAnyClock && !isClockRight()) return Math.min(everyMs, POLL_AGAIN_MS);
      if (!inEveryWorker && !(await lease.isHeld())) return Math.min(everyMs, POLL_AGAIN_MS);
      const askedMs = await job.round(signal);
      onRound?.(name, 'worked', performance.now() - beganMs);
      if (failures > 0) log({ level: 'info', message: `${name} works again`, failures });
      failures = 0;
      return askedMs ?? undefined;
    } catch (error) {
      if (signal.aborted) return 0;
      onRound?.(name, 'failed', performance.now() - beganMs);
      failures += 1;
      if (failures === 1) log({ level: 'warn', message: `${name} failed; retried automatically`, error });
      const retryMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), retryMaxMs);
      return Math.max(everyMs, retryMs, (error instanceof AppError ? error.retryAfterMs : undefined) ?? 0);
    }
  }

  async function untilNextOrWoken(): Promise<void> {
    const untilMs = performance.now() + everyMs;
    if (!isWoken) await untilWoken(everyMs);
    await rest(Math.min(isWoken ? afterWakeMs : everyMs, untilMs - performance.now()));
  }

  function untilWoken(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wakePause(), ms);
      timer.unref();
      wakePause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isWoken || signal.aborted) wakePause();
    });
  }

  async function rest(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal, ref: false }).catch(() => undefined); // stopped meanwhile
  }

  const ended = run();
  return {
    /** LOOP-4. */
    async stop(): Promise<void> {
      stopping.abort();
      waking?.close();
      wakePause();
      await Promise.race([ended, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
      for (const step of [() => job.finish?.(), () => lease.release()]) {
        try {
          await step();
        } catch (error) {
          const message = `${name} could not be handed over; another worker takes over when the lease ends`;
          log({ level: 'warn', message, error });
        }
      }
    },
  };
}
