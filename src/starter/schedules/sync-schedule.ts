import { AppError, type Clock } from '../../contract/index.js';
import type { Ledger, ScheduleView } from '../../ledger/index.js';
import type { TemporalSchedules } from './temporal-schedules.js';

/** More were missed by mistake; the latest count. */
const MOST_MISSED = 1_000;

/**
 * Makes Temporal's schedule follow ours (SCHEDULE-1), and starts runs for occurrences that no schedule of Temporal's has met: it
 * was made late, while Temporal was away, or had lost it. They are as late as they are, and the runs decide.
 * @throws AppError TEMPORAL_UNAVAILABLE: the sweeper does it later
 */
export type SyncSchedule = (schedule: ScheduleView) => Promise<void>;

export function syncScheduleWith({
  ledger: { schedules },
  temporal,
  clock,
}: {
  readonly ledger: Pick<Ledger, 'schedules'>;
  readonly temporal: TemporalSchedules;
  readonly clock: Clock;
}): SyncSchedule {
  async function startMissed({ id, state }: ScheduleView): Promise<void> {
    if (state !== 'active') return;
    const times = await temporal.matchingTimes(id, await schedules.coveredUntilMs(id), clock.nowMs());
    const added = await schedules.addRuns(id, 'schedule', times.slice(-MOST_MISSED), clock.nowMs());
    for (const run of added) await temporal.startRun(run);
  }

  return async (schedule) => {
    const { id, version, state } = schedule;
    if (state === 'deleted') {
      await temporal.remove(id);
      return schedules.synced(id, version);
    }
    try {
      await temporal.ensure(schedule);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
      return schedules.synced(id, version, error.message);
    }
    await startMissed(schedule);
    await schedules.synced(id, version);
  };
}
