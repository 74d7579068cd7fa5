// Measures the cost of workflows in Temporal, from the histories of all their runs.
import { Client, Connection } from '@temporalio/client';

/**
 * The events that Temporal counts as actions, by their attributes; workflow tasks are no actions. Heartbeats count too,
 * but no history shows them.
 */
const ACTIONS = /** @type {const} */ ([
  'workflowExecutionStartedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
]);

/**
 * @param {string} address
 * @param {string} [query]  the workflows. Default: all
 * @returns {Promise<{ runs: number, actions: number, bytes: number, events: number, mostEvents: number }>}
 */
export async function temporalCost(address, query) {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const cost = { runs: 0, actions: 0, bytes: 0, events: 0, mostEvents: 0 };
    for await (const { workflowId, runId } of client.workflow.list(query === undefined ? {} : { query })) {
      const handle = client.workflow.getHandle(workflowId, runId);
      const { historyLength, historySize = 0 } = await handle.describe();
      const { events } = await handle.fetchHistory();
      cost.runs += 1;
      cost.events += historyLength;
      cost.bytes += historySize;
      cost.mostEvents = Math.max(cost.mostEvents, historyLength);
      cost.actions += (events ?? []).reduce((sum, event) => sum + actionsOf(event), 0);
    }
    return cost;
  } finally {
    await connection.close();
  }
}

/** @typedef {Awaited<ReturnType<import('@temporalio/client').WorkflowHandle['fetchHistory']>>} History */

/** @param {NonNullable<History['events']>[number]} event */
function actionsOf(event) {
  const { activityTaskStartedEventAttributes: started } = event;
  // Each retry of an activity is one more action.
  if (started) return (started.attempt ?? 1) - 1;
  return ACTIONS.some((name) => event[name]) ? 1 : 0;
}
