import { type JsonObject, isObject } from '../wire/wire.js';
import type { JournalMessage } from './message-journal.js';
import type { Flag } from './settings.js';
import type { Account } from './account.js';

/** The fields for the kind and the instance of a notification. */
function sender(instance: Account, typeWebhook: string): JsonObject {
  return {
    typeWebhook,
    instanceData: {
      idInstance: Number(instance.idInstance),
      wid: instance.wid,
      typeInstance: 'whatsapp',
    },
  };
}

/** The fields of {@link sender} and `timestamp`, in Unix seconds. */
function envelope(instance: Account, typeWebhook: string, nowMs: number): JsonObject {
  return { ...sender(instance, typeWebhook), timestamp: Math.floor(nowMs / 1000) };
}

/** A notification of this kind, if its setting is on. */
export function notify(instance: Account, typeWebhook: string, setting: Flag, fields: JsonObject, nowMs: number): void {
  if (instance.settings[setting] === 'no') return;
  instance.outbox.add({ ...envelope(instance, typeWebhook, nowMs), ...fields }, nowMs);
}

/** outgoingMessageStatus. `failed` and `noAccount` cannot be switched off, the others follow outgoingWebhook. */
export function notifyStatus(
  instance: Account,
  of: { readonly chatId: string; readonly idMessage: string; readonly status: string; readonly description?: string },
  nowMs: number,
): void {
  const always = of.status === 'failed' || of.status === 'noAccount';
  if (!always && instance.settings.outgoingWebhook === 'no') return;
  instance.outbox.add({ ...envelope(instance, 'outgoingMessageStatus', nowMs), ...of, sendByApi: true }, nowMs);
}

/**
 * outgoingAPIMessageReceived, outgoingMessageReceived (from the phone) or incomingMessageReceived, if its setting is
 * on.
 */
export function notifyMessage(instance: Account, message: JournalMessage, nowMs: number): void {
  if (!isNotified(instance, message)) return;
  const isPoll = message.typeMessage === 'pollMessage';
  if (isPoll && instance.settings.pollMessageWebhook === 'no') return;
  instance.outbox.add({ ...messageEnvelope(instance, message, nowMs), messageData: messageData(message) }, nowMs);
}

/** Whether the setting for notifications of this kind of message is on. */
export function isNotified({ settings }: Account, { type, sendByApi }: JournalMessage): boolean {
  if (type === 'incoming') return settings.incomingWebhook === 'yes';
  const flag: Flag = sendByApi ? 'outgoingAPIMessageWebhook' : 'outgoingMessageWebhook';
  return settings[flag] === 'yes';
}

export function messageEnvelope(instance: Account, message: JournalMessage, nowMs: number): JsonObject {
  const type =
    message.type === 'incoming'
      ? 'incomingMessageReceived'
      : message.sendByApi
        ? 'outgoingAPIMessageReceived'
        : 'outgoingMessageReceived';
  const senderId = message.senderId ?? instance.wid;
  const senderName = message.senderName ?? '';
  return {
    ...envelope(instance, type, nowMs),
    idMessage: message.idMessage,
    senderData: { chatId: message.chatId, sender: senderId, chatName: senderName, senderName, senderContactName: '' },
  };
}

/** The content of a message in a notification, under the name of its type, with the mark of a forwarded copy. */
function messageData(message: JournalMessage): JsonObject {
  const { typeMessage, text, details, quotedMessageId, contentKind, isForwarded } = message;
  const quote: JsonObject = quotedMessageId === undefined ? {} : { stanzaId: quotedMessageId };
  const quoted: JsonObject = quotedMessageId === undefined ? {} : { quotedMessage: quote };
  const mark: JsonObject = isForwarded ? { isForwarded: true, forwardingScore: 1 } : {};
  switch (contentKind) {
    case 'file':
      return { typeMessage, fileMessageData: { ...details, caption: text ?? '', ...mark }, ...quoted };
    case 'location':
      return { typeMessage, locationMessageData: { ...partOf(details, 'location'), ...mark }, ...quoted };
    case 'contact':
      return { typeMessage, contactMessageData: { ...partOf(details, 'contact'), ...mark }, ...quoted };
    case 'poll':
      return { typeMessage, pollMessageData: { ...partOf(details, 'pollMessageData'), ...mark }, ...quoted };
    case 'template':
      return { typeMessage, templateMessage: { contentText: text, ...mark } };
    case 'text':
    case 'status':
    case 'typing':
    case 'link':
    case 'forward':
      return typeMessage === 'textMessage'
        ? { typeMessage, textMessageData: { textMessage: text, ...mark } }
        : { typeMessage, extendedTextMessageData: { text, ...quote, ...mark }, ...quoted };
  }
}

function partOf(details: JsonObject, name: string): JsonObject {
  const part = details[name];
  return isObject(part) ? part : {};
}

/** quotaExceeded: no known setting controls it, and its samples have no timestamp. */
export function notifyQuota(instance: Account, quotaData: JsonObject, nowMs: number): void {
  instance.outbox.add({ ...sender(instance, 'quotaExceeded'), quotaData }, nowMs);
}
