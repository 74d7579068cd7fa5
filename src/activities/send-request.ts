import { AppError, type MessageContent, type SendOperation } from '../contract/index.js';
import type { OperationRequest } from '../gateway/index.js';

/** One gateway call that sends a message: the operation with the request it takes. */
export type SendCall = { [Name in SendOperation]: { operation: Name; request: OperationRequest<Name> } }[SendOperation];

/** Turns a message's content into the gateway call that sends it. Everything but `kind` keeps its value, and its absence. */
export function sendCall(chatId: string | undefined, content: MessageContent): SendCall {
  switch (content.kind) {
    case 'text': {
      const { kind: _, text, ...rest } = content;
      return { operation: 'sendMessage', request: { chatId: chatOf(chatId, content.kind), message: text, ...rest } };
    }
    case 'file': {
      const { kind: _, url, ...rest } = content;
      return { operation: 'sendFileByUrl', request: { chatId: chatOf(chatId, content.kind), urlFile: url, ...rest } };
    }
    case 'status': {
      const { kind: _, text, participants, ...rest } = content;
      return {
        operation: 'sendTextStatus',
        request: { message: text, ...rest, ...(participants === undefined ? {} : { participants: [...participants] }) },
      };
    }
  }
}

function chatOf(chatId: string | undefined, kind: string): string {
  if (chatId === undefined) throw new AppError('INPUT_INVALID', `A message of kind ${kind} has no chat. Give "to".`);
  return chatId;
}
