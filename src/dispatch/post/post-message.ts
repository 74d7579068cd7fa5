import { type MessageContent, present, type SendOperation } from '../../contract/index.js';
import { asOperation } from '../../domain/index.js';
import type { CallOptions, Gateway, GatewayResponse, OperationRequest } from '../../gateway/index.js';

/** One message of one instance: the fields that the send operations need. */
export interface Posting {
  readonly instance: string;
  /** Absent for a status, which goes to all contacts of the account. */
  readonly chatId?: string;
  readonly content: MessageContent;
  /** The gateway's id of the template that the content names. */
  readonly templateId?: string;
}

/**
 * Calls the gateway operation that sends this kind of content. All fields except `kind` are passed unchanged; absent
 * fields stay absent.
 * @throws AppError INPUT_INVALID at once if the chat is missing; later like {@link Gateway.call}
 */
export function postMessage(
  gateway: Gateway,
  posting: Posting,
  options: CallOptions<SendOperation>,
): Promise<GatewayResponse<SendOperation>> {
  const { operation, request } = requestOf(posting);
  return gateway.call(posting.instance, operation, request, options);
}

/**
 * Checks a message against every limit without sending it.
 * @throws AppError INPUT_INVALID or INPUT_TOO_LARGE with all problems at once
 */
export function checkMessage(gateway: Gateway, posting: Posting): void {
  const { operation, request } = requestOf(posting);
  gateway.check(operation, request);
}

/** A message may be checked before the template's id is known. The name passes the same checks. */
function requestOf({ chatId, content, templateId }: Posting) {
  const { operation, request } = asOperation(chatId, content);
  return { operation, request: { ...request, ...present({ templateId }) } as OperationRequest<SendOperation> };
}
