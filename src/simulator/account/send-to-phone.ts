import { contactCard, type Content, type OutgoingItem } from './outgoing-item.js';
import { fileType, MAX_FILE_BYTES } from './file-facts.js';
import type { Account } from './account.js';
import { type JsonObject, optionalField } from '../wire/wire.js';
import type { JournalMessage } from './message-journal.js';
import { notifyMessage, notifyStatus } from './notifications.js';
import type { DeliveredMessage } from './phones.js';

const STATUS_CHAT = 'status@broadcast';
const ANY_LINK = /https?:\/\//;

type Single = Exclude<Content, { readonly kind: 'typing' | 'forward' }>;

/** Why a message is not sent, in the form of its notification. */
interface Refusal {
  readonly status: 'failed' | 'noAccount' | 'notInGroup';
  readonly description?: string;
}

/** How long the phone shows typing after the item left the queue and before it is sent. */
export function sendingTakesMs({ content }: OutgoingItem): number {
  return 'typingMs' in content ? content.typingMs : 0;
}

/**
 * Sends one item that left the queue: adds it to the phones, the journal and the notifications, sent and then
 * delivered. Before that, only the queue shows a message; after it, the journal and outgoingAPIMessageReceived show it.
 */
export function sendToPhone(instance: Account, item: OutgoingItem, nowMs: number): void {
  const { content } = item;
  if (content.kind === 'typing') return;
  if (content.kind === 'forward') {
    for (const [index, sourceId] of content.messages.entries())
      sendForwarded(instance, item, content.chatIdFrom, sourceId, item.ids[index] ?? sourceId, nowMs);
    return;
  }
  const { text, ...shape } = shapeOf(instance.world, content, item.quotedMessageId !== undefined);
  const message: JournalMessage = {
    idMessage: item.ids[0] ?? '',
    type: 'outgoing',
    chatId: content.kind === 'status' ? STATUS_CHAT : instance.shown(item.chatId),
    atMs: nowMs,
    contentKind: content.kind,
    sendByApi: true,
    isForwarded: false,
    noticed: true,
    ...shape,
    status: 'pending',
    isEdited: false,
    ...optionalField('text', text),
    ...optionalField('quotedMessageId', item.quotedMessageId),
  };
  // What the phone shows and the journal does not: the chat that was posted to, and the fields of a status.
  let shown: Partial<DeliveredMessage> = { chatId: item.chatId };
  if (content.kind === 'status') {
    const { participants, backgroundColor, font } = content;
    const known = participants.filter((one) => !instance.accounts.noAccount.includes(one));
    shown = {
      visibleTo: participants.length === 0 ? 'all contacts' : known,
      ...optionalField('backgroundColor', backgroundColor),
      ...optionalField('font', font),
    };
  }
  finish(instance, message, refusalOf(instance, item), shown, nowMs);
}

function sendForwarded(
  instance: Account,
  item: OutgoingItem,
  chatIdFrom: string,
  sourceId: string,
  idMessage: string,
  nowMs: number,
): void {
  const found = instance.journal.find(sourceId);
  // Its chat must match, and notifications of its kind were on at its time.
  const source = found?.chatId === instance.shown(chatIdFrom) && found.noticed ? found : undefined;
  const message: JournalMessage = {
    idMessage,
    type: 'outgoing',
    chatId: instance.shown(item.chatId),
    atMs: nowMs,
    // A forwarded copy never has a quote.
    typeMessage: source?.typeMessage.replace('quotedMessage', 'textMessage') ?? 'textMessage',
    contentKind: source?.contentKind ?? 'text',
    sendByApi: true,
    isForwarded: true,
    noticed: true,
    details: source?.details ?? {},
    status: 'pending',
    isEdited: false,
    ...(source?.text === undefined ? {} : { text: source.text }),
  };
  const unknown: Refusal = { status: 'failed', description: 'the forwarded message is not known in that chat' };
  const refusal = source === undefined ? unknown : refusalOf(instance, item);
  finish(instance, message, refusal, { kind: 'forward', chatId: item.chatId, isForwarded: true }, nowMs);
}

function finish(
  instance: Account,
  message: JournalMessage,
  refusal: Refusal | undefined,
  shown: Partial<DeliveredMessage>,
  nowMs: number,
): void {
  const { chatId, idMessage } = message;
  instance.journal.add(message);
  if (refusal !== undefined) {
    message.status = refusal.status;
    notifyStatus(instance, { chatId, idMessage, ...refusal }, nowMs);
    return;
  }
  const { location, contact, pollMessageData: poll, fileName, downloadUrl } = message.details;
  instance.world.phones.receive({
    idInstance: instance.idInstance,
    idMessage,
    chatId,
    kind: message.contentKind,
    typeMessage: message.typeMessage,
    text: message.text ?? null,
    at: new Date(nowMs).toISOString(),
    edits: [],
    ...(message.quotedMessageId === undefined ? {} : { quotedMessageId: message.quotedMessageId }),
    ...optionalField('location', location),
    ...optionalField('contact', contact),
    ...optionalField('poll', poll),
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(typeof downloadUrl === 'string' ? { urlFile: downloadUrl } : {}),
    ...shown,
  });
  notifyMessage(instance, message, nowMs);
  for (const status of ['sent', 'delivered']) {
    message.status = status;
    notifyStatus(instance, { chatId, idMessage, status }, nowMs);
  }
}

function refusalOf(instance: Account, item: OutgoingItem): Refusal | undefined {
  const { accounts, groups, world, wid } = instance;
  const { chatId, content } = item;
  if (accounts.noAccount.includes(chatId)) return { status: 'noAccount' };
  if (accounts.fails.includes(chatId)) return { status: 'failed', description: 'the message could not be sent' };
  const group = groups.get(chatId);
  if (group !== undefined && !group.participants.some(({ id }) => id === wid)) return { status: 'notInGroup' };
  if (item.quotedMessageId !== undefined) {
    const quoted = instance.journal.find(item.quotedMessageId);
    // Notifications of its kind must have been on at its time.
    if (quoted?.chatId !== instance.shown(chatId) || !quoted.noticed)
      return { status: 'failed', description: 'the quoted message is not known in this chat' };
  }
  if (content.kind === 'file') {
    const sizeBytes = world.files.get(content.urlFile)?.sizeBytes ?? 0;
    if (sizeBytes > MAX_FILE_BYTES) return { status: 'failed', description: '{{SWE002}} file over 100 mb' };
  }
  return undefined;
}

/** The type, the text and the details of a message. */
function shapeOf(
  { files }: Account['world'],
  content: Single,
  isQuote: boolean,
): { readonly typeMessage: string; readonly text?: string | undefined; readonly details: JsonObject } {
  switch (content.kind) {
    case 'text': {
      const { text } = content;
      const isLink = content.linkPreview && ANY_LINK.test(text);
      const typeMessage = isLink ? 'extendedTextMessage' : 'textMessage';
      return { typeMessage: isQuote ? 'quotedMessage' : typeMessage, text, details: {} };
    }
    case 'file': {
      const { urlFile, fileName, caption } = content;
      const typeMessage = fileType(fileName, files.get(urlFile));
      // The document states two rules for captions. This is the wider one: only audio has no caption.
      const text = typeMessage === 'audioMessage' ? undefined : caption;
      return { typeMessage, text, details: { downloadUrl: urlFile, fileName, caption } };
    }
    case 'status':
      return { typeMessage: 'textMessage', text: content.text, details: {} };
    case 'poll': {
      const { text, options, multipleAnswers } = content;
      const details = { pollMessageData: { name: text, options, multipleAnswers } };
      return { typeMessage: 'pollMessage', text, details };
    }
    case 'location': {
      const { latitude, longitude, nameLocation, address } = content;
      return { typeMessage: 'locationMessage', details: { location: { latitude, longitude, nameLocation, address } } };
    }
    case 'contact':
      return { typeMessage: 'contactMessage', details: { contact: contactCard(content.contact) } };
    case 'link':
      return { typeMessage: 'extendedTextMessage', text: content.urlLink, details: {} };
    case 'template':
      return { typeMessage: 'templateMessage', text: content.text, details: {} };
  }
}
