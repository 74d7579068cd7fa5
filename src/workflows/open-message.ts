import { workflowInfo } from '@temporalio/workflow';
import { type MessageInput, type MessageStart, type OpenedMessage } from '../contract/index.js';
import { opening } from './activity-proxies.js';
import { openUntilMs } from './message-lifetime.js';
import { checkDepth, refusal, refuse } from './refusals.js';

/**
 * Has the input checked and the row written, or found.
 * @throws ApplicationFailure or ActivityFailure with INPUT_INVALID, IDEMPOTENCY_MISMATCH, MESSAGE_NOT_FOUND or
 *   MESSAGE_ALREADY_STARTED
 */
export async function openMessage(input: MessageInput): Promise<OpenedMessage> {
  refuse('The message', checkDepth(input));
  const { startTime, firstExecutionRunId: firstRunId } = workflowInfo();
  const start: MessageStart = { input, requestedAt: startTime.toISOString(), firstRunId };
  const opened = await opening.openMessage(start);
  refuseSecondRun(opened);
  return opened;
}

/** Two workflows with the same key are one message: one run sends it, and the receipts go to that run. */
function refuseSecondRun({ snapshot, sentBy }: OpenedMessage): void {
  if (sentBy === undefined || openUntilMs(snapshot) <= Date.now()) return;
  const { id: messageId } = snapshot;
  const ask = `temporal workflow update execute --workflow-id ${sentBy} --name waitFor --input '{"state":"delivered"}'`;
  throw refusal(
    'MESSAGE_ALREADY_STARTED',
    `Message ${messageId} was started before with the same key, by the workflow ${sentBy}, which sends it. Ask that one: ${ask}`,
    { messageId, workflowId: sentBy },
  );
}
