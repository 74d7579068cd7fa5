/**
 * What each witness shows, read into sightings. Leniently: a number may come as a string and a flag as a word, a text may come
 * back as a link's text, fields may be missing or null. What cannot be read becomes `unrecognised`, never nothing.
 */
import type { MessageKind } from '../../contract/index.js';
import { comparableText } from '../../ledger/index.js';
import { STATUS_CHAT, comparableChat, comparableUrl, type Likeness, type Sighting, type Witness } from './sameness.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the gateway calls the items of its queue. `sendLink`, deprecated, is how a text with a link may be listed. */
const QUEUE_KINDS: Readonly<Record<string, Sighting['kind']>> = {
  sendMessage: 'text',
  sendLink: 'text',
  sendFileByUrl: 'file',
  sendPoll: 'other',
  sendLocation: 'other',
  sendContact: 'other',
  ForwardMessages: 'other',
};

/** What journals and notifications call messages; types that are not here may be ours under a newer name. */
const MESSAGE_TYPES: Readonly<Record<string, MessageKind | 'other'>> = {
  textMessage: 'text',
  extendedTextMessage: 'text',
  quotedMessage: 'text',
  imageMessage: 'file',
  videoMessage: 'file',
  audioMessage: 'file',
  documentMessage: 'file',
  // Edits and deletions have ids of their own and are no messages.
  editedMessage: 'other',
  deletedMessage: 'other',
  locationMessage: 'other',
  contactMessage: 'other',
  contactsArrayMessage: 'other',
  pollMessage: 'other',
  pollUpdateMessage: 'other',
  reactionMessage: 'other',
  stickerMessage: 'other',
  groupInviteMessage: 'other',
};

/**
 * One item of showMessagesQueue.
 * @source the send queue item and its body object in the gateway's document
 */
export function queueSighting(item: unknown): Sighting {
  const it = fields(item);
  const body = fields(it['body']);
  const type = word(it['type']);
  const kind = QUEUE_KINDS[type] ?? 'unrecognised';
  const ids = [it['messageID'], ...list(it['messagesIDs'])].map(word).filter((id) => id !== '');
  const shared = { chatId: comparableChat(word(body['chatId'])), quotedMessageId: word(body['quotedMessageId']) };
  const witness = 'showMessagesQueue';
  if (type === 'sendMessage' && typeof body['message'] === 'string') {
    const linkPreview = flag(body['linkPreview']) ?? true;
    return {
      witness,
      ids,
      kind,
      likeness: { ...shared, kind: 'text', body: comparableText(body['message']), linkPreview },
    };
  }
  if (type === 'sendFileByUrl' && word(body['fileName']) !== '') {
    const url = word(body['urlFile']);
    const likeness: Likeness = {
      ...shared,
      kind: 'file',
      body: comparableText(word(body['fileName'])),
      caption: comparableText(word(body['caption'])),
      ...(url === '' ? {} : { url: comparableUrl(url) }),
    };
    return { witness, ids, kind, likeness };
  }
  return { witness, ids, kind };
}

/**
 * One entry of a journal, as lastOutgoingMessages and getMessage answer it. Incoming messages, messages sent from the phone and
 * messages whose text was edited since are shown without a likeness: none of them is ever adopted.
 */
export function journalSighting(witness: Witness, entry: unknown): Sighting {
  const it = fields(entry);
  const { ids, kind, atMs } = heading(it, it['typeMessage'], it['chatId']);
  const ofApi = it['type'] === 'outgoing' && flag(it['sendByApi']) === true;
  const changed = flag(it['isEdited']) === true || flag(it['isDeleted']) === true;
  const extended = fields(it['extendedTextMessage']);
  const likeness = ofApi && !changed ? likenessOf(kind, it['chatId'], it, it, extended) : undefined;
  return { witness, ids, kind: ofApi ? kind : 'other', ...at(atMs), ...(likeness === undefined ? {} : { likeness }) };
}

/** A notification of a message that was sent through the API; undefined for any other notification. */
export function noticeSighting(notification: unknown): Sighting | undefined {
  const it = fields(notification);
  if (it['typeWebhook'] !== 'outgoingAPIMessageReceived') return undefined;
  const data = fields(it['messageData']);
  const { chatId } = fields(it['senderData']);
  const { ids, kind, atMs } = heading(it, data['typeMessage'], chatId);
  const likeness = likenessOf(
    kind,
    chatId,
    data,
    { ...fields(data['textMessageData']), ...fields(data['fileMessageData']) },
    fields(data['extendedTextMessageData']),
  );
  return {
    witness: 'outgoingAPIMessageReceived',
    ids,
    kind,
    ...at(atMs),
    ...(likeness === undefined ? {} : { likeness }),
  };
}

function heading(it: Fields, typeMessage: unknown, chatId: unknown) {
  const byType = MESSAGE_TYPES[word(typeMessage)] ?? 'unrecognised';
  const kind = byType === 'text' && word(chatId) === STATUS_CHAT ? 'status' : byType;
  const seconds = Number(it['timestamp'] ?? Number.NaN);
  return {
    ids: [word(it['idMessage'])].filter((id) => id !== ''),
    kind,
    atMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  } as const;
}

/** @param plain  where a plain text and a file's name and caption stand  @param extended  where a link's text stands */
function likenessOf(
  kind: Sighting['kind'],
  chatId: unknown,
  it: Fields,
  plain: Fields,
  extended: Fields,
): Likeness | undefined {
  const quotedMessageId = word(fields(it['quotedMessage'])['stanzaId']) || word(extended['stanzaId']);
  const shared = { chatId: comparableChat(word(chatId)), quotedMessageId };
  if (kind === 'text' || kind === 'status') {
    const text = typeof plain['textMessage'] === 'string' ? plain['textMessage'] : extended['text'];
    return typeof text === 'string' ? { ...shared, kind, body: comparableText(text) } : undefined;
  }
  if (kind !== 'file' || word(plain['fileName']) === '') return undefined;
  const caption = comparableText(word(plain['caption']));
  return { ...shared, kind, body: comparableText(word(plain['fileName'])), caption };
}

function at(atMs: number | undefined): { atMs?: number } {
  return atMs === undefined ? {} : { atMs };
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'yes') return true;
  if (value === 'false' || value === 'no') return false;
  return undefined;
}
