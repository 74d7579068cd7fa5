import { createHash, type Hash } from 'node:crypto';
import {
  present,
  type InstanceDirectory,
  wellFormedJson,
  type EventType,
  parseJson,
  wellFormed,
} from '../contract/index.js';
import { readChatId } from '../domain/index.js';
import type { Oddity } from '../ledger/index.js';
import type { ReceiverOptions } from './options.js';
import {
  isKnownType,
  parseNotification,
  readNotification,
  type Notification,
  type Recipient,
} from './read-notification.js';

/**
 * Stores a raw notification, pushed or fetched, before it is parsed. Resolves when it is durable. The same body of the
 * same instance is stored once.
 * @returns whether an event was recorded with the notification
 * @throws AppError LEDGER_UNAVAILABLE
 */
export async function storeNotification(
  { ledger, instances, clock }: Pick<ReceiverOptions, 'ledger' | 'instances' | 'clock'>,
  instance: string,
  body: unknown,
  { isCut, bytes, contentType }: Pick<RawNotification, 'isCut' | 'bytes'> & { readonly contentType?: string },
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const notification = parseNotification(body);
  const reading = readNotification(notification, nowMs, recipientOf(instances, instance));
  const oddType = reading.kind === 'incoming' && !isCut ? reading.unknownType : undefined;
  const unknownType = oddType === undefined ? undefined : 'unknown_message_type';
  const oddity: Oddity | undefined = isCut ? 'cut' : reading.kind === 'ignored' ? reading.why : unknownType;
  const chatId = reading.kind === 'ignored' ? undefined : chatOf(notification);
  const isSame = bytes === undefined || Buffer.from(wellFormedJson(JSON.stringify(body))).equals(bytes);
  const event = {
    type: typeOf(notification),
    key: (notification && keyOf(notification)) ?? ACCOUNT_KEY,
    ...present({
      raw: isSame ? undefined : bytes,
      contentType: contentType === JSON_TYPE ? undefined : contentType,
    }),
  };
  const facts = { ...present({ kind: notification?.typeWebhook, oddity, oddType, chatId }), event };
  return (await ledger.receipts.store(instance, body, nowMs, facts)).hasEvents;
}

/** The ordering key of events without a chat or message. */
const ACCOUNT_KEY = 'instance';
const JSON_TYPE = 'application/json';

/** What the timeline of a contact shows. */
const IN_TIMELINES: readonly string[] = ['incomingMessageReceived', 'incomingCall', 'outgoingMessageReceived'];

function chatOf(notification: Notification | undefined): string | undefined {
  const { typeWebhook = '', senderData, from } = notification ?? {};
  const shown = senderData?.chatId ?? from;
  return shown === undefined || !IN_TIMELINES.includes(typeWebhook) ? undefined : readChatId(shown);
}

/** The recipient of a notification. An instance that is no longer configured may still send notifications. */
export function recipientOf(instances: InstanceDirectory, instance: string): Recipient {
  const idInstance = instances.names().includes(instance) ? instances.get(instance).idInstance : undefined;
  return { instance, idInstance };
}

function typeOf(notification: Notification | undefined): EventType {
  if (notification?.typeWebhook === 'incomingCall') return 'call.received';
  if (notification?.typeWebhook !== 'incomingMessageReceived') return 'notification.received';
  return notification.messageData?.typeMessage === 'reactionMessage' ? 'reaction.received' : 'message.received';
}

/** The ordering key of an event: the chat, so that its events are delivered in order, else the message. */
function keyOf({ typeWebhook, senderData, chatId, from, idMessage }: Notification): string | undefined {
  if (!isKnownType(typeWebhook)) return undefined;
  const shown = senderData?.chatId ?? chatId ?? from;
  return shown === undefined ? idMessage : (readChatId(shown) ?? shown);
}

/** A notification as it arrives: complete, or in pieces. */
export type RawBody = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface RawNotification {
  readonly body: unknown;
  readonly isCut: boolean;
  /** The raw bytes. Absent if the notification is too large to be delivered as an event. */
  readonly bytes?: Uint8Array;
}

/**
 * A larger notification is stored truncated. The documents name no limit. The gateway's largest notifications contain a
 * preview of a picture.
 */
export const KEPT_WHOLE_BYTES = 1024 * 1024;
/** A larger notification is not delivered as an event. */
const PASSED_ON_BYTES = 8 * 1024 * 1024;
/** How much of the beginning of a truncated notification is stored. */
const BEGINNING_BYTES = 64 * 1024;
/** The rest of a larger body is not read, and the sender gets the response early. */
const READ_AT_MOST_BYTES = 100 * 1024 * 1024;

/**
 * Reads a notification and never refuses it. A body that is not JSON is stored as text, a body that is too large as its
 * beginning, size and hash. Characters that the ledger cannot store are replaced.
 */
export async function readRawBody(raw: RawBody): Promise<RawNotification> {
  const kept: Uint8Array[] = [];
  let hash: Hash | undefined;
  let sizeBytes = 0;
  for await (const chunk of raw instanceof Uint8Array ? [raw] : raw) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= PASSED_ON_BYTES || hash === undefined) kept.push(chunk);
    if (hash !== undefined) hash.update(chunk);
    else if (sizeBytes > KEPT_WHOLE_BYTES) hash = createHash('sha256').update(Buffer.concat(kept));
    if (sizeBytes > READ_AT_MOST_BYTES) break;
  }
  const bytes = Buffer.concat(kept);
  if (hash === undefined) {
    const text = textOf(bytes);
    try {
      return { body: parseJson(wellFormedJson(text)), isCut: false, bytes };
    } catch {
      return { body: text, isCut: false, bytes };
    }
  }
  const beginning = textOf(bytes.subarray(0, BEGINNING_BYTES));
  const cut = { body: { sizeBytes, sha256: hash.digest('hex'), beginning }, isCut: true };
  return sizeBytes > PASSED_ON_BYTES ? cut : { ...cut, bytes };
}

function textOf(bytes: Uint8Array): string {
  return wellFormed(new TextDecoder().decode(bytes));
}
