import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { TASK_QUEUE, WORKFLOW, messageWorkflowId } from '../contract/index.js';
import { lastRunOf } from './last-run.js';
import { startOptions, type MessageOfRow, type RunRef } from './message-runs.js';
import { type TemporalAccess, callTemporal } from './temporal-call.js';

/**
 * Finds and starts runs of messages that are in the ledger already. Every method throws TEMPORAL_UNAVAILABLE when it is
 * away.
 */
export function createMessageDrivers(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;
  return {
    lastRun: async ({ id, workflowId = messageWorkflowId(id) }: RunRef) => (await lastRunOf(access, workflowId)).run,

    /** Starts a run that continues from the row, also after one that has ended; does nothing while one is open. */
    async start(row: MessageOfRow): Promise<void> {
      const start = () =>
        client.workflow.start(WORKFLOW.message, {
          ...startOptions(row, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
        });
      try {
        await callTemporal(access, `start of message ${row.id}`, start);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
  };
}
