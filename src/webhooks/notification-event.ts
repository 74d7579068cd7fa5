import { LONGEST_GATEWAY_ID, present, wellFormedJson, type EventType } from '../contract/index.js';
import type { NotificationEvent } from '../ledger/index.js';
import type { Notification, ParsedNotification } from './notification.js';

/** Of what is about no chat and no message. */
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

/** What a notification came as. */
export interface CameAs {
  readonly contentType?: string;
  readonly bytes?: Uint8Array;
}

/** What a notification is for event endpoints, whether or not there are any. */
export function notificationEvent(parsed: ParsedNotification, body: unknown, came: CameAs): NotificationEvent {
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

/** A longer one is no chat of the gateway's, and too long for an index of the ledger. */
function shortKey(key: string | undefined): string {
  return key === undefined || key.length > LONGEST_GATEWAY_ID ? ACCOUNT_KEY : key;
}

/** The chat, so that what is said in it is told in order; else the message. */
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
