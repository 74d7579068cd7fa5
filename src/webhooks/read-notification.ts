/**
 * The gateway's notifications by `typeWebhook`, and what each of them means. The schemas have the fields that are used,
 * and are lenient: other fields are ignored, and a missing or invalid field is undefined, never an error. A body is a
 * notification if it is an object with a type.
 */
import { z } from 'zod';
import { LONGEST_GATEWAY_ID, LONGEST_GATEWAY_VALUE, gatewayTimeMs, isRecord, present } from '../contract/index.js';
import { messageText, readChatId } from '../domain/index.js';
import type { KnownLid, Oddity, Receipt } from '../ledger/index.js';

const anyText = z.string().min(1).optional().catch(undefined);

/** A part of the body; undefined if it is invalid. */
function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/** The unchanged value, which {@link gatewayTimeMs} parses. */
const timestamp = z.union([z.number(), z.string()]).optional().catch(undefined);

/** A longer text is not an id or chat of the gateway, and is too long for an index of the ledger. */
const id = z.string().min(1).max(LONGEST_GATEWAY_ID).optional().catch(undefined);
/** Some gateways show a number without its domain, also as a JSON number. */
const chat = z
  .union([z.number().transform(String), z.string().min(1).max(LONGEST_GATEWAY_ID)])
  .optional()
  .catch(undefined);
/** An enum value, e.g. a state. */
const enumWord = z.string().min(1).max(LONGEST_GATEWAY_VALUE).optional().catch(undefined);

/** The fields of all types. */
const notificationSchema = z.object({
  /** A longer text is not a type. */
  typeWebhook: z.string().min(1).max(LONGEST_GATEWAY_VALUE),
  instanceData: part({
    /** May be a number or a string. */
    idInstance: z.union([z.number(), z.string()]).transform(String).optional().catch(undefined),
    /** The account's own chat. */
    wid: chat,
  }),
  timestamp,
  idMessage: id,
  chatId: chat,
  /** The caller, in `incomingCall`. */
  from: chat,
  status: enumWord,
  description: anyText,
  stateInstance: enumWord,
  statusInstance: enumWord,
  senderData: part({
    chatId: chat,
    sender: chat,
    /** The alternate id of the sender, or the sender's number, beside the other of the two. */
    senderLid: chat,
    senderPhoneNumber: chat,
  }),
  /** Keeps its other fields, which {@link messageText} searches. */
  messageData: z
    .looseObject({
      typeMessage: anyText,
      /** The id of the original message that was edited or deleted. */
      editedMessageData: part({ textMessage: anyText, caption: anyText, stanzaId: id }),
      deletedMessageData: part({ stanzaId: id }),
    })
    .optional()
    .catch(undefined),
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
  | {
      readonly kind: 'incoming';
      readonly message: IncomingMessage;
      /** Its type, if this version does not know it. Its text is read nevertheless. */
      readonly unknownType?: string;
    }
  /** A change of the account, possible late evidence, or a notification that is only counted. */
  | { readonly kind: 'noted'; readonly what: string }
  | { readonly kind: 'ignored'; readonly why: Exclude<Oddity, 'cut' | 'unknown_message_type'> };

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
 * @param notification  undefined if it is malformed
 * @param receivedAtMs  replaces a timestamp that is missing or impossible
 */
export function readNotification(
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

/** A message that a recipient wrote to the account. */
export interface IncomingMessage {
  /** The instance's name in everpost. */
  readonly instance: string;
  /** The gateway's id. A message may have several notifications. */
  readonly idMessage: string;
  /** The direct chat or the group, in the contract's form. */
  readonly chatId: string;
  /** What the notification shows about lids: two ids of one recipient. */
  readonly lids: readonly KnownLid[];
  /** The text that the recipient typed or chose. */
  readonly text?: string;
  /** The gateway's id of the message that it quotes, or whose button, row or option was chosen. */
  readonly quotedId?: string;
  /** A reaction to a message, e.g. an emoji. */
  readonly isReaction?: true;
  /** The time of the message by the gateway's clock, or by ours if it has none. */
  readonly atMs: number;
  /** When the notification arrived, by our clock. */
  readonly receivedAtMs: number;
}

/** Chats that are no recipients: lists, channels, and statuses of contacts. */
const NO_RECIPIENT = /@(?:broadcast|newsletter)$/i;

/** A message without a chat or an id cannot be used. */
function readIncoming(notification: Notification, arrival: Arrival): Reading {
  const { idMessage, senderData, messageData } = notification;
  const { typeMessage = '' } = messageData ?? {};
  // Recipients also edit and delete their own messages.
  if (typeMessage === 'editedMessage' || typeMessage === 'deletedMessage') return noted(notification);
  if (idMessage === undefined || senderData?.chatId === undefined) return INCOMPLETE;
  if (NO_RECIPIENT.test(senderData.chatId)) return noted(notification);
  const chatId = readChatId(senderData.chatId);
  if (chatId === undefined) return { kind: 'ignored', why: 'unreadable_chat' };
  const { text, isUnknownType } = messageText(typeMessage, messageData ?? {});
  const message = {
    ...arrival,
    idMessage,
    chatId,
    lids: lidsOf(notification, chatId),
    ...present({ text, quotedId: quotedIdOf(messageData ?? {}) }),
    ...(typeMessage === 'reactionMessage' ? { isReaction: true as const } : {}),
  };
  if (!isUnknownType || text === undefined) return { kind: 'incoming', message };
  return { kind: 'incoming', message, unknownType: typeMessage.slice(0, LONGEST_GATEWAY_VALUE) || 'none' };
}

/** Every object of the message's data may name the message that it refers to; that of a quote decides. */
function quotedIdOf({ quotedMessage, ...others }: Readonly<Record<string, unknown>>): string | undefined {
  return [quotedMessage, ...Object.values(others)].flatMap((data) =>
    isRecord(data) ? (id.parse(data['stanzaId']) ?? []) : [],
  )[0];
}

/**
 * The pairs of a number and a lid that surely belong to one recipient. In a direct chat these are the chat and the
 * sender; if both are numbers, the sender may be another one. A message from the account itself shows its own number.
 */
function lidsOf({ instanceData, senderData = {} }: Notification, chatId: string): KnownLid[] {
  const { sender, senderLid, senderPhoneNumber } = senderData;
  const [own, ...ofSender] = [instanceData?.wid, sender, senderLid, senderPhoneNumber].map((shown) =>
    shown === undefined ? undefined : readChatId(shown),
  );
  const isDirect = !chatId.endsWith('@g.us');
  const ids = [isDirect ? chatId : undefined, ...ofSender].flatMap((one) =>
    one === undefined || one === own ? [] : [one],
  );
  const lid = ids.find((one) => one.endsWith('@lid'));
  const ofNumber = ids.find((one) => one.endsWith('@c.us'));
  return lid === undefined || ofNumber === undefined ? [] : [{ lid, chatId: ofNumber }];
}
