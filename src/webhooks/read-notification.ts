import { gatewayTimeMs, present } from '../contract/index.js';
import type { Oddity, Receipt } from '../ledger/index.js';
import {
  parseNotification,
  type MessageNotification,
  type Notification,
  type ParsedNotification,
} from './notification.js';

/** The meaning of a notification, or the reason to ignore it. */
export type Reading =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'incoming'; readonly message: IncomingMessage }
  /** A change of the account, possible late evidence, or a notification that is only counted. */
  | { readonly kind: 'noted'; readonly what: Notification['typeWebhook'] }
  | { readonly kind: 'ignored'; readonly why: Exclude<Oddity, 'cut'> };

/** The recipient of a notification. */
export interface Recipient {
  readonly instance: string;
  /** The configured instance's id, if known. A notification for another id has a wrong address. */
  readonly idInstance: string | undefined;
}

type StatusNotification = Extract<Notification, { typeWebhook: 'outgoingMessageStatus' }>;

/**
 * Statuses of outgoingMessageStatus that end or advance a message. Two are left out on purpose: `yellowCard` concerns
 * the account, and an empty status, which gateways send, has no meaning.
 */
const STATUS: ReadonlyMap<string, 'sent' | 'delivered' | 'read' | 'failed' | 'no_account'> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['failed', 'failed'],
  ['noAccount', 'no_account'],
  ['notInGroup', 'failed'],
  // A status of the official business API: the customer's 24-hour window is closed.
  ['noActiveSession', 'failed'],
]);

/**
 * Parses a notification leniently; never throws.
 * @param body  the parsed JSON, or the text of a body that is not JSON
 * @param receivedAtMs  replaces a timestamp that is missing or impossible
 */
export function readNotification(body: unknown, receivedAtMs: number, recipient: Recipient): Reading {
  return readParsed(parseNotification(body), receivedAtMs, recipient);
}

/** Like {@link readNotification}, for a parsed notification. */
export function readParsed(parsed: ParsedNotification, receivedAtMs: number, recipient: Recipient): Reading {
  if (parsed.is === 'malformed') return { kind: 'ignored', why: 'malformed' };
  const sender = parsed.notification.instanceData?.idInstance;
  // A notification without an id belongs to the instance of its address.
  if (recipient.idInstance !== undefined && sender !== undefined && sender !== recipient.idInstance) {
    return { kind: 'ignored', why: 'another_instance' };
  }
  if (parsed.is === 'unknown_kind') return { kind: 'ignored', why: 'unknown_kind' };
  const { notification } = parsed;
  return readKnown(notification, receivedAtMs, recipient.instance);
}

function readKnown(notification: Notification, receivedAtMs: number, instance: string): Reading {
  const atMs = gatewayTimeMs(notification.timestamp, receivedAtMs) ?? receivedAtMs;
  const what = notification.typeWebhook;
  switch (what) {
    case 'outgoingMessageStatus': {
      if (notification.idMessage === undefined) return INCOMPLETE;
      return asReceipt(readStatus(notification.idMessage, notification, atMs)) ?? { kind: 'noted', what };
    }
    case 'outgoingAPIMessageReceived':
    case 'outgoingMessageReceived':
    case 'editedMessage':
    case 'deletedMessage':
      return asReceipt(readChange(notification, atMs)) ?? { kind: 'noted', what };
    case 'incomingMessageReceived': {
      // Contacts also edit and delete their own messages.
      if (isChange(notification)) return { kind: 'noted', what };
      const message = readIncoming(instance, notification, { atMs, receivedAtMs });
      return message === undefined ? INCOMPLETE : { kind: 'incoming', message };
    }
    case 'stateInstanceChanged':
      return notification.stateInstance === undefined ? INCOMPLETE : { kind: 'noted', what };
    case 'statusInstanceChanged':
    case 'deviceInfo':
    case 'incomingCall':
    case 'incomingBlock':
    case 'quotaExceeded':
      return { kind: 'noted', what };
  }
}

const INCOMPLETE: Reading = { kind: 'ignored', why: 'incomplete' };

function asReceipt(receipt: Receipt | undefined): Reading | undefined {
  return receipt && { kind: 'receipt', receipt };
}

function readStatus(
  idMessage: string,
  { status: word = '', description: given }: StatusNotification,
  atMs: number,
): Receipt | undefined {
  const of = given === undefined ? { idMessage, atMs } : { idMessage, atMs, description: given };
  if (word === 'yellowCard') return { kind: 'remark', what: word, ...of };
  const status = STATUS.get(word);
  if (status === undefined) return undefined;
  if (word === status || word === 'noAccount') return { kind: 'status', status, ...of };
  return { kind: 'status', status, ...of, description: given === undefined ? word : `${word}: ${given}` };
}

function isChange({ messageData }: MessageNotification): boolean {
  return messageData?.typeMessage === 'editedMessage' || messageData?.typeMessage === 'deletedMessage';
}

/** Reads an edit or a deletion of a message that the account sent. */
function readChange({ typeWebhook, idMessage, messageData }: MessageNotification, atMs: number): Receipt | undefined {
  const change = messageData?.typeMessage ?? typeWebhook;
  if (change === 'editedMessage') {
    const { stanzaId: originalIdMessage, textMessage, caption } = messageData?.editedMessageData ?? {};
    const text = textMessage ?? caption;
    if (idMessage === undefined || originalIdMessage === undefined || text === undefined) return undefined;
    return { kind: 'edited', originalIdMessage, idMessage, text, atMs };
  }
  const deleted = change === 'deletedMessage' ? messageData?.deletedMessageData?.stanzaId : undefined;
  return deleted === undefined ? undefined : { kind: 'remark', what: 'deleted', idMessage: deleted, atMs };
}

/** A message that a contact wrote to the account. */
export interface IncomingMessage {
  /** The instance's name in everpost. */
  readonly instance: string;
  /** The gateway's id. A message may have several notifications. */
  readonly idMessage: string;
  readonly chatId: string;
  /** Differs from the chat in a group. */
  readonly senderId?: string;
  readonly senderName?: string;
  /** The type in notifications: `textMessage`, `imageMessage`, … */
  readonly typeMessage: string;
  /** The recipient's text: a text message, the caption of a file, or the text of a pressed button. */
  readonly text?: string;
  /** The time of the message by the gateway's clock, or by ours if it has none. */
  readonly atMs: number;
  /** When the notification arrived, by our clock. */
  readonly receivedAtMs: number;
}

/** @returns undefined without a chat or an id, since the message cannot be used then */
function readIncoming(
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
