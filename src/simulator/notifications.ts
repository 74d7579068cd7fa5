import { isObject, type JsonObject } from './json.js';
import type { Instance } from './instance.js';
import type { JournalMessage } from './message-journal.js';

type Words = Readonly<Record<string, string | undefined>>;

/** The fields that every notification begins with. `timestamp` is Unix seconds. */
function envelope(instance: Instance, typeWebhook: string, nowMs: number): JsonObject {
  return {
    typeWebhook,
    instanceData: {
      idInstance: Number(instance.idInstance),
      wid: instance.wid,
      typeInstance: 'whatsapp',
    },
    timestamp: Math.floor(nowMs / 1000),
  };
}

/** outgoingMessageStatus. `failed` and `noAccount` cannot be switched off, the others follow outgoingWebhook. */
export function notifyStatus(
  instance: Instance,
  of: { readonly chatId: string; readonly idMessage: string; readonly status: string; readonly description?: string },
  nowMs: number,
): void {
  const always = of.status === 'failed' || of.status === 'noAccount';
  const { rules, settings } = instance;
  if (!always && !rules.on('notifications.sent-status')) return;
  if (!always && settings.outgoingWebhook === 'no' && rules.on('events.outgoingWebhook')) return;
  instance.outbox.add({ ...envelope(instance, 'outgoingMessageStatus', nowMs), ...of, sendByApi: true }, nowMs);
}

/** outgoingAPIMessageReceived, outgoingMessageReceived (from the phone) or incomingMessageReceived, where switched on. */
export function notifyMessage(instance: Instance, message: JournalMessage, nowMs: number): void {
  const { settings, rules } = instance;
  const incoming = message.type === 'incoming';
  if (incoming && settings.incomingWebhook === 'no' && rules.on('events.incomingWebhook')) return;
  if (!incoming && message.sendByApi && settings.outgoingAPIMessageWebhook === 'no') return;
  if (!incoming && !message.sendByApi && settings.outgoingMessageWebhook === 'no') return;
  const isPoll = message.typeMessage === 'pollMessage';
  if (isPoll && settings.pollMessageWebhook === 'no' && rules.on('notifications.poll-needs-setting')) return;
  instance.outbox.add({ ...messageEnvelope(instance, message, nowMs), messageData: messageData(message) }, nowMs);
}

/** An edit in time: a message of its own whose stanzaId is the original's id. Needs both settings. */
export function notifyEdited(instance: Instance, message: JournalMessage, nowMs: number): void {
  const { settings, rules } = instance;
  if (settings.editedMessageWebhook === 'no' || settings.outgoingAPIMessageWebhook === 'no') return;
  if (!rules.on('notifications.edited')) return;
  instance.outbox.add(
    {
      ...messageEnvelope(instance, message, nowMs),
      idMessage: message.editedMessageId,
      messageData: {
        typeMessage: 'editedMessage',
        editedMessageData: { textMessage: message.text, stanzaId: message.idMessage },
      },
    },
    nowMs,
  );
}

export function notifyState(instance: Instance, nowMs: number): void {
  if (instance.settings.stateWebhook === 'no' && instance.rules.on('events.stateWebhook')) return;
  const body = { ...envelope(instance, 'stateInstanceChanged', nowMs), stateInstance: instance.state };
  instance.outbox.add(body, nowMs);
}

export function notifyOnlineStatus(instance: Instance, nowMs: number): void {
  const { settings, rules, statusInstance } = instance;
  const on = settings.stateWebhook === 'yes' || settings.statusInstanceWebhook === 'yes';
  if (!on && rules.on('events.stateWebhook')) return;
  const extra = rules.on('events.status-instance-changed') ? {} : { stateInstance: instance.state };
  instance.outbox.add({ ...envelope(instance, 'statusInstanceChanged', nowMs), statusInstance, ...extra }, nowMs);
}

function messageEnvelope(instance: Instance, message: JournalMessage, nowMs: number): JsonObject {
  const type =
    message.type === 'incoming'
      ? 'incomingMessageReceived'
      : message.sendByApi
        ? 'outgoingAPIMessageReceived'
        : 'outgoingMessageReceived';
  const sender = message.senderId ?? instance.wid;
  const senderName = message.senderName ?? '';
  return {
    ...envelope(instance, type, nowMs),
    idMessage: message.idMessage,
    senderData: { chatId: message.chatId, sender, chatName: senderName, senderName, senderContactName: '' },
  };
}

/** The message's content as notifications carry it, named after its type; a copy bears the mark of a forward in it. */
function messageData(message: JournalMessage): JsonObject {
  const { typeMessage, text, details, quotedMessageId, contentKind, isForwarded } = message;
  const quote: Words = quotedMessageId === undefined ? {} : { stanzaId: quotedMessageId };
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
