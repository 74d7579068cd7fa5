import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { AppError, isErrorCode } from '../contract/index.js';

/** Word of the server for an update whose run ended before the update did. */
const RUN_ENDED_FIRST = 'AcceptedUpdateCompletedWorkflow';

/**
 * What a run answers, or `gone` where there is none (any more).
 * @throws AppError with the code by which the run, or an activity it asked, refused an update
 */
export async function unlessGone<T>(call: () => Promise<T>): Promise<T | 'gone'> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'gone';
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    const failure = applicationFailureIn(error);
    if (failure === undefined) throw error;
    const { type, message } = failure;
    if (type === RUN_ENDED_FIRST) return 'gone';
    throw isErrorCode(type) ? new AppError(type, message, { cause: error }) : error;
  }
}

/** The run's own refusal, or that of an activity it asked. */
function applicationFailureIn(error: Error): ApplicationFailure | undefined {
  for (let inner: unknown = error.cause; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ApplicationFailure) return inner;
  }
  return undefined;
}
