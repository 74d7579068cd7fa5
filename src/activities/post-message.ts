import { AppError, type MessageContent, type SendOperation } from '../contract/index.js';
import type { CallOptions, Gateway, GatewayAnswer } from '../gateway/index.js';

/** One message for one instance: what the send operations need to know. */
export interface Posting {
  readonly instance: string;
  /** Absent for a status, which goes to the account's contacts. */
  readonly chatId?: string;
  readonly content: MessageContent;
}

/**
 * Calls the one gateway operation that sends this kind of content. Everything but `kind` keeps its value, and its absence.
 * @throws AppError as {@link Gateway.call} does
 */
export async function postMessage(
  gateway: Gateway,
  { instance, chatId, content }: Posting,
  options: CallOptions<SendOperation>,
): Promise<GatewayAnswer<SendOperation>> {
  switch (content.kind) {
    case 'text': {
      const { kind, text, ...rest } = content;
      return gateway.call(instance, 'sendMessage', { chatId: chatOf(chatId, kind), message: text, ...rest }, options);
    }
    case 'file': {
      const { kind, url, ...rest } = content;
      return gateway.call(instance, 'sendFileByUrl', { chatId: chatOf(chatId, kind), urlFile: url, ...rest }, options);
    }
    case 'status': {
      const { kind: _, text, participants, ...rest } = content;
      const seenBy = participants === undefined ? {} : { participants: [...participants] };
      return gateway.call(instance, 'sendTextStatus', { message: text, ...rest, ...seenBy }, options);
    }
    case 'poll': {
      const { kind, options: choices, ...rest } = content;
      const request = { chatId: chatOf(chatId, kind), ...rest, options: [...choices] };
      return gateway.call(instance, 'sendPoll', request, options);
    }
    case 'location': {
      const { kind, ...rest } = content;
      return gateway.call(instance, 'sendLocation', { chatId: chatOf(chatId, kind), ...rest }, options);
    }
    case 'contact': {
      const { kind, ...rest } = content;
      return gateway.call(instance, 'sendContact', { chatId: chatOf(chatId, kind), ...rest }, options);
    }
    case 'forward': {
      const { kind, messages, ...rest } = content;
      const request = { chatId: chatOf(chatId, kind), ...rest, messages: [...messages] };
      return gateway.call(instance, 'forwardMessages', request, options);
    }
  }
}

function chatOf(chatId: string | undefined, kind: MessageContent['kind']): string {
  if (chatId === undefined) throw new AppError('INPUT_INVALID', `A message of kind ${kind} has no chat. Give "to".`);
  return chatId;
}
