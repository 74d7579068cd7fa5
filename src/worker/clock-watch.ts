/**
 * Compares this process's clock with the database's, which all workers share.
 *
 * SKEW-1 A worker whose clock differs by more than five seconds claims nothing and runs no background job that decides
 *    by time, and says so: it would expire messages that have hours left, or hold back messages that are due.
 * SKEW-2 It goes on by itself once the clocks agree. Before the first comparison nothing is decided.
 * SKEW-3 A clock that is set between two comparisons is noticed at once: it moved otherwise than the monotonic clock.
 */
import { AppError, type Clock, type Log } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';

const EVERY_MS = 1_000;
const LARGEST_MS = 5_000;

export interface ClockWatch {
  /** Compares the clocks. */
  readonly job: BackgroundJob;
  /** Whether this process may decide by its clock. */
  isRight(): boolean;
  /** Why it may not, and the remedy. */
  problem(): string | undefined;
  /** The dispatcher's ledger, which is unavailable to a process with a wrong clock. */
  guard(dispatch: Ledger['dispatch']): Ledger['dispatch'];
}

export function watchClock({
  dispatch,
  clock,
  log,
  monotonicMs = () => performance.now(),
}: {
  readonly dispatch: Pick<Ledger['dispatch'], 'clockMs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly monotonicMs?: () => number;
}): ClockWatch {
  /** How far this clock was ahead at least, less how far it was ahead of the monotonic one (SKEW-3). */
  let beyondOffsetMs: number | undefined;
  const offsetMs = (): number => clock.nowMs() - monotonicMs();
  const aheadMs = (): number | undefined => (beyondOffsetMs === undefined ? undefined : beyondOffsetMs + offsetMs());
  /** After the last comparison. */
  let wasRight: boolean | undefined;
  const isRight = (): boolean => Math.abs(aheadMs() ?? Infinity) <= LARGEST_MS;

  const problem = (): string | undefined => (isRight() ? undefined : problemOf(aheadMs()));

  function assertRight(): void {
    const found = problem();
    if (found !== undefined) throw new AppError('LEDGER_UNAVAILABLE', `This worker sends nothing: ${found}`);
  }

  return {
    isRight,
    problem,
    guard(dispatch_) {
      return new Proxy(dispatch_, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (name !== 'tick' && name !== 'beginShift') return value;
          return async (...given: unknown[]): Promise<unknown> => {
            assertRight();
            return Reflect.apply(value as (...of: unknown[]) => unknown, target, given);
          };
        },
      });
    },
    job: {
      name: 'compare clocks',
      everyMs: EVERY_MS,
      inEveryWorker: true,
      withAnyClock: true,
      async round() {
        const begunMs = clock.nowMs();
        const theirsMs = await dispatch.clockMs();
        // The database read its clock at an unknown time during the request.
        const [atLeastMs, atMostMs] = [begunMs - theirsMs, clock.nowMs() - theirsMs];
        const mayAgree = atLeastMs <= 0 && atMostMs >= 0;
        const leastMs = mayAgree ? 0 : atLeastMs > 0 ? atLeastMs : atMostMs;
        beyondOffsetMs = leastMs - offsetMs();
        if (isRight() === wasRight) return;
        wasRight = isRight();
        if (wasRight) log({ level: 'info', message: "this worker's clock agrees with the database's" });
        else log({ level: 'error', message: `this worker stops: ${problemOf(leastMs)}`, aheadMs: leastMs });
      },
    },
  };
}

function problemOf(aheadMs: number | undefined): string {
  if (aheadMs === undefined) return 'its clock was not compared with the database yet.';
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `its clock is ${seconds} s ${where} the database's. Synchronise the clocks of both machines (NTP); it goes on by itself.`;
}
