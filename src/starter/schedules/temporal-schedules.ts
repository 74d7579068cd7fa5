import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  WorkflowExecutionAlreadyStartedError,
  type ScheduleOptions,
  type WorkflowStartOptions,
} from '@temporalio/client';
import {
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
  type ScheduleId,
  type ScheduleRun,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../../contract/index.js';
import { cronForTemporal } from '../../domain/index.js';
import type { Ledger, ScheduleObservation, ScheduleView } from '../../ledger/index.js';
import { type TemporalAccess, callTemporal, lastRunOf, searchAttributes } from '../temporal/temporal-call.js';

type Occurrence = Pick<ScheduleRun, 'scheduleId' | 'at'>;

/** What Temporal's schedule shows, with its next times, ISO UTC. */
export interface DescribedSchedule extends ScheduleObservation {
  readonly nextRuns: readonly string[];
}

/** Temporal's schedules and their runs. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable. */
export function temporalSchedules(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;
  const { namespace } = client.options;
  const handleOf = (id: ScheduleId) => client.schedule.getHandle(temporalScheduleId(id));

  /** @returns false if Temporal has no schedule of this id */
  const ofExisting = <Result>(what: string, id: ScheduleId, call: () => Promise<Result>) =>
    unless(ScheduleNotFoundError, callTemporal(access, `${what} of schedule ${id}`, call));

  return {
    namespace,

    /**
     * Changes Temporal's schedule to match ours, without its state: an operator may have paused it in Temporal. Creates
     * it if it does not exist, and lets it start the times since `fromMs`.
     * @returns why Temporal rejects it; undefined if it does not
     */
    async ensure(schedule: ScheduleView, fromMs: number, nowMs: number): Promise<string | undefined> {
      const { id, note } = schedule;
      const options = optionsOf(schedule, taskQueue);
      const { overlap } = options.policies;
      const paused = schedule.state === 'paused';
      const backfill = paused || fromMs >= nowMs ? [] : [{ start: new Date(fromMs), end: new Date(nowMs), overlap }];
      const state = { paused, backfill, ...present({ note }) };
      const change = () => handleOf(id).update(({ state: kept }) => ({ ...options, state: kept }));
      const create = () => client.schedule.create({ ...options, scheduleId: temporalScheduleId(id), state });
      try {
        if ((await ofExisting('change', id, change)) !== false) return undefined;
        const created = await unless(ScheduleAlreadyRunning, callTemporal(access, `schedule ${id}`, create));
        // Another process has created it since.
        if (created === false) await ofExisting('change', id, change);
        return undefined;
      } catch (error) {
        if (error instanceof TypeError) return `Temporal rejects schedule ${id}: ${error.message}.`;
        throw error;
      }
    },

    /** @returns false if Temporal has no schedule of this id */
    remove: async (id: ScheduleId) => (await ofExisting('deletion', id, () => handleOf(id).delete())) !== false,

    /**
     * @param note  not empty: Temporal ignores a pause without one
     * @returns false if Temporal has no schedule of this id
     */
    async steer(id: ScheduleId, command: 'pause' | 'resume', note: string) {
      const asked = command === 'pause' ? 'pause' : 'unpause';
      return (await ofExisting(command, id, () => handleOf(id)[asked](note))) !== false;
    },

    /** Undefined if Temporal has no schedule of this id. */
    async describe(id: ScheduleId): Promise<DescribedSchedule | undefined> {
      const found = await ofExisting('description', id, () => handleOf(id).describe());
      if (found === false) return undefined;
      const { action, info, state } = found;
      return {
        version: Number(action.memo?.['version']),
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
      const range = { startTime: timestamp(fromMs), endTime: timestamp(toMs) };
      const { startTime } = await callTemporal(access, `times of schedule ${id}`, () =>
        client.workflowService.listScheduleMatchingTimes({ namespace, scheduleId: temporalScheduleId(id), ...range }),
      );
      return startTime.map(({ seconds }) => new Date(Number(seconds) * 1_000).toISOString());
    },

    /** Starts the run of one occurrence. No effect if it was ever started before. */
    async startRun({ scheduleId, at }: Occurrence): Promise<void> {
      const start = callTemporal(access, `start of a run of schedule ${scheduleId}`, () =>
        client.workflow.start<(input: ScheduleRunInput) => Promise<ScheduleRunResult>>(WORKFLOW.scheduleRun, {
          workflowId: scheduleRunWorkflowId(scheduleId, at),
          args: [{ scheduleId, at }],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          ...runOptions(scheduleId, taskQueue),
        }),
      );
      await unless(WorkflowExecutionAlreadyStartedError, start);
    },

    lastRun: ({ scheduleId, at }: Occurrence): Promise<LastRun> =>
      lastRunOf(access, scheduleRunWorkflowId(scheduleId, at)),
  };
}

/** @returns false if the call fails with an error of this class */
async function unless<Result>(expected: abstract new (...args: never[]) => Error, call: Promise<Result>) {
  try {
    return await call;
  } catch (error) {
    if (error instanceof expected) return false;
    throw error;
  }
}

function runOptions(id: ScheduleId, taskQueue: string) {
  return { taskQueue, priority: PRIORITY_FIRST, staticSummary: `run of schedule ${id}` };
}

const OVERLAPS = { skip: 'SKIP', buffer: 'BUFFER_ONE', allow: 'ALLOW_ALL' } as const;

/** Contains no recipient, text or source of recipients: the run reads them from the ledger. */
function optionsOf({ id, definition, version }: ScheduleView, taskQueue: string) {
  const { cron, timezone, jitter, startAt, endAt, overlap = 'skip' } = definition;
  const { catchupWindow = DEFAULT_CATCHUP_WINDOW } = definition;
  // The SDK passes the priority on, but its type lacks it.
  const action: ScheduleOptions['action'] & Pick<WorkflowStartOptions, 'priority'> = {
    type: 'startWorkflow',
    workflowType: WORKFLOW.scheduleRun,
    workflowId: scheduleRunPrefix(id),
    args: [{ scheduleId: id } satisfies ScheduleRunInput],
    memo: { version },
    ...runOptions(id, taskQueue),
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

/**
 * Updates Temporal's schedule to match the row (SCHEDULE-1). One that Temporal gets late, or had lost, starts the times
 * within its catch-up window.
 * @returns a function that throws AppError TEMPORAL_UNAVAILABLE: the sweeper retries
 */
export function syncScheduleWith(dependencies: {
  readonly ledger: Pick<Ledger, 'schedules'>;
  readonly temporal: Pick<ReturnType<typeof temporalSchedules>, 'ensure' | 'remove'>;
  readonly clock: Clock;
}) {
  const { temporal, clock } = dependencies;
  const { schedules } = dependencies.ledger;
  return async (id: ScheduleId): Promise<void> => {
    // If the row has changed meanwhile, Temporal may have the older version: it is written once more.
    for (let isNewest = false; !isNewest;) {
      const schedule = await schedules.toSync(id);
      const { version, state, wasSynced, coveredUntilMs, definition } = schedule;
      const isGone = state === 'deleted' || state === 'ended';
      // Temporal may still have a deleted schedule of this id, with a pause and counters of its own.
      if (isGone || !wasSynced) await temporal.remove(id);
      const nowMs = clock.nowMs();
      const catchupMs = parseDurationMs(definition.catchupWindow ?? DEFAULT_CATCHUP_WINDOW);
      const fromMs = Math.max(nowMs - catchupMs, coveredUntilMs + 1);
      const problem = isGone ? undefined : await temporal.ensure(schedule, fromMs, nowMs);
      isNewest = await schedules.synced(id, version, problem);
    }
  };
}
