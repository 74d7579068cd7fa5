import { setTimeout as delay } from 'node:timers/promises';
import type { DutyLedger } from '../ledger/index.js';
import type { Log } from './temporal-runtime.js';

/** Something that one of all workers of a ledger does again and again. */
export interface Duty {
  /** Stable: workers that share a ledger know the duty by it. */
  readonly name: string;
  readonly everyMs: number;
  /** One round. What it throws is logged, and the next round comes all the same. */
  round(): Promise<void>;
}

export interface RunningDuty {
  /** Waits a little for the round under way, and lets another worker take over. */
  stop(): Promise<void>;
}

/** Whoever has the duty and dies is missed after this long beyond its next round. */
const GRACE_MS = 15_000;
/** A round may be asking a gateway that does not answer; the process need not wait for it. */
const STOP_WITHIN_MS = 2_000;
/** How soon a worker looks again whether the one that has the duty is still there. */
const LOOK_AGAIN_MS = 10_000;

/** Does the duty from now on, whenever no other worker has it. */
export function startDuty(
  { name, everyMs, round }: Duty,
  { duties, holder, log }: { readonly duties: DutyLedger; readonly holder: string; readonly log: Log },
): RunningDuty {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = takeTurn();

  async function takeTurn(): Promise<void> {
    let nextMs = Math.min(everyMs, LOOK_AGAIN_MS);
    try {
      if (await duties.take(name, holder, everyMs + GRACE_MS)) {
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
      try {
        await duties.leave(name, holder);
      } catch (error) {
        log({ level: 'warn', message: `${name} could not be handed over; another worker takes it up later`, error });
      }
    },
  };
}
