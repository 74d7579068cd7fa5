import { JOB_ACTIVITY, type JobInput, type RecurringJob } from '../contract/index.js';
import type { TemporalAccess } from './temporal-call.js';
import { startActivity } from './start-activity.js';

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
  return {
    start({ id, kind, instance }) {
      const input: JobInput = { jobId: id };
      return startActivity(access, `run of job ${id}`, JOB_ACTIVITY, {
        id: `job:${id}`,
        args: [input],
        startToCloseTimeout: START_TO_CLOSE,
        scheduleToCloseTimeout: LONGEST,
        retry: RETRY,
        idReusePolicy: 'ALLOW_DUPLICATE',
        summary: `${kind} of ${instance}`,
      });
    },
  };
}
