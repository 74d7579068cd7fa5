import { forEachConcurrently } from '../contract/index.js';
import type { Ledger, LostShift } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 1_000;
const AT_ONCE = 16;

/**
 * Reports that this process is alive, and ends the tries of shifts whose process is dead, so that Temporal assigns them
 * to a live worker (PRESENCE-1 to PRESENCE-4). Reporting continues while tries are being ended.
 */
export function takeOverShifts({
  dispatch,
  endTry,
  process,
  log,
}: {
  readonly dispatch: Pick<Ledger['dispatch'], 'sayAlive'>;
  /** Ends one try; no effect if it has ended. */
  readonly endTry: (shift: LostShift) => Promise<void>;
  readonly process: string;
  readonly log: Log;
}): BackgroundJob {
  /** By task token, while the ledger lists them: their next try has not begun yet. */
  let ended = new Set<string>();
  let ending: Promise<void> | undefined;

  async function endShift(shift: LostShift): Promise<void> {
    try {
      await endTry(shift);
      ended.add(shift.taskToken);
    } catch (error) {
      const { instance } = shift;
      log({ level: 'warn', message: 'a lost shift could not be ended; tried again', instance, error });
    }
  }

  return {
    name: 'take over shifts',
    everyMs: EVERY_MS,
    inEveryWorker: true,
    async round() {
      const lost = await dispatch.sayAlive(process);
      ended = new Set(lost.map(({ taskToken }) => taskToken).filter((token) => ended.has(token)));
      const open = lost.filter(({ taskToken }) => !ended.has(taskToken));
      if (open.length === 0 || ending !== undefined) return;
      log({ level: 'info', message: 'shifts of a worker that died are taken over', shifts: open.length });
      ending = forEachConcurrently(AT_ONCE, open, endShift).finally(() => {
        ending = undefined;
      });
    },
  };
}
