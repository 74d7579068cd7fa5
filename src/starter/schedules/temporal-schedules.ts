import {
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  type ScheduleOptions,
  type ScheduleOverlapPolicy,
  type WorkflowStartOptions,
} from '@temporalio/client';
import {
  AppError,
  DEFAULT_CATCHUP_WINDOW,
  PRIORITY_FIRST,
  TASK_QUEUE,
  WORKFLOW,
  accountsOf,
  parseDurationMs,
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
import type { Ledger, ScheduleObservation, ScheduleView } from '../../ledger/index.js';
import { type TemporalAccess, callTemporal, lastRunOf, searchAttributes } from '../temporal/temporal-call.js';

type ScheduleRunWorkflow = (input: ScheduleRunInput) => Promise<ScheduleRunResult>;

type Occurrence = Pick<ScheduleRun, 'scheduleId' | 'at'>;

type ScheduleOverlap = NonNullable<ScheduleDefinition['overlap']>;

/** What Temporal's schedule shows, with its next times, ISO UTC. */
export interface DescribedSchedule extends ScheduleObservation {
  readonly nextRuns: readonly string[];
}

export type TemporalSchedules = ReturnType<typeof temporalSchedules>;

/** Temporal's schedules and their runs. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable. */
export function temporalSchedules(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;
  const { namespace } = client.options;
  const handleOf = (id: ScheduleId) => client.schedule.getHandle(temporalScheduleId(id));

  /** @returns undefined if Temporal has no schedule of this id */
  const ofExisting = <Result>(what: string, id: ScheduleId, call: () => Promise<Result>) =>
    unless(ScheduleNotFoundError, callTemporal(access, `${what} of schedule ${id}`, call));

  return {
    namespace,

    /**
     * Changes Temporal's schedule to match ours, without its state: an operator may have paused it in Temporal. Creates
     * it if it does not exist, and lets it start the times since `fromMs`.
     * @throws AppError INPUT_INVALID when Temporal rejects it
     */
    async ensure(schedule: ScheduleView, fromMs: number, nowMs: number): Promise<void> {
      const { id, state, note } = schedule;
      const options = optionsOf(schedule, taskQueue);
      const { overlap } = options.policies;
      const isPaused = state === 'paused';
      const backfill = isPaused || fromMs >= nowMs ? [] : [{ start: new Date(fromMs), end: new Date(nowMs), overlap }];
      try {
        const change = () => handleOf(id).update(({ state: kept }) => ({ ...options, state: kept }));
        const changed = await ofExisting('change', id, async () => (await change(), true));
        if (changed !== undefined) return;
        const create = () =>
          client.schedule.create({
            ...options,
            scheduleId: temporalScheduleId(id),
            state: { paused: isPaused, backfill, ...present({ note }) },
          });
        await callTemporal(access, `schedule ${id}`, create);
      } catch (error) {
        throw refusedOr(error, id);
      }
    },

    /** No effect if it does not exist, as for the methods below. */
    async remove(id: ScheduleId): Promise<void> {
      await ofExisting('deletion', id, () => handleOf(id).delete());
    },

    /** @param note  not empty: Temporal ignores a pause without one */
    async pause(id: ScheduleId, note: string): Promise<void> {
      await ofExisting('pause', id, () => handleOf(id).pause(note));
    },

    async resume(id: ScheduleId, note: string): Promise<void> {
      await ofExisting('resume', id, () => handleOf(id).unpause(note));
    },

    /** Undefined if Temporal has no schedule of this id. */
    async describe(id: ScheduleId): Promise<DescribedSchedule | undefined> {
      const found = await ofExisting('description', id, () => handleOf(id).describe());
      if (found === undefined) return undefined;
      const { info, state } = found;
      return {
        isPaused: state.paused,
        ...present({ note: state.note === '' ? undefined : state.note }),
        missed: info.numActionsMissedCatchupWindow,
        overlapped: info.numActionsSkippedOverlap,
        nextRuns: info.nextActionTimes.map((time) => time.toISOString()),
      };
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

const OVERLAPS = {
  skip: 'SKIP',
  buffer: 'BUFFER_ONE',
  allow: 'ALLOW_ALL',
} as const satisfies Record<ScheduleOverlap, ScheduleOverlapPolicy>;

/** Contains no recipient, text or source of recipients: the run reads them from the ledger. */
function optionsOf({ id, definition }: ScheduleView, taskQueue: string) {
  const { cron, timezone, jitter, startAt, endAt, overlap = 'skip' } = definition;
  const { catchupWindow = DEFAULT_CATCHUP_WINDOW } = definition;
  // The SDK passes the priority on, but its type lacks it.
  const action: ScheduleOptions['action'] & Pick<WorkflowStartOptions, 'priority'> = {
    type: 'startWorkflow',
    workflowType: WORKFLOW.scheduleRun,
    workflowId: scheduleRunPrefix(id),
    taskQueue,
    priority: PRIORITY_FIRST,
    args: [{ scheduleId: id } satisfies ScheduleRunInput],
    staticSummary: `run of schedule ${id}`,
    typedSearchAttributes: searchAttributes({
      EverpostInstance: accountsOf(definition.message ?? definition.campaign ?? {}),
    }),
  };
  return {
    spec: present({
      cronExpressions: cron.flatMap(cronForTemporal),
      timezone,
      jitter: jitter === undefined ? undefined : parseDurationMs(jitter),
      startAt: startAt === undefined ? undefined : new Date(startAt),
      endAt: endAt === undefined ? undefined : new Date(endAt),
    }),
    action,
    policies: { overlap: OVERLAPS[overlap], catchupWindow: parseDurationMs(catchupWindow), pauseOnFailure: false },
  };
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

/**
 * Updates Temporal's schedule to match ours (SCHEDULE-1). One that Temporal gets late, or had lost, starts the times
 * within its catch-up window.
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

  return async (schedule) => {
    const { id, version, state } = schedule;
    if (state === 'deleted' || state === 'ended') {
      await temporal.remove(id);
      return schedules.synced(id, version);
    }
    const nowMs = clock.nowMs();
    const { catchupWindow = DEFAULT_CATCHUP_WINDOW } = schedule.definition;
    const fromMs = Math.max(nowMs - parseDurationMs(catchupWindow), (await schedules.coveredUntilMs(id)) + 1);
    try {
      await temporal.ensure(schedule, fromMs, nowMs);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
      return schedules.synced(id, version, error.message);
    }
    await schedules.synced(id, version);
  };
}
