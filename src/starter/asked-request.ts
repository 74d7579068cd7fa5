import type { Client } from '@temporalio/client';
import { readPayload } from '../codec/index.js';
import { messageWorkflowId, type MessageId, type MessageInput, type MessageRequest } from '../contract/index.js';
import { readMessageRequest } from './message-request.js';

/**
 * The request that the last run of a message was started with; undefined where the run names a row, which has it.
 * @throws WorkflowNotFoundError
 */
export async function askedRequest(client: Client, id: MessageId): Promise<MessageRequest | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: messageWorkflowId(id) },
    maximumPageSize: 1,
  });
  const [payload] = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  if (payload === undefined) return undefined;
  const input = await readPayload<MessageInput>(client.options.loadedDataConverter, payload);
  if ('id' in input) return undefined;
  const { key, ...body } = input;
  return readMessageRequest(body, {}).request;
}
