import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { AppError, ErrorNext, HUMAN_RETRY_MS, present } from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';

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

/** A failure that Temporal retries. It is benign: a wait is normal for this worker and is not logged as a failure. */
export function retriedLater(type: string, message: string, retryAfterMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: retryAfterMs,
  });
}

/** Aborted when the running activity is cancelled, or when its worker stops. */
export function stopsOf({ stopping }: Pick<ActivityDependencies, 'stopping'>): AbortSignal {
  const cancelled = cancellationSignal();
  return stopping === undefined ? cancelled : AbortSignal.any([cancelled, stopping]);
}

/** The delay until another worker continues the work of a worker that stops. */
const HANDED_OVER_RETRY_MS = 100;

/** @param next  what another worker does, e.g. `serves main` */
export function workerStopping(next: string): ApplicationFailure {
  const message = `The worker stops; another worker ${next}.`;
  return retriedLater('WORKER_STOPPING', message, HANDED_OVER_RETRY_MS);
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
