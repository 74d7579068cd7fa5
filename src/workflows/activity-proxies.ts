import { ActivityCancellationType, proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { SEND_ACTIVITY_ID, dispatchTaskQueue } from '../contract/index.js';

/** Without an upper bound: the row's expiry ends a wait, not a count of tries. */
const UNTIL_IT_WORKS = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/**
 * Sends. The activity makes sure that the dispatcher knows of the message, and stays open until what records the
 * outcome completes it, by its id: it is as long as a message may live. Nothing depends on its first worker.
 */
export const sends = proxyActivities<Activities>({
  activityId: SEND_ACTIVITY_ID,
  startToCloseTimeout: '365 days',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
});

/** One shift of an instance. Its tries show what stands in the way, and a dead worker is noticed within 4 s. */
export const dispatching = (): Pick<Activities, 'dispatch'> =>
  proxyActivities<Activities>({
    taskQueue: dispatchTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '4 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // Failures name their own pauses. This is the pause after the loss of a worker, however many tries came before.
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });

/** Edits: tried again quickly, since their window is short; the claim checks it before every POST. */
export const edits = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/**
 * Steps that only read and write the ledger. Each takes milliseconds and may be done again, and after the worker's
 * death nothing but this timeout lets another one do it: it is what the message then waits for.
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
 * What operators ask of a campaign: a stop waits for the POSTs under way, a retry may go through a million recipients.
 */
export const steering = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '10 seconds' },
});

/** Puts a template before its reviewers; tried again for as long as the gateway is away. */
export const submitting = proxyActivities<Activities>({
  // The poll before, the POST, the poll after a refusal, each within the HTTP timeout and its turn at the rate gate.
  startToCloseTimeout: '3 minutes',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...UNTIL_IT_WORKS, maximumInterval: '5 minutes' },
});

/** One poll of a review; the activity says itself when the next one is due. Reading can be left at any moment. */
export const following = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: UNTIL_IT_WORKS,
});
