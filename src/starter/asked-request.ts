import type { Client } from '@temporalio/client';
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
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  let payloads = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [payload] = payloads;
  if (payload === undefined) return undefined;
  const input = payloadConverter.fromPayload<MessageInput>(payload);
  if ('id' in input) return undefined;
  const { key, ...body } = input;
  return readMessageRequest(body, {}).request;
}
