import { ActivityNotFoundError } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { SHIFT_ACTIVITY_ID, instanceWorkflowId } from '../../contract/index.js';
import { callTemporal, type TemporalAccess } from './temporal-call.js';

export interface LostTry {
  readonly instance: string;
  /** In base64. Absent: the try that is running now. */
  readonly taskToken?: string;
}

/** The next try may begin at once. */
const RETRY_MS = 100;

/**
 * Fails the try of a shift whose worker died, so that Temporal starts the next try on another worker. No effect if the
 * try has already ended.
 * @throws AppError TEMPORAL_UNAVAILABLE | TEMPORAL_SETUP_NEEDED
 */
export async function endShiftTry(access: TemporalAccess, { instance, taskToken }: LostTry): Promise<void> {
  const { activity } = access.client;
  const failure = ApplicationFailure.create({
    type: 'WORKER_LOST',
    message: `The worker that served ${instance} died; another one serves it.`,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: RETRY_MS,
  });
  const fail = () =>
    taskToken === undefined
      ? activity.fail({ workflowId: instanceWorkflowId(instance), activityId: SHIFT_ACTIVITY_ID }, failure)
      : activity.fail(Buffer.from(taskToken, 'base64'), failure);
  try {
    await callTemporal(access, `end of the lost shift of ${instance}`, fail);
  } catch (error) {
    if (!(error instanceof ActivityNotFoundError)) throw error;
  }
}
