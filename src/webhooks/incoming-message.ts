import { present } from '../contract/index.js';
import type { MessageNotification } from './notification.js';

/** A message that a contact wrote to the account. */
export interface IncomingMessage {
  /** Our name of the account. */
  readonly instance: string;
  /** The gateway's id; the same message may be told more than once. */
  readonly idMessage: string;
  readonly chatId: string;
  /** Differs from the chat in a group. */
  readonly senderId?: string;
  readonly senderName?: string;
  /** As notifications name it: `textMessage`, `imageMessage`, … */
  readonly typeMessage: string;
  /** What the recipient wrote: a text, the caption of a file, or the words of the button that was pressed. */
  readonly text?: string;
  /** When, by the gateway's clock; by ours where it says nothing. */
  readonly atMs: number;
  /** When its notification came, by our clock. */
  readonly receivedAtMs: number;
}

/** @returns undefined where it names no chat or no id, so that nothing could be done about it */
export function readIncoming(
  instance: string,
  { idMessage, senderData, messageData }: MessageNotification,
  { atMs, receivedAtMs }: Pick<IncomingMessage, 'atMs' | 'receivedAtMs'>,
): IncomingMessage | undefined {
  const chatId = senderData?.chatId;
  if (idMessage === undefined || chatId === undefined) return undefined;
  const text =
    messageData?.textMessageData?.textMessage ??
    messageData?.extendedTextMessageData?.text ??
    messageData?.fileMessageData?.caption ??
    messageData?.templateButtonReplyMessage?.selectedDisplayText ??
    messageData?.buttonsResponseMessage?.selectedButtonText ??
    messageData?.listResponseMessage?.title;
  const senderName = senderData?.senderName ?? senderData?.senderContactName;
  return {
    instance,
    idMessage,
    chatId,
    ...(senderData?.sender === undefined ? {} : { senderId: senderData.sender }),
    ...present({ senderName }),
    typeMessage: messageData?.typeMessage ?? '',
    ...present({ text }),
    atMs,
    receivedAtMs,
  };
}
