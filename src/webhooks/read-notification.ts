/**
 * The gateway's notifications by `typeWebhook`, and what each of them means. The schemas have the fields that are used,
 * and are lenient: other fields are ignored, and a missing or invalid field is undefined, never an error. A body is a
 * notification if it is an object with a type.
 */
import { z } from 'zod';
import { LONGEST_GATEWAY_ID, LONGEST_GATEWAY_VALUE, gatewayTimeMs, present } from '../contract/index.js';
import type { Oddity, Receipt } from '../ledger/index.js';

const anyText = z.string().min(1).optional().catch(undefined);

/** A part of the body; undefined if it is invalid. */
function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/** The unchanged value, which {@link gatewayTimeMs} parses. */
const timestamp = z.union([z.number(), z.string()]).optional().catch(undefined);

/** A longer text is not an id or chat of the gateway, and is too long for an index of the ledger. */
const id = z.string().min(1).max(LONGEST_GATEWAY_ID).optional().catch(undefined);
/** An enum value, e.g. a state. */
const enumWord = z.string().min(1).max(LONGEST_GATEWAY_VALUE).optional().catch(undefined);

/** The fields of all types. */
const notificationSchema = z.object({
  /** A longer text is not a type. */
  typeWebhook: z.string().min(1).max(LONGEST_GATEWAY_VALUE),
  instanceData: part({
    /** May be a number or a string. */
    idInstance: z.union([z.number(), z.string()]).transform(String).optional().catch(undefined),
  }),
  timestamp,
  idMessage: id,
  chatId: id,
  /** The caller, in `incomingCall`. */
  from: id,
  status: enumWord,
  description: anyText,
  stateInstance: enumWord,
  statusInstance: enumWord,
  senderData: part({ chatId: id, sender: id, senderName: anyText, senderContactName: anyText }),
  messageData: part({
    typeMessage: anyText,
    textMessageData: part({ textMessage: anyText }),
    extendedTextMessageData: part({ text: anyText }),
    fileMessageData: part({ caption: anyText }),
    /** The text of the button or list line that the recipient chose. */
    templateButtonReplyMessage: part({ selectedDisplayText: anyText }),
    buttonsResponseMessage: part({ selectedButtonText: anyText }),
    listResponseMessage: part({ title: anyText }),
    /** The id of the original message that was edited or deleted. */
    editedMessageData: part({ textMessage: anyText, caption: anyText, stanzaId: id }),
    deletedMessageData: part({ stanzaId: id }),
  }),
});

export type Notification = z.output<typeof notificationSchema>;

/**
 * @param body  the parsed JSON, or the text of a body that is not JSON
 * @returns undefined if it is malformed
 */
export function parseNotification(body: unknown): Notification | undefined {
  return notificationSchema.safeParse(body).data;
}

/** The meaning of a notification, or the reason to ignore it. */
export type Reading =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'incoming'; readonly message: IncomingMessage }
  /** A change of the account, possible late evidence, or a notification that is only counted. */
  | { readonly kind: 'noted'; readonly what: string }
  | { readonly kind: 'ignored'; readonly why: Exclude<Oddity, 'cut'> };

/** The recipient of a notification. */
export interface Recipient {
  readonly instance: string;
  /** The configured instance's id, if known. A notification for another id has a wrong address. */
  readonly idInstance: string | undefined;
}

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
export function readParsed(
  notification: Notification | undefined,
  receivedAtMs: number,
  { instance, idInstance }: Recipient,
): Reading {
  if (notification === undefined) return { kind: 'ignored', why: 'malformed' };
  const sender = notification.instanceData?.idInstance;
  // A notification without an id belongs to the instance of its address.
  if (idInstance !== undefined && sender !== undefined && sender !== idInstance) {
    return { kind: 'ignored', why: 'another_instance' };
  }
  const atMs = gatewayTimeMs(notification.timestamp, receivedAtMs) ?? receivedAtMs;
  const read = TYPES.get(notification.typeWebhook);
  return read?.(notification, { instance, atMs, receivedAtMs }) ?? { kind: 'ignored', why: 'unknown_kind' };
}

type Arrival = Pick<IncomingMessage, 'instance' | 'atMs' | 'receivedAtMs'>;

/** The known types. */
const TYPES: ReadonlyMap<string, (notification: Notification, arrival: Arrival) => Reading> = new Map([
  ['outgoingMessageStatus', readStatus],
  ['outgoingAPIMessageReceived', readChange],
  ['outgoingMessageReceived', readChange],
  // The document has these two as message types inside the other types. They are also accepted as separate types.
  ['editedMessage', readChange],
  ['deletedMessage', readChange],
  ['incomingMessageReceived', readIncoming],
  [
    'stateInstanceChanged',
    (notification) => (notification.stateInstance === undefined ? INCOMPLETE : noted(notification)),
  ],
  ['statusInstanceChanged', noted],
  ['deviceInfo', noted],
  ['incomingCall', noted],
  ['incomingBlock', noted],
  ['quotaExceeded', noted],
]);

export function isKnownType(typeWebhook: string): boolean {
  return TYPES.has(typeWebhook);
}

const INCOMPLETE: Reading = { kind: 'ignored', why: 'incomplete' };

function noted({ typeWebhook: what }: Notification): Reading {
  return { kind: 'noted', what };
}

function readStatus(notification: Notification, { atMs }: Arrival): Reading {
  const { idMessage, status: word = '', description: given } = notification;
  if (idMessage === undefined) return INCOMPLETE;
  const of = { idMessage, atMs, ...present({ description: given }) };
  if (word === 'yellowCard') return { kind: 'receipt', receipt: { kind: 'remark', what: word, ...of } };
  const status = STATUS.get(word);
  if (status === undefined) return noted(notification);
  if (word === status || word === 'noAccount') return { kind: 'receipt', receipt: { kind: 'status', status, ...of } };
  const description = given === undefined ? word : `${word}: ${given}`;
  return { kind: 'receipt', receipt: { kind: 'status', status, ...of, description } };
}

/** Reads an edit or a deletion of a message that the account sent. */
function readChange(notification: Notification, { atMs }: Arrival): Reading {
  const { typeWebhook, idMessage, messageData } = notification;
  const change = messageData?.typeMessage ?? typeWebhook;
  const { stanzaId: edited, textMessage, caption } = messageData?.editedMessageData ?? {};
  const text = textMessage ?? caption;
  if (change === 'editedMessage' && idMessage !== undefined && edited !== undefined && text !== undefined) {
    return { kind: 'receipt', receipt: { kind: 'edited', originalIdMessage: edited, idMessage, text, atMs } };
  }
  const deleted = messageData?.deletedMessageData?.stanzaId;
  if (change !== 'deletedMessage' || deleted === undefined) return noted(notification);
  return { kind: 'receipt', receipt: { kind: 'remark', what: 'deleted', idMessage: deleted, atMs } };
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

/** A message without a chat or an id cannot be used. */
function readIncoming(notification: Notification, arrival: Arrival): Reading {
  const { idMessage, senderData: { chatId, sender: senderId, ...sender } = {}, messageData } = notification;
  const { typeMessage = '' } = messageData ?? {};
  // Contacts also edit and delete their own messages.
  if (typeMessage === 'editedMessage' || typeMessage === 'deletedMessage') return noted(notification);
  if (idMessage === undefined || chatId === undefined) return INCOMPLETE;
  const senderName = sender.senderName ?? sender.senderContactName;
  const text =
    messageData?.textMessageData?.textMessage ??
    messageData?.extendedTextMessageData?.text ??
    messageData?.fileMessageData?.caption ??
    messageData?.templateButtonReplyMessage?.selectedDisplayText ??
    messageData?.buttonsResponseMessage?.selectedButtonText ??
    messageData?.listResponseMessage?.title;
  const shown = present({ senderId, senderName, text });
  return { kind: 'incoming', message: { ...arrival, idMessage, chatId, typeMessage, ...shown } };
}
