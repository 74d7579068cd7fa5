import { present, type LastRun } from '../contract/index.js';
import { describeRun } from './describe-run.js';
import { callTemporal, type TemporalAccess } from './temporal-call.js';

/**
 * The status of the last run of a workflow id, and the row's state that the run has. @throws AppError TEMPORAL_UNAVAILABLE
 */
export async function lastRunOf(
  access: TemporalAccess,
  workflowId: string,
): Promise<{ readonly run: LastRun; readonly knownState?: string }> {
  const describe = () => describeRun(access.client, workflowId);
  const found = await callTemporal(access, `description of ${workflowId}`, describe);
  if (found === undefined) return { run: 'none' };
  return { run: found.status, ...present({ knownState: found.attribute('EverpostState') }) };
}
