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

/** The fields of every notification. */
const envelope = {
  instanceData: part({
    /** May be a number or a string. */
    idInstance: z.union([z.number(), z.string()]).transform(String).optional().catch(undefined),
  }),
  timestamp,
};

const aMessage = {
  ...envelope,
  idMessage: id,
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
};

const notificationSchema = z.discriminatedUnion('typeWebhook', [
  z.object({
    typeWebhook: z.literal('outgoingMessageStatus'),
    ...envelope,
    chatId: id,
    idMessage: id,
    status: enumWord,
    description: anyText,
  }),
  z.object({ typeWebhook: z.literal('outgoingAPIMessageReceived'), ...aMessage }),
  z.object({ typeWebhook: z.literal('outgoingMessageReceived'), ...aMessage }),
  z.object({ typeWebhook: z.literal('incomingMessageReceived'), ...aMessage }),
  // The document has it as a message type inside the three types above. It is also accepted as a separate type.
  z.object({ typeWebhook: z.literal('editedMessage'), ...aMessage }),
  z.object({ typeWebhook: z.literal('deletedMessage'), ...aMessage }),
  z.object({ typeWebhook: z.literal('stateInstanceChanged'), ...envelope, stateInstance: enumWord }),
  z.object({ typeWebhook: z.literal('statusInstanceChanged'), ...envelope, statusInstance: enumWord }),
  z.object({ typeWebhook: z.literal('deviceInfo'), ...envelope }),
  z.object({ typeWebhook: z.literal('incomingCall'), ...envelope, idMessage: anyText, from: anyText }),
  z.object({ typeWebhook: z.literal('incomingBlock'), ...envelope, chatId: anyText }),
  z.object({ typeWebhook: z.literal('quotaExceeded'), ...envelope }),
]);

/** An unknown type. A longer text is not a type. */
const anyKind = z.object({ typeWebhook: z.string().min(1).max(LONGEST_GATEWAY_VALUE), ...envelope });

export type Notification = z.output<typeof notificationSchema>;
type MessageNotification = Extract<Notification, { messageData?: unknown }>;

export type ParsedNotification =
  | { readonly is: 'known'; readonly notification: Notification }
  | { readonly is: 'unknown_kind'; readonly notification: z.output<typeof anyKind> }
  | { readonly is: 'malformed' };

/** @param body  the parsed JSON, or the text of a body that is not JSON */
export function parseNotification(body: unknown): ParsedNotification {
  const known = notificationSchema.safeParse(body);
  if (known.success) return { is: 'known', notification: known.data };
  const other = anyKind.safeParse(body);
  return other.success ? { is: 'unknown_kind', notification: other.data } : { is: 'malformed' };
}

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
