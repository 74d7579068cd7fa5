import { ActivityExecutionAlreadyStartedError, ActivityNotFoundError, type ActivityOptions } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  JOB_ACTIVITY,
  type JobInput,
  OPERATIONS,
  type OperationInput,
  type OperationName,
  type RecurringJob,
  TASK_QUEUE,
  operationActivityId,
} from '../../contract/index.js';
import { type TemporalAccess, callTemporal } from './temporal-call.js';
import { operationId } from '../ids.js';

/**
 * Starts a standalone activity. No effect if Temporal rejects its id: an activity with this id runs, or, by
 * `idReusePolicy`, has run.
 * @param what names the request in the error, e.g. `run of job job_…`
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function startActivity(
  access: TemporalAccess,
  what: string,
  activity: string,
  options: Omit<ActivityOptions, 'taskQueue' | 'idConflictPolicy'>,
): Promise<void> {
  const { client, taskQueue = TASK_QUEUE } = access;
  try {
    await callTemporal(access, what, () =>
      client.activity.start(activity, { ...options, taskQueue, idConflictPolicy: 'FAIL' }),
    );
  } catch (error) {
    if (!(error instanceof ActivityExecutionAlreadyStartedError)) throw error;
  }
}

/** The next try may begin at once. */
const NEXT_TRY_MS = 100;

/**
 * Fails the try of a workflow's activity whose worker does not work on it any more, so that Temporal starts the next
 * try. No effect if the activity, or that try, has ended.
 * @param activity  or the token of one try
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function endTry(
  access: TemporalAccess,
  activity: { readonly workflowId: string; readonly activityId: string } | Uint8Array,
  why: { readonly type: string; readonly message: string },
): Promise<void> {
  const failure = ApplicationFailure.create({
    ...why,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: NEXT_TRY_MS,
  });
  const ofClient = access.client.activity;
  try {
    await callTemporal(access, `end of a try (${why.type})`, () =>
      activity instanceof Uint8Array ? ofClient.fail(activity, failure) : ofClient.fail(activity, failure),
    );
  } catch (error) {
    if (!(error instanceof ActivityNotFoundError)) throw error;
  }
}

/** HTTP timeout (15 s), the wait for a rate limit bucket of one request a second, and the ledger's own retries. */
const START_TO_CLOSE = '2 minutes';
const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;
/**
 * Reads, and writes of the same value, are retried for days. Other operations are not: no caller expects their effect
 * days later.
 */
const SCHEDULE_TO_CLOSE = { send: '7 days', repeatable: '7 days', once: '1 hour' } as const;

/** Gateway operations that send no message. Each is a standalone activity of Temporal, named after the operation. */
export function operationRuns(access: TemporalAccess) {
  return {
    /** Starts the activity unless it was started before. The ledger's row has to exist: it contains the request. */
    start(method: OperationName, keyHash: string, instance: string): Promise<void> {
      const input = { operationId: operationId(keyHash) } satisfies OperationInput;
      return startActivity(access, `start of ${method} ${input.operationId}`, method, {
        id: operationActivityId(method, keyHash),
        args: [input],
        startToCloseTimeout: START_TO_CLOSE,
        scheduleToCloseTimeout: SCHEDULE_TO_CLOSE[OPERATIONS[method].durability],
        retry: RETRY,
        idReusePolicy: 'REJECT_DUPLICATE',
        summary: `${method} on ${instance}`,
      });
    },

    /** True if Temporal has ended the activity, so that nothing will write its row. */
    async hasEnded(method: OperationName, keyHash: string): Promise<boolean> {
      const describe = () => access.client.activity.getHandle(operationActivityId(method, keyHash)).describe();
      try {
        const { status } = await callTemporal(access, `description of ${method} ${operationId(keyHash)}`, describe);
        return status !== 'RUNNING' && status !== 'PAUSED';
      } catch (error) {
        if (error instanceof ActivityNotFoundError) return false;
        throw error;
      }
    },
  };
}

/** After this time the job is started again, since it is still due. */
const LONGEST = '1 day';

/** Starts runs of recurring jobs. Each run is a standalone activity; a start has no effect while one is running. */
export function jobRuns(access: TemporalAccess) {
  return {
    /** @throws AppError TEMPORAL_UNAVAILABLE */
    start({ id, kind, instance }: RecurringJob): Promise<void> {
      return startActivity(access, `run of job ${id}`, JOB_ACTIVITY, {
        id: `job:${id}`,
        args: [{ jobId: id } satisfies JobInput],
        startToCloseTimeout: START_TO_CLOSE,
        scheduleToCloseTimeout: LONGEST,
        retry: RETRY,
        idReusePolicy: 'ALLOW_DUPLICATE',
        summary: `${kind} of ${instance}`,
      });
    },
  };
}
