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
  if (content.kind !== 'forward') return sendOne(instance, item, content, nowMs);
  for (const [index, sourceId] of content.messages.entries()) {
    sendForwarded(instance, item, sourceId, item.ids[index] ?? sourceId, nowMs);
  }
}

function sendOne(instance: Account, item: OutgoingItem, content: Single, nowMs: number): void {
  const typeMessage = typeOf(instance, item, content);
  const chatId = content.kind === 'status' ? STATUS_CHAT : instance.shown(item.chatId);
  const message: JournalMessage = {
    idMessage: item.ids[0] ?? '',
    type: 'outgoing',
    chatId,
    atMs: nowMs,
    typeMessage,
    contentKind: content.kind,
    sendByApi: true,
    isForwarded: false,
    noticed: true,
    details: detailsOf(content),
    status: 'pending',
    isEdited: false,
    ...optionalField('text', textOf(content, typeMessage)),
    ...optionalField('quotedMessageId', item.quotedMessageId),
  };
  finish(instance, message, refusalOf(instance, item), shownOnly(item, content, instance), nowMs);
}

function sendForwarded(
  instance: Account,
  item: OutgoingItem,
  sourceId: string,
  idMessage: string,
  nowMs: number,
): void {
  const found = instance.journal.find(sourceId);
  const source = canForward(instance, item, found) ? found : undefined;
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

/** Whether a message may be forwarded: its chat matches, and notifications of its kind were on at its time. */
function canForward(instance: Account, { content }: OutgoingItem, source: JournalMessage | undefined): boolean {
  return content.kind === 'forward' && source?.chatId === instance.shown(content.chatIdFrom) && source.noticed;
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
    ...shownDetails(message.details),
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
  if (!canQuote(instance, item.chatId, item.quotedMessageId)) {
    return { status: 'failed', description: 'the quoted message is not known in this chat' };
  }
  if (content.kind === 'file') {
    const sizeBytes = world.files.get(content.urlFile)?.sizeBytes ?? 0;
    if (sizeBytes > MAX_FILE_BYTES) return { status: 'failed', description: '{{SWE002}} file over 100 mb' };
  }
  return undefined;
}

/** Whether a message may be quoted: its chat matches, and notifications of its kind were on at its time. */
function canQuote(instance: Account, chatId: string, quotedMessageId: string | undefined): boolean {
  if (quotedMessageId === undefined) return true;
  const quoted = instance.journal.find(quotedMessageId);
  return quoted?.chatId === instance.shown(chatId) && quoted.noticed;
}

function typeOf(instance: Account, item: OutgoingItem, content: Single): string {
  switch (content.kind) {
    case 'text':
      if (item.quotedMessageId !== undefined) return 'quotedMessage';
      return content.linkPreview && ANY_LINK.test(content.text) ? 'extendedTextMessage' : 'textMessage';
    case 'file':
      return fileType(content.fileName, instance.world.files.get(content.urlFile));
    case 'status':
      return 'textMessage';
    case 'poll':
      return 'pollMessage';
    case 'location':
      return 'locationMessage';
    case 'contact':
      return 'contactMessage';
    case 'link':
      return 'extendedTextMessage';
    case 'template':
      return 'templateMessage';
  }
}

function textOf(content: Single, typeMessage: string): string | undefined {
  switch (content.kind) {
    case 'text':
    case 'status':
    case 'poll':
    case 'template':
      return content.text;
    case 'link':
      return content.urlLink;
    case 'file':
      // The document states two rules for captions. This is the wider one: only audio has no caption.
      return typeMessage === 'audioMessage' ? undefined : content.caption;
    case 'location':
    case 'contact':
      return undefined;
  }
}

function detailsOf(content: Single): JsonObject {
  switch (content.kind) {
    case 'file':
      return { downloadUrl: content.urlFile, fileName: content.fileName, caption: content.caption };
    case 'location': {
      const { latitude, longitude, nameLocation, address } = content;
      return { location: { latitude, longitude, nameLocation, address } };
    }
    case 'contact':
      return { contact: contactCard(content.contact) };
    case 'poll': {
      const { text: name, options, multipleAnswers } = content;
      return { pollMessageData: { name, options, multipleAnswers } };
    }
    case 'text':
    case 'status':
    case 'link':
    case 'template':
      return {};
  }
}

/** The fields of a poll, a location, a contact or a file that a phone shows, sent or forwarded. */
function shownDetails(details: JsonObject): Partial<DeliveredMessage> {
  const { location, contact, pollMessageData: poll, fileName, downloadUrl } = details;
  return {
    ...optionalField('location', location),
    ...optionalField('contact', contact),
    ...optionalField('poll', poll),
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(typeof downloadUrl === 'string' ? { urlFile: downloadUrl } : {}),
  };
}

/** What the phone shows and the journal does not: the chat that was posted to, and the fields of a status. */
function shownOnly({ chatId }: OutgoingItem, content: Single, { accounts }: Account): Partial<DeliveredMessage> {
  if (content.kind !== 'status') return { chatId };
  const known = content.participants.filter((one) => !accounts.noAccount.includes(one));
  return {
    visibleTo: content.participants.length === 0 ? 'all contacts' : known,
    ...(content.backgroundColor === undefined ? {} : { backgroundColor: content.backgroundColor }),
    ...(content.font === undefined ? {} : { font: content.font }),
  };
}
