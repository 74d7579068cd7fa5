import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import {
  TASK_QUEUE,
  WORKFLOW,
  messageWorkflowId,
  type LastRun,
  type MessageId,
  type MessageInput,
} from '../contract/index.js';
import { startOptions, type TemporalAccess } from './message-runs.js';
import { TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';

const STANDING: Readonly<Record<string, LastRun>> = {
  RUNNING: 'running',
  PAUSED: 'running',
  TERMINATED: 'terminated',
  CANCELLED: 'cancelled',
};

/**
 * Finds and starts runs of messages that are in the ledger already. Every method throws TEMPORAL_UNAVAILABLE when it is away.
 */
export function createMessageDrivers({
  client,
  taskQueue = TASK_QUEUE,
  temporalTimeoutMs = TEMPORAL_TIMEOUT_MS,
}: TemporalAccess) {
  return {
    async lastRun(id: MessageId): Promise<LastRun> {
      try {
        const describe = () => client.workflow.getHandle(messageWorkflowId(id)).describe();
        const { status } = await callTemporal(client, `description of message ${id}`, describe, temporalTimeoutMs);
        return STANDING[status.name] ?? 'ended';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'none';
        throw error;
      }
    },

    /** Starts a run, also after one that has ended; does nothing while one is open. */
    async start(input: MessageInput): Promise<void> {
      const start = () =>
        client.workflow.start(WORKFLOW.message, {
          ...startOptions(input, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
        });
      try {
        await callTemporal(client, `start of message ${input.id}`, start, temporalTimeoutMs);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },
  };
}
