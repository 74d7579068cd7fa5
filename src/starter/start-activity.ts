import { ActivityExecutionAlreadyStartedError, type ActivityOptions } from '@temporalio/client';
import { TASK_QUEUE } from '../contract/index.js';
import { type TemporalAccess, callTemporal } from './temporal-call.js';

/**
 * Starts a standalone activity. Does nothing where Temporal refuses it by its id: one is under way, or, by
 * `idReusePolicy`, there was one.
 * @param what said in the error, e.g. `run of job job_…`
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function startActivity(
  access: TemporalAccess,
  what: string,
  activity: string,
  options: Omit<ActivityOptions, 'taskQueue' | 'idConflictPolicy'>,
): Promise<void> {
  const { client, taskQueue = TASK_QUEUE } = access;
  const start = () => client.activity.start(activity, { ...options, taskQueue, idConflictPolicy: 'FAIL' });
  try {
    await callTemporal(access, what, start);
  } catch (error) {
    if (!(error instanceof ActivityExecutionAlreadyStartedError)) throw error;
  }
}
