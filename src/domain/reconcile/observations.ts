import { LONGEST_GATEWAY_ID, isRecord, present, type MessageKind } from '../../contract/index.js';
import {
  comparableText,
  comparableChat,
  comparableUrl,
  forwardBody,
  type ComparableMessage,
  type ShownFields,
  type Observation,
  STATUS_CHAT,
  copyBody,
  type Witness,
  contactBody,
  contactNames,
  locationBody,
  pollBody,
} from './sameness.js';

/**
 * The gateway's names of each kind in its queue, which lists neither statuses nor templates. The queue may list a text
 * with a link as the deprecated `sendLink`.
 */
const QUEUE_TYPES = {
  text: ['sendMessage', 'sendLink'],
  file: ['sendFileByUrl'],
  poll: ['sendPoll'],
  location: ['sendLocation'],
  contact: ['sendContact'],
  forward: ['ForwardMessages'],
  status: [],
  template: [],
} as const satisfies Readonly<Record<MessageKind, readonly string[]>>;
type QueueType = (typeof QUEUE_TYPES)[MessageKind][number];

const KINDS = Object.keys(QUEUE_TYPES) as readonly MessageKind[];
const TYPES = KINDS.flatMap((kind) => QUEUE_TYPES[kind].map((type: QueueType) => ({ type, kind })));
export const LISTED_KINDS = KINDS.filter((kind) => QUEUE_TYPES[kind].length > 0);

/** Whether the queue lists messages of this kind. */
export function isListedKind(kind: Observation['kind']): boolean {
  return LISTED_KINDS.some((listed) => listed === kind);
}

/**
 * Parses an item of showMessagesQueue. An unreadable item has no comparable form, so it is never adopted and never
 * ruled out.
 * @source the send queue item and its body object in the gateway's document
 */
export function queueObservation(item: unknown): Observation {
  const it = fields(item);
  const body = fields(it['body']);
  const type = word(it['type']);
  const ids = [it['messageID'], ...list(it['messagesIDs'])].map(word).filter((id) => id !== '');
  const known = TYPES.find((one) => one.type === type);
  if (known === undefined) return { witness: 'showMessagesQueue', ids, kind: 'unrecognised' };
  const { kind } = known;
  const shown = shownInQueue(known.type, body);
  if (shown === undefined) return { witness: 'showMessagesQueue', ids, kind };
  const comparable: ComparableMessage = {
    chatId: comparableChat(word(body['chatId'])),
    quotedMessageId: word(body['quotedMessageId']),
    kind,
    ...shown,
  };
  return { witness: 'showMessagesQueue', ids, kind, comparable };
}

function shownInQueue(type: QueueType, body: Fields): ShownFields | undefined {
  switch (type) {
    case 'sendMessage': {
      if (typeof body['message'] !== 'string') return undefined;
      return { body: comparableText(body['message']), linkPreview: flag(body['linkPreview']) ?? true };
    }
    case 'sendFileByUrl': {
      const [fileName, url] = [word(body['fileName']), word(body['urlFile'])];
      if (fileName === '') return undefined;
      const caption = comparableText(word(body['caption']));
      return { body: comparableText(fileName), caption, ...(url === '' ? {} : { url: comparableUrl(url) }) };
    }
    case 'sendPoll':
      return shownPoll(body['message'], body['options'], body['multipleAnswers']);
    case 'sendLocation':
      return shownLocation(body);
    case 'sendContact':
      return shownContact(body['contact']);
    case 'ForwardMessages': {
      const [chatIdFrom, messages] = [word(body['chatIdFrom']), list(body['messages']).map(word)];
      return chatIdFrom === '' || messages.length === 0 ? undefined : { body: forwardBody(chatIdFrom, messages) };
    }
    case 'sendLink':
      return undefined;
  }
}

/**
 * Parses journals and notifications leniently: numbers and flags may be strings, and fields may be missing or null. An
 * unreadable entry becomes `unrecognised` and is not dropped.
 */

/** The names of each kind in journals and notifications. An unlisted type may be a newer name of one of our kinds. */
const MESSAGE_TYPES: Readonly<Record<MessageKind | 'other', readonly string[]>> = {
  text: ['textMessage', 'extendedTextMessage', 'quotedMessage'],
  file: ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage'],
  location: ['locationMessage'],
  contact: ['contactMessage'],
  poll: ['pollMessage'],
  template: ['templateMessage'],
  // Witnesses show a status as a text in the chat of statuses.
  status: [],
  // everpost cannot compose these types. Only a forward can have one.
  forward: ['contactsArrayMessage', 'stickerMessage', 'groupInviteMessage'],
  // Edits and deletions have their own ids and are not messages.
  other: ['editedMessage', 'deletedMessage', 'pollUpdateMessage', 'reactionMessage'],
};
const KIND_OF_TYPE: ReadonlyMap<string, MessageKind | 'other'> = new Map(
  Object.entries(MESSAGE_TYPES).flatMap(([kind, types]) =>
    types.map((type) => [type, kind as keyof typeof MESSAGE_TYPES] as const),
  ),
);

/**
 * Parses an entry of a journal, from lastOutgoingMessages or getMessage. Incoming messages, messages sent from the
 * phone and edited messages have no comparable form, so they are never adopted.
 */
export function journalObservation(witness: Witness, entry: unknown): Observation {
  const it = fields(entry);
  const ofApi = it['type'] === 'outgoing' && flag(it['sendByApi']) === true;
  const changed = flag(it['isEdited']) === true || flag(it['isDeleted']) === true;
  const seen = messageSeen(it['chatId'], contentOf(it));
  return {
    witness,
    ids: idsOf(it),
    kind: ofApi ? seen.kind : 'other',
    ...timeOf(it),
    ...(seen.comparable === undefined || !ofApi || changed ? {} : { comparable: seen.comparable }),
  };
}

/** Parses a notification of a message that was sent through the API. @returns undefined for any other notification */
export function noticeObservation(notification: unknown): Observation | undefined {
  const it = fields(notification);
  if (it['typeWebhook'] !== 'outgoingAPIMessageReceived') return undefined;
  const { chatId } = fields(it['senderData']);
  const seen = messageSeen(chatId, contentOf(fields(it['messageData'])));
  return { witness: 'outgoingAPIMessageReceived', ids: idsOf(it), ...timeOf(it), ...seen };
}

/**
 * The form of a forwarded message after it has left the queue.
 * @param chatId  the chat to which it is forwarded
 * @param original  the forwarded message in a journal, which any sender may have sent
 * @returns undefined if the journal lacks a field that identifies a copy
 */
export function comparableCopy(chatId: string, original: unknown): ComparableMessage | undefined {
  const content = contentOf(fields(original));
  const inner = comparableOf(KIND_OF_TYPE.get(content.typeMessage) ?? 'unrecognised', chatId, content);
  return inner && asCopy(inner);
}

/** The parts of a message, under the names of journals and of notifications. */
interface ShownMessage {
  readonly typeMessage: string;
  /** The fields of a plain text, or the name and caption of a file. */
  readonly plain: Fields;
  /** The fields of a text with a link. */
  readonly extended: Fields;
  readonly location: Fields;
  readonly contact: Fields;
  readonly poll: Fields;
  readonly quotedMessageId: string;
}

function contentOf(it: Fields): ShownMessage {
  const extended = { ...fields(it['extendedTextMessageData']), ...fields(it['extendedTextMessage']) };
  return {
    typeMessage: word(it['typeMessage']),
    plain: { ...it, ...fields(it['textMessageData']), ...fields(it['fileMessageData']) },
    extended,
    location: { ...fields(it['locationMessageData']), ...fields(it['location']) },
    contact: { ...fields(it['contactMessageData']), ...fields(it['contact']) },
    poll: fields(it['pollMessageData']),
    quotedMessageId: word(fields(it['quotedMessage'])['stanzaId']) || word(extended['stanzaId']),
  };
}

function messageSeen(chatId: unknown, content: ShownMessage): Pick<Observation, 'kind' | 'comparable'> {
  const byType = KIND_OF_TYPE.get(content.typeMessage) ?? 'unrecognised';
  const kind = byType === 'text' && word(chatId) === STATUS_CHAT ? 'status' : byType;
  const comparable = comparableOf(kind, chatId, content);
  if (kind === 'other' || kind === 'unrecognised' || !isForwarded(content)) {
    return { kind, ...present({ comparable }) };
  }
  return { kind: 'forward', ...(comparable === undefined ? {} : { comparable: asCopy(comparable) }) };
}

function isForwarded({ plain, extended, location, contact, poll }: ShownMessage): boolean {
  return [plain, extended, location, contact, poll].some(
    (part) => flag(part['isForwarded']) === true || (numeral(part['forwardingScore']) ?? 0) > 0,
  );
}

/** The form of a copy, which has no quote even if its original has one. */
function asCopy(inner: ComparableMessage): ComparableMessage {
  return { chatId: inner.chatId, kind: 'forward', body: copyBody(inner), quotedMessageId: '' };
}

function comparableOf(
  kind: Observation['kind'],
  chatId: unknown,
  content: ShownMessage,
): ComparableMessage | undefined {
  const shown = shownBy(kind, content);
  if (shown === undefined || kind === 'other' || kind === 'unrecognised') return undefined;
  return { chatId: comparableChat(word(chatId)), quotedMessageId: content.quotedMessageId, kind, ...shown };
}

function shownBy(
  kind: Observation['kind'],
  { plain, extended, location, contact, poll }: ShownMessage,
): ShownFields | undefined {
  switch (kind) {
    case 'text':
    case 'status': {
      const text = typeof plain['textMessage'] === 'string' ? plain['textMessage'] : extended['text'];
      return typeof text === 'string' ? { body: comparableText(text) } : undefined;
    }
    case 'file': {
      const fileName = word(plain['fileName']);
      if (fileName === '') return undefined;
      return { body: comparableText(fileName), caption: comparableText(word(plain['caption'])) };
    }
    case 'poll':
      return shownPoll(poll['name'], poll['options'], poll['multipleAnswers']);
    case 'location':
      return shownLocation(location);
    case 'contact':
      return shownContact(contact);
    case 'template':
    case 'forward':
    case 'other':
    case 'unrecognised':
      return undefined;
  }
}

function idsOf(it: Fields): string[] {
  return [word(it['idMessage'])].filter((id) => id !== '' && id.length <= LONGEST_GATEWAY_ID);
}

/** The range that the ledger can store, from the year -4000 to the year 9999. */
const EARLIEST_MS = -188_000_000_000_000;
const LATEST_MS = 253_402_300_799_000;

/** The time from Unix seconds. Absent if the witness shows none. A value out of range becomes the nearest limit. */
function timeOf(it: Fields): { atMs?: number } {
  const seconds = numeral(it['timestamp']);
  return seconds === undefined ? {} : { atMs: Math.min(Math.max(EARLIEST_MS, seconds * 1000), LATEST_MS) };
}

// The queue, journals and notifications show polls, locations and contacts in the same form.

/** @param options  a list of `{ optionName }` or of names */
function shownPoll(question: unknown, options: unknown, multipleAnswers: unknown): ShownFields | undefined {
  const names = list(options).map((option) => (typeof option === 'string' ? option : fields(option)['optionName']));
  if (typeof question !== 'string' || !names.every((name) => typeof name === 'string')) return undefined;
  const several = flag(multipleAnswers);
  return { body: pollBody(question, names), ...present({ multipleAnswers: several }) };
}

function shownLocation(place: unknown): ShownFields | undefined {
  const it = fields(place);
  const [latitude, longitude] = [numeral(it['latitude']), numeral(it['longitude'])];
  if (latitude === undefined || longitude === undefined) return undefined;
  const words = { nameLocation: word(it['nameLocation']), address: word(it['address']) };
  return { body: locationBody({ latitude, longitude, ...words }) };
}

/** Parses a contact, which has separate fields as it was sent, or a vCard as a phone gets it. */
function shownContact(contact: unknown): ShownFields | undefined {
  const it = fields(contact);
  const phone = word(it['phoneContact']);
  if (phone !== '') {
    const { firstName, middleName, lastName, company } = it;
    const names = { firstName: word(firstName), middleName: word(middleName), lastName: word(lastName) };
    return { body: contactBody(phone), names: contactNames({ ...names, company: word(company) }) };
  }
  const [only, ...more] = phonesOfCard(word(it['vcard']));
  return only === undefined || more.length > 0 ? undefined : { body: only };
}

/** The distinct numbers of a vCard as digits: the messenger's number (`waid`) if present, else the written number. */
function phonesOfCard(card: string): string[] {
  // A line that begins with a blank continues the previous line.
  const lines = card.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const phones = lines.flatMap((line) => {
    const [, parameters = '', value = ''] = /^(?:[\w-]+\.)?TEL((?:;[^:]*)?):(.*)$/i.exec(line) ?? [];
    return contactBody(/;waid=(\d+)/i.exec(parameters)?.[1] ?? value);
  });
  return [...new Set(phones.filter((phone) => phone !== ''))];
}

/** The fields of an entry. Their readers are lenient: a missing or unexpected field is never an error. */
type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an id or a number, which may be a string. Ignores any other value. */
export function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Reads a boolean, which may be a string. */
function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'yes') return true;
  if (value === 'false' || value === 'no') return false;
  return undefined;
}

/** Reads a number, which may be a string of digits. */
function numeral(value: unknown): number | undefined {
  const read = word(value).trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(read) ? read : undefined;
}
