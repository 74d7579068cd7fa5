import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../ledger/index.js';
import type { Log } from './temporal-runtime.js';

/** Something that is done again and again, by one of all workers of a ledger. */
export interface BackgroundJob {
  /** Stable: workers that share a ledger know the background job by it. */
  readonly name: string;
  readonly everyMs: number;
  /** Done by each worker: it costs little, and must not wait until a worker that died is missed. @default false */
  readonly inEveryWorker?: boolean;
  /** One round. What it throws is logged, and the next round comes all the same. */
  round(): Promise<void>;
}

export interface RunningBackgroundJob {
  /** Waits a little for the round under way, and lets another worker take over. */
  stop(): Promise<void>;
}

/** A caller that has the lease and dies is missed after this long beyond its next round. */
const GRACE_MS = 15_000;
/** A round may be asking a gateway that does not answer; the process need not wait for it. */
const STOP_WITHIN_MS = 2_000;
/** How soon a worker checks again whether the one that has the lease is still there. */
const POLL_AGAIN_MS = 10_000;

/** Runs the background job from now on, whenever no other worker has it. */
export function startBackgroundJob(
  { name, everyMs, inEveryWorker = false, round }: BackgroundJob,
  { leases, holder, log }: { readonly leases: Ledger['leases']; readonly holder: string; readonly log: Log },
): RunningBackgroundJob {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = takeTurn();

  async function takeTurn(): Promise<void> {
    let nextMs = Math.min(everyMs, POLL_AGAIN_MS);
    try {
      if (inEveryWorker || (await leases.acquire(name, holder, everyMs + GRACE_MS))) {
        nextMs = everyMs;
        await round();
      }
    } catch (error) {
      log({ level: 'warn', message: `${name} could not be done; tried again by itself`, error });
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      turn = takeTurn();
    }, nextMs);
    timer.unref();
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.race([turn, delay(STOP_WITHIN_MS, undefined, { ref: false })]);
      if (inEveryWorker) return;
      try {
        await leases.release(name, holder);
      } catch (error) {
        log({ level: 'warn', message: `${name} could not be handed over; another worker takes it up later`, error });
      }
    },
  };
}
