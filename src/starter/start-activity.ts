import { ActivityExecutionAlreadyStartedError, type ActivityOptions } from '@temporalio/client';
import { TASK_QUEUE } from '../contract/index.js';
import { type TemporalAccess, TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';

/**
 * Starts a standalone activity. Does nothing where Temporal refuses it by its id: one is under way, or, by
 * `idReusePolicy`, there was one.
 * @param what said in the error, e.g. `run of job job_…`
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function startActivity(
  { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  what: string,
  activity: string,
  options: Omit<ActivityOptions, 'taskQueue' | 'idConflictPolicy'>,
): Promise<void> {
  try {
    await callTemporal(
      client,
      what,
      () => client.activity.start(activity, { ...options, taskQueue, idConflictPolicy: 'FAIL' }),
      temporalTimeoutMs,
    );
  } catch (error) {
    if (!(error instanceof ActivityExecutionAlreadyStartedError)) throw error;
  }
}
