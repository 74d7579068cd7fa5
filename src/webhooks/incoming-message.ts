/** A message that somebody wrote to the account. */
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
  /** What the person wrote, or the words of the button that was pressed. */
  readonly text?: string;
  /** When, by the gateway's clock; by ours where it says nothing. */
  readonly atMs: number;
}

/** Where each kind has its words, as field of messageData and field in it. */
const WORDS: readonly (readonly [string, string])[] = [
  ['textMessageData', 'textMessage'],
  ['extendedTextMessageData', 'text'],
  ['templateButtonReplyMessage', 'selectedDisplayText'],
  ['buttonsResponseMessage', 'selectedButtonText'],
  ['listResponseMessage', 'title'],
];

/** @returns undefined when the notification is no incoming message, or names no chat or no id */
export function readIncoming(instance: string, body: unknown, atMs: number): IncomingMessage | undefined {
  if (at(body, 'typeWebhook') !== 'incomingMessageReceived') return undefined;
  const [senderData, messageData] = [at(body, 'senderData'), at(body, 'messageData')];
  const [idMessage, chatId] = [textAt(body, 'idMessage'), textAt(senderData, 'chatId')];
  if (idMessage === undefined || chatId === undefined) return undefined;
  const text = WORDS.map(([part, field]) => textAt(at(messageData, part), field)).find((words) => words !== undefined);
  const [senderId, senderName] = [textAt(senderData, 'sender'), textAt(senderData, 'senderName')];
  return {
    instance,
    idMessage,
    chatId,
    ...(senderId === undefined ? {} : { senderId }),
    ...(senderName === undefined ? {} : { senderName }),
    typeMessage: textAt(messageData, 'typeMessage') ?? '',
    ...(text === undefined ? {} : { text }),
    atMs,
  };
}

function at(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}

function textAt(value: unknown, field: string): string | undefined {
  const text = at(value, field);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
