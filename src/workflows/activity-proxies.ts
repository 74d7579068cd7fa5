import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  proxySinks,
  type Sinks,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { PRIORITY_FIRST, SHIFT_ACTIVITY_ID, WAITING_TRY_MS, type FaultPoint } from '../contract/index.js';

/** Without a limit of tries: the row's expiry ends the wait. */
const UNTIL_IT_WORKS = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/** Most activities: a workflow that is cancelled waits until they have ended. */
const STEP = {
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
} as const;

/**
 * Activities that wait for a row. What the ledger records completes them by their id, in any worker. The next try reads
 * the row again, so a wait has no limit.
 */
const WAITING = {
  startToCloseTimeout: WAITING_TRY_MS,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
} as const;

/** @param options  `summary`: until when the activity waits; the Web UI shows it */
export function waiting(options: { readonly summary: string; readonly activityId?: string }) {
  return proxyActivities<Activities>({ ...WAITING, ...options });
}

/**
 * One shift of an instance. Its tries show the failures. After the death of a worker, other workers end its try within
 * five seconds; the heartbeat timeout covers a death that no other worker can detect.
 */
export const dispatching = proxyActivities<Activities>({
  activityId: SHIFT_ACTIVITY_ID,
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  // Any worker may take the shift, so that instances spread over the workers again.
  allowEagerDispatch: false,
  // A failure names its own pause. This is the pause after the loss of a worker; it does not grow with the tries.
  retry: { initialInterval: '1 second', backoffCoefficient: 1 },
});

/**
 * Steps that only read and write the ledger. Each takes milliseconds and may be repeated. After the death of a worker,
 * another one continues when this timeout has passed.
 */
export const ledger = proxyActivities<Activities>({ ...STEP, startToCloseTimeout: '10 seconds' });

/** Steps of a message's run that only read or write its row. They are short, so the worker runs them as local activities. */
export const opening = proxyLocalActivities<Activities>({ ...STEP, startToCloseTimeout: '10 seconds' });

/** Stops a message, and waits for a POST that is under way. */
export const stopping = proxyActivities<Activities>({
  ...STEP,
  startToCloseTimeout: '2 minutes',
  priority: PRIORITY_FIRST,
});

/** Campaign commands. A stop waits for the POSTs under way, and a retry may update a million recipients. */
export const steering = proxyActivities<Activities>({
  ...STEP,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
});

/**
 * Creates the campaign of one occurrence. Its source may have a million recipients, and may be unavailable for days.
 */
export const occurring = proxyActivities<Activities>({
  ...STEP,
  summary: 'until its campaign has ended, or its message was posted',
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '5 minutes' },
});

/** Submits a template; retried while the gateway is unavailable. */
export const submitting = proxyActivities<Activities>({
  ...STEP,
  summary: 'until the gateway has it',
  // Enough for a poll, the POST and a second poll after a rejection. Each may take the HTTP timeout and a rate limit
  // wait.
  startToCloseTimeout: '3 minutes',
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '5 minutes' },
});

/** One poll of a review. The retry policy waits for the next poll. The activity may be cancelled at any time. */
export const following = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  summary: 'until its review is decided',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
});

/** Reports a fault point from a workflow to its worker, outside the history, before the commands go to the server. */
export interface FaultPointSinks extends Sinks {
  faultPoints: { reached(point: FaultPoint): void };
}

export const { faultPoints } = proxySinks<FaultPointSinks>();
