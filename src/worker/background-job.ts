import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Log } from '../contract/index.js';
import { heldLease, type Ledger } from '../ledger/index.js';

/** Periodic work that one worker of a ledger does for all. */
export interface BackgroundJob {
  /** A stable name: workers that share a ledger identify the background job by it. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * Whether every worker runs it without a lease, for a cheap job that must not wait for a dead worker. @default false
   */
  readonly inEveryWorker?: boolean;
  /** Whether it runs with a wrong clock too, since it does not decide by time. @default false */
  readonly withAnyClock?: boolean;
  /** One round. An error is logged, and the next round runs on schedule. */
  round(): Promise<void>;
}

export interface JobDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long the lease lasts beyond the next round. After that another worker takes over. */
const GRACE_MS = 15_000;
/** How long a stop waits for a round, which may wait for a gateway that does not respond. */
const STOP_WITHIN_MS = 2_000;
/** How often a worker without the lease tries to take it. */
const POLL_AGAIN_MS = 10_000;

/** Starts a background job. It runs while this worker has the lease. */
export function startBackgroundJob(
  { name, everyMs, inEveryWorker = false, withAnyClock = false, round }: BackgroundJob,
  {
    leases,
    holder,
    log,
    isClockRight = () => true,
  }: {
    readonly leases: Ledger['leases'];
    readonly holder: string;
    readonly log: Log;
    /** SKEW-1. @default always */
    readonly isClockRight?: () => boolean;
  },
) {
  const lease = heldLease(leases, { name, holder, forMs: everyMs + GRACE_MS });
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = takeTurn();

  async function takeTurn(): Promise<void> {
    let nextMs = Math.min(everyMs, POLL_AGAIN_MS);
    try {
      const mayRun = withAnyClock || isClockRight();
      if (mayRun && (inEveryWorker || (await lease.isHeld()))) {
        nextMs = everyMs;
        await round();
      }
    } catch (error) {
      log({ level: 'warn', message: `${name} failed; retried automatically`, error });
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      turn = takeTurn();
    }, nextMs);
    timer.unref();
  }

  return {
    /** Waits briefly for the round under way, and releases the lease to another worker. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await Promise.race([turn, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
      try {
        await lease.release();
      } catch (error) {
        const message = `${name} could not be handed over; another worker takes over when the lease ends`;
        log({ level: 'warn', message, error });
      }
    },
  };
}
