import { AppError, linkToCheck, type MessageContent, type SendOperation } from '../../contract/index.js';
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
  return withOperation(posting, (name, request) => gateway.call(posting.instance, name, request, options));
}

/**
 * Checks a message against every limit without sending it.
 * @throws AppError INPUT_INVALID or INPUT_TOO_LARGE with all problems at once
 */
export function checkMessage(gateway: Gateway, posting: Posting): void {
  withOperation(posting, (name, request) => gateway.check(name, request));
}

type UseOperation<Result> = <Name extends SendOperation>(name: Name, request: OperationRequest<Name>) => Result;

function withOperation<Result>({ chatId, content, templateId }: Posting, use: UseOperation<Result>): Result {
  switch (content.kind) {
    case 'text': {
      const { kind, text, ...rest } = content;
      return use('sendMessage', { chatId: chatOf(chatId, kind), message: text, ...rest });
    }
    case 'file': {
      const { kind, url: _, fileId: _fileId, ...rest } = content;
      return use('sendFileByUrl', { chatId: chatOf(chatId, kind), urlFile: linkToCheck(content), ...rest });
    }
    case 'status': {
      const { kind: _, text, participants, ...rest } = content;
      const seenBy = participants === undefined ? {} : { participants: [...participants] };
      return use('sendTextStatus', { message: text, ...rest, ...seenBy });
    }
    case 'poll': {
      const { kind, options: choices, ...rest } = content;
      const request = { chatId: chatOf(chatId, kind), ...rest, options: [...choices] };
      return use('sendPoll', request);
    }
    case 'location': {
      const { kind, ...rest } = content;
      return use('sendLocation', { chatId: chatOf(chatId, kind), ...rest });
    }
    case 'contact': {
      const { kind, ...rest } = content;
      return use('sendContact', { chatId: chatOf(chatId, kind), ...rest });
    }
    case 'forward': {
      const { kind, messages, ...rest } = content;
      const request = { chatId: chatOf(chatId, kind), ...rest, messages: [...messages] };
      return use('forwardMessages', request);
    }
    case 'template': {
      const { kind, elementName, templateId: given, params } = content;
      // A message may be checked before the template's id is known. The name passes the same checks.
      const request = { chatId: chatOf(chatId, kind), templateId: templateId ?? given ?? elementName ?? '' };
      return use('sendTemplate', { ...request, ...(params === undefined ? {} : { params: [...params] }) });
    }
  }
}

function chatOf(chatId: string | undefined, kind: MessageContent['kind']): string {
  if (chatId === undefined) throw new AppError('INPUT_INVALID', `A message of kind ${kind} has no chat. Give "to".`);
  return chatId;
}
