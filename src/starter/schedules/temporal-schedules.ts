import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  type ScheduleOptions,
  type ScheduleSpec,
  type WorkflowStartOptions,
} from '@temporalio/client';
import {
  AppError,
  PRIORITY_FIRST,
  TASK_QUEUE,
  WORKFLOW,
  instanceOfSchedule,
  present,
  scheduleRunPrefix,
  scheduleRunWorkflowId,
  temporalScheduleId,
  type Clock,
  type LastRun,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduleRun,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../../contract/index.js';
import { cronForTemporal } from '../../domain/index.js';
import type { Ledger, ScheduleView } from '../../ledger/index.js';
import { type TemporalAccess, callTemporal, lastRunOf, searchAttributes } from '../temporal/temporal-call.js';

type ScheduleRunWorkflow = (input: ScheduleRunInput) => Promise<ScheduleRunResult>;

type Occurrence = Pick<ScheduleRun, 'scheduleId' | 'at'>;

export type TemporalSchedules = ReturnType<typeof temporalSchedules>;

/** Temporal starts every missed occurrence. The run decides by the schedule's own rules. */
const CATCH_UP = '365 days';

/** Temporal's schedules and their runs. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable. */
export function temporalSchedules(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;
  const { namespace } = client.options;
  const handleOf = (id: ScheduleId) => client.schedule.getHandle(temporalScheduleId(id));

  return {
    namespace,

    /**
     * Creates Temporal's schedule, or changes it, to match ours.
     * @throws AppError INPUT_INVALID when Temporal rejects it
     */
    async ensure(schedule: ScheduleView): Promise<void> {
      const { id } = schedule;
      const options = optionsOf(schedule, taskQueue);
      const { state = {}, ...rest } = options;
      const create = () => client.schedule.create(options);
      const change = () => handleOf(id).update(() => ({ ...rest, state }));
      try {
        const created = await unless(ScheduleAlreadyRunning, callTemporal(access, `schedule ${id}`, create));
        if (created === undefined) await callTemporal(access, `change of schedule ${id}`, change);
      } catch (error) {
        throw refusedOr(error, id);
      }
    },

    /** No effect if it does not exist. */
    async remove(id: ScheduleId): Promise<void> {
      const deletion = callTemporal(access, `deletion of schedule ${id}`, () => handleOf(id).delete());
      await unless(ScheduleNotFoundError, deletion);
    },

    /** The next times of a schedule, ISO UTC. Undefined if Temporal has no schedule of this id. */
    async nextTimes(id: ScheduleId): Promise<string[] | undefined> {
      const description = callTemporal(access, `description of schedule ${id}`, () => handleOf(id).describe());
      const found = await unless(ScheduleNotFoundError, description);
      return found?.info.nextActionTimes.map((time) => time.toISOString());
    },

    /** The schedule's times after `fromMs` and up to `toMs`, ISO UTC. */
    async matchingTimes(id: ScheduleId, fromMs: number, toMs: number): Promise<string[]> {
      if (fromMs >= toMs) return [];
      const { startTime } = await callTemporal(access, `times of schedule ${id}`, () =>
        client.workflowService.listScheduleMatchingTimes({
          namespace,
          scheduleId: temporalScheduleId(id),
          startTime: timestamp(fromMs),
          endTime: timestamp(toMs),
        }),
      );
      return startTime.map(({ seconds }) => new Date(Number(seconds) * 1_000).toISOString());
    },

    /** Starts the run of one occurrence. No effect if it was ever started before. */
    async startRun({ scheduleId, at }: Occurrence): Promise<void> {
      const start = callTemporal(access, `start of a run of schedule ${scheduleId}`, () =>
        client.workflow.start<ScheduleRunWorkflow>(WORKFLOW.scheduleRun, {
          workflowId: scheduleRunWorkflowId(scheduleId, at),
          taskQueue,
          args: [{ scheduleId, at }],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          priority: PRIORITY_FIRST,
          staticSummary: `run of schedule ${scheduleId}`,
        }),
      );
      await unless(WorkflowExecutionAlreadyStartedError, start);
    },

    lastRun: async ({ scheduleId, at }: Occurrence): Promise<LastRun> =>
      lastRunOf(access, scheduleRunWorkflowId(scheduleId, at)),
  };
}

/** @returns undefined if the call fails with an error of this class */
async function unless<Result>(expected: abstract new (...args: never[]) => Error, call: Promise<Result>) {
  try {
    return await call;
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}

/** Contains no recipient, text or source of recipients: the run reads them from the ledger. */
function optionsOf({ id, definition, state, note }: ScheduleView, taskQueue: string): ScheduleOptions {
  // The SDK passes the priority on, but its type lacks it.
  const action: ScheduleOptions['action'] & Pick<WorkflowStartOptions, 'priority'> = {
    type: 'startWorkflow',
    workflowType: WORKFLOW.scheduleRun,
    workflowId: scheduleRunPrefix(id),
    taskQueue,
    priority: PRIORITY_FIRST,
    args: [{ scheduleId: id } satisfies ScheduleRunInput],
    staticSummary: `run of schedule ${id}`,
    typedSearchAttributes: searchAttributes({ EverpostInstance: instanceOfSchedule(definition) }),
  };
  return {
    scheduleId: temporalScheduleId(id),
    spec: specOf(definition),
    action,
    // The campaigns decide about overlap, not these short runs.
    policies: { overlap: 'ALLOW_ALL', catchupWindow: CATCH_UP, pauseOnFailure: false },
    // The note of an operator may be private.
    state: { paused: state !== 'active', ...(state === 'ended' ? present({ note }) : {}) },
  };
}

/** Without jitter: the run adds it to the campaign's start, so that Temporal's time still identifies the occurrence. */
export function specOf({ cron, timezone, startAt, endAt }: ScheduleDefinition): ScheduleSpec {
  return present({
    cronExpressions: cron.flatMap(cronForTemporal),
    timezone,
    startAt: startAt === undefined ? undefined : new Date(startAt),
    endAt: endAt === undefined ? undefined : new Date(endAt),
  });
}

function timestamp(ms: number) {
  // The SDK's type for 64 bits also accepts numbers.
  return { seconds: Math.floor(ms / 1_000) as never, nanos: (ms % 1_000) * 1_000_000 };
}

/** Temporal's reason for rejecting a schedule, e.g. an unknown timezone. */
function refusedOr(error: unknown, id: ScheduleId): unknown {
  if (!(error instanceof TypeError)) return error;
  return new AppError('INPUT_INVALID', `Temporal rejects schedule ${id}: ${error.message}.`, {
    cause: error,
    problems: [{ path: '', message: error.message }],
  });
}

/** More missed occurrences are an error; only the latest ones count. */
const MOST_MISSED = 1_000;

/**
 * Updates Temporal's schedule to match ours (SCHEDULE-1), and starts runs for occurrences that Temporal missed because
 * its schedule was created late or was lost. The runs decide about occurrences that are late.
 * @throws AppError TEMPORAL_UNAVAILABLE: the sweeper retries
 */
export type SyncSchedule = (schedule: ScheduleView) => Promise<void>;

export function syncScheduleWith(dependencies: {
  readonly ledger: Pick<Ledger, 'schedules'>;
  readonly temporal: TemporalSchedules;
  readonly clock: Clock;
}): SyncSchedule {
  const { ledger, temporal, clock } = dependencies;
  const { schedules } = ledger;

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
