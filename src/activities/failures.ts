import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { AppError, ErrorNext, HUMAN_RETRY_MS, present } from '../contract/index.js';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Converts our errors to Temporal's. `type` is our code, on which workflows and clients match. An error with `stop`
 * ends the activity; all others are retried by its policy.
 */
export function toApplicationFailure(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const retryAfterMs = error.retryAfterMs ?? (error.next === ErrorNext.human ? HUMAN_RETRY_MS : undefined);
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: error.next === ErrorNext.stop,
    ...present({ nextRetryDelay: retryAfterMs }),
    // A wait is normal for this worker, and the SDK does not log a benign failure.
    ...(error.next === ErrorNext.wait ? { category: ApplicationFailureCategory.BENIGN } : {}),
    details: [
      // Without the gateway's text, which may repeat the request. The ledger has it.
      { next: error.next, httpStatus: error.httpStatus, problems: error.problems },
    ],
  });
}

type Activity<Input, Result> = (input: Input) => Promise<Result>;

/** Wraps an activity so that it throws Temporal's errors. */
export function speakingTemporal<Input, Result>(activity: Activity<Input, Result>): Activity<Input, Result> {
  return async (input) => {
    try {
      return await activity(input);
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}

/** The pauses between tries of a ledger write within an activity. After them Temporal retries the activity. */
const LEDGER_RETRY_MS = [100, 300, 1_000];

/** Retries a ledger write during a short interruption. The write must be repeatable. */
export async function untilRecorded<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of LEDGER_RETRY_MS) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LEDGER_UNAVAILABLE') throw error;
      await delay(pauseMs);
    }
  }
  return write();
}
