import { present, type LastRun } from '../contract/index.js';
import { WorkflowNotFoundError, defineSearchAttributeKey } from '@temporalio/common';
import { type TemporalAccess, TEMPORAL_TIMEOUT_MS, callTemporal } from './temporal-call.js';

const STANDING: Readonly<Record<string, LastRun>> = {
  RUNNING: 'running',
  PAUSED: 'running',
  TERMINATED: 'terminated',
  CANCELLED: 'cancelled',
};

const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

/**
 * The status of the last run of a workflow id, and the row's state that the run has. @throws AppError TEMPORAL_UNAVAILABLE
 */
export async function lastRunOf(
  { client, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  workflowId: string,
): Promise<{ readonly run: LastRun; readonly knownState?: string }> {
  try {
    const describe = () => client.workflow.getHandle(workflowId).describe();
    const found = await callTemporal(client, `description of ${workflowId}`, describe, temporalTimeoutMs);
    const knownState = found.typedSearchAttributes.get(stateAttribute);
    return { run: STANDING[found.status.name] ?? 'ended', ...present({ knownState }) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { run: 'none' };
    throw error;
  }
}
