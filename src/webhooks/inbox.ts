import { createHash, type Hash } from 'node:crypto';
import {
  present,
  type Clock,
  type InstanceDirectory,
  LONGEST_GATEWAY_ID,
  wellFormedJson,
  type EventType,
  parseJson,
  wellFormed,
} from '../contract/index.js';
import type { Ledger, NotificationFacts, NotificationEvent } from '../ledger/index.js';
import {
  parseNotification,
  readParsed,
  type Notification,
  type ParsedNotification,
  type Recipient,
} from './read-notification.js';

/**
 * Stores a raw notification, pushed or fetched, before it is parsed. Resolves when it is durable. The same body of the
 * same instance is stored once.
 * @returns whether an event was recorded with the notification
 * @throws AppError LEDGER_UNAVAILABLE
 */
export async function storeNotification(
  { ledger, instances, clock }: InboxDependencies,
  instance: string,
  body: unknown,
  { isCut, ...came }: CameAs & { readonly isCut: boolean },
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const parsed = parseNotification(body);
  const reading = readParsed(parsed, nowMs, recipientOf(instances, instance));
  const oddity = isCut ? 'cut' : reading.kind === 'ignored' ? reading.why : undefined;
  const facts: NotificationFacts = {
    ...(parsed.is === 'malformed' ? {} : { kind: parsed.notification.typeWebhook }),
    ...present({ oddity }),
    event: notificationEvent(parsed, body, came),
  };
  return (await ledger.receipts.store(instance, body, nowMs, facts)).hasEvents;
}

interface InboxDependencies {
  readonly ledger: Pick<Ledger, 'receipts'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
}

/** The recipient of a notification. An instance that is no longer configured may still send notifications. */
export function recipientOf(instances: InstanceDirectory, instance: string): Recipient {
  const idInstance = instances.names().includes(instance) ? instances.get(instance).idInstance : undefined;
  return { instance, idInstance };
}

/** The ordering key of events without a chat or message. */
const ACCOUNT_KEY = 'instance';
const JSON_TYPE = 'application/json';

const EVENT_OF: Readonly<Record<Notification['typeWebhook'], EventType>> = {
  incomingMessageReceived: 'message.received',
  incomingCall: 'call.received',
  outgoingMessageStatus: 'notification.received',
  outgoingAPIMessageReceived: 'notification.received',
  outgoingMessageReceived: 'notification.received',
  editedMessage: 'notification.received',
  deletedMessage: 'notification.received',
  stateInstanceChanged: 'notification.received',
  statusInstanceChanged: 'notification.received',
  deviceInfo: 'notification.received',
  incomingBlock: 'notification.received',
  quotaExceeded: 'notification.received',
};

/** A notification as it arrived. */
interface CameAs {
  readonly contentType?: string;
  readonly bytes?: Uint8Array;
}

/** The event of a notification, whether or not there are endpoints. */
function notificationEvent(parsed: ParsedNotification, body: unknown, came: CameAs): NotificationEvent {
  const { bytes, contentType = JSON_TYPE } = came;
  const isSame = bytes === undefined || Buffer.from(wellFormedJson(JSON.stringify(body))).equals(bytes);
  return {
    type: typeOf(parsed),
    key: shortKey(keyOf(parsed)),
    ...present({
      raw: isSame ? undefined : bytes,
      contentType: contentType === JSON_TYPE ? undefined : contentType,
    }),
  };
}

function typeOf(parsed: ParsedNotification): EventType {
  if (parsed.is !== 'known') return 'notification.received';
  const { notification } = parsed;
  const isReaction = 'messageData' in notification && notification.messageData?.typeMessage === 'reactionMessage';
  if (notification.typeWebhook === 'incomingMessageReceived' && isReaction) return 'reaction.received';
  return EVENT_OF[notification.typeWebhook];
}

/** Cuts a key. A longer text is not a chat id, and is too long for an index of the ledger. */
function shortKey(key: string | undefined): string {
  return key === undefined || key.length > LONGEST_GATEWAY_ID ? ACCOUNT_KEY : key;
}

/** The ordering key of an event: the chat, so that its events are delivered in order, else the message. */
function keyOf(parsed: ParsedNotification): string | undefined {
  if (parsed.is !== 'known') return undefined;
  const { notification } = parsed;
  switch (notification.typeWebhook) {
    case 'outgoingMessageStatus':
      return notification.chatId ?? notification.idMessage;
    case 'incomingCall':
      return notification.from ?? notification.idMessage;
    case 'incomingBlock':
      return notification.chatId;
    case 'outgoingAPIMessageReceived':
    case 'outgoingMessageReceived':
    case 'incomingMessageReceived':
    case 'editedMessage':
    case 'deletedMessage':
      return notification.senderData?.chatId ?? notification.idMessage;
    case 'stateInstanceChanged':
    case 'statusInstanceChanged':
    case 'deviceInfo':
    case 'quotaExceeded':
      return undefined;
  }
}

/** A notification as it arrives: complete, or in pieces. */
export type RawBody = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface ReadBody {
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
export async function readRawBody(raw: RawBody): Promise<ReadBody> {
  const kept: Uint8Array[] = [];
  let hash: Hash | undefined;
  let sizeBytes = 0;
  for await (const chunk of raw instanceof Uint8Array ? [raw] : raw) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= PASSED_ON_BYTES || hash === undefined) kept.push(chunk);
    if (hash !== undefined) hash.update(chunk);
    else if (sizeBytes > KEPT_WHOLE_BYTES) hash = hashOf(kept);
    if (sizeBytes > READ_AT_MOST_BYTES) break;
  }
  const bytes = Buffer.concat(kept);
  if (hash === undefined) return { body: parse(textOf(bytes)), isCut: false, bytes };
  const beginning = textOf(bytes.subarray(0, BEGINNING_BYTES));
  const cut = { body: { sizeBytes, sha256: hash.digest('hex'), beginning }, isCut: true };
  return sizeBytes > PASSED_ON_BYTES ? cut : { ...cut, bytes };
}

function hashOf(chunks: readonly Uint8Array[]): Hash {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash;
}

function textOf(bytes: Uint8Array): string {
  return wellFormed(new TextDecoder().decode(bytes));
}

function parse(text: string): unknown {
  try {
    return parseJson(wellFormedJson(text));
  } catch {
    return text;
  }
}
