import { workflowInfo } from '@temporalio/workflow';
import {
  messageWorkflowId,
  type MessageInput,
  type MessageSnapshot,
  type MessageStart,
  type OpenedMessage,
} from '../contract/index.js';
import { ledger } from './activity-proxies.js';
import { openUntilMs } from './message-lifetime.js';
import { checkDepth, refusal, refuse } from './refusals.js';

/**
 * Has the input checked and the row written, or found.
 * @throws ApplicationFailure or ActivityFailure with INPUT_INVALID, IDEMPOTENCY_MISMATCH, MESSAGE_UNKNOWN or
 *   MESSAGE_ALREADY_STARTED
 */
export async function openMessage(input: MessageInput): Promise<OpenedMessage> {
  refuse('The message', checkDepth(input));
  const { startTime, firstExecutionRunId: firstRunId } = workflowInfo();
  const start: MessageStart = { input, requestedAt: startTime.toISOString(), firstRunId };
  const opened = await ledger.openMessage(start);
  refuseSecondRun(opened.snapshot);
  return opened;
}

/** Two workflows with the same key are one message: one run sends it, and the receipts go to that run. */
function refuseSecondRun(row: MessageSnapshot): void {
  const workflowId = row.workflowId ?? messageWorkflowId(row.id);
  if (workflowId === workflowInfo().workflowId || openUntilMs(row) <= Date.now()) return;
  const ask = `temporal workflow update execute --workflow-id ${workflowId} --name waitFor --input '{"state":"delivered"}'`;
  throw refusal(
    'MESSAGE_ALREADY_STARTED',
    `Message ${row.id} was started before with the same key, by the workflow ${workflowId}, which sends it. Ask that one: ${ask}`,
    { messageId: row.id, workflowId },
  );
}
