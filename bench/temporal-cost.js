// What workflows cost in Temporal, by the histories of all their runs.
import { Client, Connection } from '@temporalio/client';

/**
 * What Temporal counts as an action, by the attributes of its event: what a run does that is written down, no workflow
 * tasks. Heartbeats count too, and no history shows them.
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
 * @param {string} [query]  which workflows; else all
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
  // Each further try of an activity is one more.
  if (started) return (started.attempt ?? 1) - 1;
  return ACTIONS.some((name) => event[name]) ? 1 : 0;
}
