import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';

/** Without an upper bound: the row's expiry ends a wait, not a count of tries. */
const UNTIL_IT_WORKS = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' } as const;

/**
 * Sends. Posting deadline (5 s) + HTTP timeout (15 s) + the ledger's retries lie well below the start-to-close timeout,
 * and the heartbeat tells of a dead worker sooner. A try after either timeout finds the claim and does not post again.
 */
export const sends = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: UNTIL_IT_WORKS,
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

/**
 * Looks for what became of a message, also at the gateway; the activity says itself when its next try can tell more.
 */
export const reconciling = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: UNTIL_IT_WORKS,
});

/** One poll of a campaign: several rounds of feeding, which end by themselves well before the timeout. */
export const feeding = proxyActivities<Activities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: UNTIL_IT_WORKS,
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
