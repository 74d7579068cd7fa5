import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  proxySinks,
  type Sinks,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { SEND_ACTIVITY_ID, SHIFT_ACTIVITY_ID, dispatchTaskQueue, type FaultPoint } from '../contract/index.js';

/** Without a maximum of tries: the row's expiry ends a wait. */
const UNTIL_IT_WORKS = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/**
 * Sends. The activity wakes the dispatcher, and stays open until the recorded outcome completes it, by its id. Its limit
 * is the longest life of a message. Nothing depends on its first worker.
 */
export const sends = proxyActivities<Activities>({
  activityId: SEND_ACTIVITY_ID,
  startToCloseTimeout: '365 days',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
});

/**
 * One shift of an instance. Its tries show the failure. The other workers end the try of a worker that died within five seconds; the
 * heartbeat timeout is for a death that none of them can see.
 */
export const dispatching = (): Pick<Activities, 'dispatch'> =>
  proxyActivities<Activities>({
    taskQueue: dispatchTaskQueue(workflowInfo().taskQueue),
    activityId: SHIFT_ACTIVITY_ID,
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '1 minute',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // Failures name their own pauses. This is the pause after the loss of a worker, however many tries came before.
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });

/** Edits: retried quickly, since their window is short; the claim checks it before every POST. */
export const edits = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/**
 * Steps that only read and write the ledger. Each takes milliseconds and may be repeated. After a worker's death only
 * this timeout lets another worker continue.
 */
export const ledger = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/** Steps that begin every run of a message: so short that the worker does them with the workflow's own task. */
export const opening = proxyLocalActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/** Stops a message; a POST that is under way then is waited for. */
export const stopping = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/**
 * Campaign commands: a stop waits for the POSTs under way, a retry may update a million recipients.
 */
export const steering = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/** Makes the campaign of one occurrence: its recipients may be a million lines, and their source may be away for days. */
export const occurring = proxyActivities<Activities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '5 minutes' },
});

/** Submits a template; retried while the gateway is away. */
export const submitting = proxyActivities<Activities>({
  // The poll before, the POST, the poll after a refusal, each within the HTTP timeout and its turn at the rate gate.
  startToCloseTimeout: '3 minutes',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '5 minutes' },
});

/** One poll of a review; the activity returns when the next one is due. It may be cancelled at any moment. */
export const following = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
});

/**
 * How a workflow reports a fault point to its worker: outside of the history, and before its decisions are sent to the
 * server.
 */
export interface FaultPointSinks extends Sinks {
  faultPoints: { reached(point: FaultPoint): void };
}

export const { faultPoints } = proxySinks<FaultPointSinks>();
