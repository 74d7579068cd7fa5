import { present, type LastRun } from '../contract/index.js';
import { describeRun } from './describe-run.js';
import { TEMPORAL_TIMEOUT_MS, callTemporal, type TemporalAccess } from './temporal-call.js';

/**
 * The status of the last run of a workflow id, and the row's state that the run has. @throws AppError TEMPORAL_UNAVAILABLE
 */
export async function lastRunOf(
  { client, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS }: TemporalAccess,
  workflowId: string,
): Promise<{ readonly run: LastRun; readonly knownState?: string }> {
  const describe = () => describeRun(client, workflowId);
  const found = await callTemporal(client, `description of ${workflowId}`, describe, temporalTimeoutMs);
  if (found === undefined) return { run: 'none' };
  return { run: found.status, ...present({ knownState: found.attribute('EverpostState') }) };
}
