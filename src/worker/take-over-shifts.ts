import { forEachConcurrently } from '../contract/index.js';
import type { Ledger, LostShift } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 1_000;
const AT_ONCE = 16;

/**
 * Reports that this process is alive, and ends the tries of shifts whose process died, so that Temporal assigns them to
 * a live worker (PRESENCE-1 to PRESENCE-4). Slow ends of tries do not delay the report.
 */
export function takeOverShifts({
  dispatch,
  endTry,
  process,
  log,
}: {
  readonly dispatch: Pick<Ledger['dispatch'], 'sayAlive'>;
  /** Ends one try. Has no effect if it has ended. */
  readonly endTry: (shift: LostShift) => Promise<void>;
  readonly process: string;
  readonly log: Log;
}): BackgroundJob {
  /** Task tokens of ended tries that the ledger still lists, because the next try has not begun. */
  let ended = new Set<string>();
  let ending: Promise<void> | undefined;

  async function endShift(shift: LostShift): Promise<void> {
    try {
      await endTry(shift);
      ended.add(shift.taskToken);
    } catch (error) {
      const { instance } = shift;
      log({ level: 'warn', message: 'a lost shift could not be ended; retried automatically', instance, error });
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
      log({ level: 'info', message: 'shifts of a dead worker are taken over', shifts: open.length });
      ending = forEachConcurrently(AT_ONCE, open, endShift).finally(() => {
        ending = undefined;
      });
    },
  };
}
