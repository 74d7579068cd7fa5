import { WorkflowNotFoundError } from '@temporalio/common';
import type { LastRun } from '../contract/index.js';
import type { TemporalAccess } from './message-runs.js';
import { TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';

const STANDING: Readonly<Record<string, LastRun>> = {
  RUNNING: 'running',
  PAUSED: 'running',
  TERMINATED: 'terminated',
  CANCELLED: 'cancelled',
};

/** How the last run of a workflow id stands. @throws AppError TEMPORAL_UNAVAILABLE */
export async function lastRunOf(
  { client, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  workflowId: string,
): Promise<LastRun> {
  try {
    const describe = () => client.workflow.getHandle(workflowId).describe();
    const { status } = await callTemporal(client, `description of ${workflowId}`, describe, temporalTimeoutMs);
    return STANDING[status.name] ?? 'ended';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'none';
    throw error;
  }
}
