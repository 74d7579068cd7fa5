import type { Clock, LastRun, ScheduleRun } from '../contract/index.js';
import type { Ledger, ScheduleView } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

export interface ScheduleSweeperDependencies {
  readonly schedules: Pick<Ledger['schedules'], 'ofNamespace' | 'openRuns' | 'endRun'>;
  readonly temporal: {
    readonly namespace: string;
    nextTimes(id: ScheduleView['id']): Promise<readonly string[] | undefined>;
    startRun(run: ScheduleRun): Promise<void>;
    lastRun(run: ScheduleRun): Promise<LastRun>;
  };
  /** Makes Temporal's schedule follow ours. */
  readonly sync: (schedule: ScheduleView) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 30_000;
/** Its start may be under way. */
const YOUNG_MS = 20_000;

/**
 * Ensures that Temporal has every schedule as the ledger has it: it may have been away when a schedule was changed, or
 * have been restored or lost. Also ensures that every requested run has a workflow; a run whose workflow an operator
 * ended has ended.
 */
export function scheduleSweeper({ schedules, temporal, sync, clock, log }: ScheduleSweeperDependencies): BackgroundJob {
  async function follow(schedule: ScheduleView): Promise<void> {
    const { id } = schedule;
    const isThere =
      schedule.isSynced && (schedule.problem !== undefined || (await temporal.nextTimes(id)) !== undefined);
    if (isThere) return;
    await sync(schedule);
    log({ level: 'info', message: 'a schedule was given to Temporal', schedule: id, state: schedule.state });
  }

  async function sweep(run: ScheduleRun): Promise<void> {
    if (clock.nowMs() - Date.parse(run.createdAt) < YOUNG_MS) return;
    const last = await temporal.lastRun(run);
    if (last === 'running') return;
    if (last === 'none') {
      await temporal.startRun(run);
      return log({ level: 'info', message: 'a run of a schedule was started', schedule: run.scheduleId, at: run.at });
    }
    // The run ended, and its row is still open: the ledger was restored from an older backup.
    const end =
      last === 'ended'
        ? { state: 'failed' as const, reason: 'already_ran', text: 'its workflow has ended: nothing is sent again' }
        : { state: 'skipped' as const, reason: `workflow_${last}` };
    await schedules.endRun(run.scheduleId, run.at, end, clock.nowMs());
    log({ level: 'warn', message: 'a run of a schedule ended with its workflow', schedule: run.scheduleId, run: last });
  }

  return {
    name: 'sweep schedules',
    everyMs: EVERY_MS,
    async round() {
      for (const schedule of await schedules.ofNamespace(temporal.namespace)) await follow(schedule);
      for (const run of await schedules.openRuns(temporal.namespace)) await sweep(run);
    },
  };
}
