import { forEachConcurrently, type Log } from '../contract/index.js';
import type { Ledger, LostShift } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';

const EVERY_MS = 1_000;
const AT_ONCE = 16;
/** A live worker that has taken a try begins its shift in far less. */
const NEXT_TRY_WITHIN_MS = 3_000;

/**
 * Reports that this process is alive, and ends the tries of shifts whose process died, so that Temporal assigns them to
 * a live worker (PRESENCE-1 to PRESENCE-6). It notices a failover, too (RETURN-1). Slow ends do not delay the report.
 */
export function takeOverShifts({
  dispatch,
  endTry,
  process,
  serving,
  log,
  nowMs = () => performance.now(),
}: {
  readonly dispatch: Pick<Ledger['dispatch'], 'sayAlive' | 'checkOrigin'>;
  /** Ends one try; without a task token, the one that runs. Has no effect if it has ended. */
  readonly endTry: (lost: Pick<LostShift, 'instance'> & Partial<LostShift>) => Promise<void>;
  readonly process: string;
  readonly serving: () => readonly string[];
  readonly log: Log;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}): BackgroundJob {
  /** When tries were ended that the ledger still lists because the next try has not begun a shift, by task token. */
  let ended = new Map<string, number>();
  let ending: Promise<void> | undefined;

  /** PRESENCE-5. */
  async function endShift({ instance, taskToken }: LostShift): Promise<void> {
    const isEnded = ended.has(taskToken);
    try {
      await endTry(isEnded ? { instance } : { instance, taskToken });
      ended.set(taskToken, isEnded ? Infinity : nowMs());
    } catch (error) {
      log({ level: 'warn', message: 'a lost shift could not be ended; retried automatically', instance, error });
    }
  }

  return {
    name: 'take over shifts',
    everyMs: EVERY_MS,
    inEveryWorker: true,
    withAnyClock: true,
    async round() {
      const lost = await dispatch.sayAlive(process, serving());
      await dispatch.checkOrigin();
      const listed = new Set(lost.map(({ taskToken }) => taskToken));
      ended = new Map([...ended].filter(([token]) => listed.has(token)));
      const beforeMs = nowMs() - NEXT_TRY_WITHIN_MS;
      const open = lost.filter(({ taskToken }) => (ended.get(taskToken) ?? -Infinity) < beforeMs);
      if (open.length === 0 || ending !== undefined) return;
      log({ level: 'info', message: 'shifts of a dead worker are taken over', shifts: open.length });
      ending = forEachConcurrently(AT_ONCE, open, endShift).finally(() => {
        ending = undefined;
      });
    },
  };
}
