import { ActivityExecutionAlreadyStartedError } from '@temporalio/client';
import { JOB_ACTIVITY, TASK_QUEUE, type JobInput, type RecurringJob } from '../contract/index.js';
import type { TemporalAccess } from './message-runs.js';
import { TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';

/** Starts runs of recurring jobs, each a standalone activity; does nothing while one is under way. */
export interface JobRuns {
  /** @throws AppError TEMPORAL_UNAVAILABLE */
  start(job: RecurringJob): Promise<void>;
}

const START_TO_CLOSE = '2 minutes';
const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;
/** After this the job, which is still due, is started again. */
const LONGEST = '1 day';

export function jobRuns(access: TemporalAccess): JobRuns {
  const { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  return {
    async start({ id, kind, instance }) {
      const input: JobInput = { jobId: id };
      const start = () =>
        client.activity.start(JOB_ACTIVITY, {
          id: `job:${id}`,
          taskQueue,
          args: [input],
          startToCloseTimeout: START_TO_CLOSE,
          scheduleToCloseTimeout: LONGEST,
          retry: RETRY,
          idReusePolicy: 'ALLOW_DUPLICATE',
          idConflictPolicy: 'FAIL',
          summary: `${kind} of ${instance}`,
        });
      try {
        await callTemporal(client, `run of job ${id}`, start, temporalTimeoutMs);
      } catch (error) {
        if (!(error instanceof ActivityExecutionAlreadyStartedError)) throw error;
      }
    },
  };
}
