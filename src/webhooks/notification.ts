/**
 * The schemas of the gateway's notifications, by `typeWebhook`. They are lenient: unknown fields are ignored, and a
 * missing or invalid field is undefined, never an error. A body is a notification if it is an object with a type.
 */
import { z } from 'zod';
import { LONGEST_GATEWAY_ID, LONGEST_GATEWAY_VALUE } from '../contract/index.js';

const text = z.string().min(1).optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

/** A part of the body; undefined if it is invalid. */
function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/** The unchanged value, which {@link gatewayTimeMs} parses. */
const timestamp = z.union([z.number(), z.string()]).optional().catch(undefined);

/** A longer text is not an id or chat of the gateway, and is too long for an index of the ledger. */
const id = z.string().min(1).max(LONGEST_GATEWAY_ID).optional().catch(undefined);
/** An enum value, e.g. a state. */
const word = z.string().min(1).max(LONGEST_GATEWAY_VALUE).optional().catch(undefined);

/** The fields of every notification. */
const envelope = {
  instanceData: part({
    /** May be a number or a string. */
    idInstance: z.union([z.number(), z.string()]).transform(String).optional().catch(undefined),
    wid: text,
    typeInstance: text,
  }),
  timestamp,
};

const messageData = part({
  typeMessage: text,
  textMessageData: part({ textMessage: text }),
  extendedTextMessageData: part({ text }),
  fileMessageData: part({ caption: text }),
  /** The text of the button or list line that the recipient chose. */
  templateButtonReplyMessage: part({ selectedDisplayText: text }),
  buttonsResponseMessage: part({ selectedButtonText: text }),
  listResponseMessage: part({ title: text }),
  /** The id of the original message that was edited or deleted. */
  editedMessageData: part({ textMessage: text, caption: text, stanzaId: id }),
  deletedMessageData: part({ stanzaId: id }),
});

const aMessage = {
  ...envelope,
  idMessage: id,
  senderData: part({ chatId: id, sender: id, chatName: text, senderName: text, senderContactName: text }),
  messageData,
};

const notificationSchema = z.discriminatedUnion('typeWebhook', [
  z.object({
    typeWebhook: z.literal('outgoingMessageStatus'),
    ...envelope,
    chatId: id,
    idMessage: id,
    status: word,
    sendByApi: flag,
    description: text,
  }),
  z.object({ typeWebhook: z.literal('outgoingAPIMessageReceived'), ...aMessage }),
  z.object({ typeWebhook: z.literal('outgoingMessageReceived'), ...aMessage }),
  z.object({ typeWebhook: z.literal('incomingMessageReceived'), ...aMessage }),
  // The document has it as a message type inside the three types above. It is also accepted as a separate type.
  z.object({ typeWebhook: z.literal('editedMessage'), ...aMessage }),
  z.object({ typeWebhook: z.literal('deletedMessage'), ...aMessage }),
  z.object({ typeWebhook: z.literal('stateInstanceChanged'), ...envelope, stateInstance: word }),
  z.object({ typeWebhook: z.literal('statusInstanceChanged'), ...envelope, statusInstance: word }),
  z.object({ typeWebhook: z.literal('deviceInfo'), ...envelope }),
  z.object({ typeWebhook: z.literal('incomingCall'), ...envelope, idMessage: text, from: text, status: text }),
  z.object({ typeWebhook: z.literal('incomingBlock'), ...envelope, chatId: text, chatState: text }),
  z.object({
    typeWebhook: z.literal('quotaExceeded'),
    ...envelope,
    quotaData: part({ method: text, used: number, total: number, status: text, description: text }),
  }),
]);

/** An unknown type. A longer text is not a type. */
const anyKind = z.object({ typeWebhook: z.string().min(1).max(LONGEST_GATEWAY_VALUE), ...envelope });

export type Notification = z.output<typeof notificationSchema>;
export type MessageNotification = Extract<Notification, { messageData?: unknown }>;

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
