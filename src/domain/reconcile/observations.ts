import { LONGEST_GATEWAY_ID, isRecord, present, type MessageKind } from '../../contract/index.js';
import type { ListedItem } from './evidence.js';
import {
  comparableText,
  chatKey,
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

type Shown = ShownFields | undefined;

/**
 * The gateway's names of each kind in its queue, which lists neither statuses nor templates, and how the body of each
 * is read. The queue may list a text with a link as the deprecated `sendLink`.
 */
const QUEUED: Readonly<Record<MessageKind, Readonly<Record<string, (body: Fields) => Shown>>>> = {
  text: {
    sendMessage: ({ message, linkPreview }) =>
      typeof message === 'string'
        ? { body: comparableText(message), linkPreview: flag(linkPreview) ?? true }
        : undefined,
    sendLink: () => undefined,
  },
  file: {
    sendFileByUrl(body) {
      const url = word(body['urlFile']);
      const shown = shownFile(body);
      return shown && (url === '' ? shown : { ...shown, url: comparableUrl(url) });
    },
  },
  poll: { sendPoll: ({ message, options, multipleAnswers }) => shownPoll(message, options, multipleAnswers) },
  location: { sendLocation: shownLocation },
  contact: { sendContact: ({ contact }) => shownContact(fields(contact)) },
  forward: {
    ForwardMessages(body) {
      const [chatIdFrom, messages] = [word(body['chatIdFrom']), list(body['messages']).map(word)];
      return chatIdFrom === '' || messages.length === 0 ? undefined : { body: forwardBody(chatIdFrom, messages) };
    },
  },
  status: {},
  template: {},
};
const QUEUE_TYPES = new Map(
  (Object.keys(QUEUED) as MessageKind[]).flatMap((kind) =>
    Object.entries(QUEUED[kind]).map(([type, shownIn]) => [type, { kind, shownIn }] as const),
  ),
);
export const LISTED_KINDS = [...new Set([...QUEUE_TYPES.values()].map(({ kind }) => kind))];

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
  const ids = [it['messageID'], ...list(it['messagesIDs'])].map(word).filter((id) => id !== '');
  const { kind, shownIn } = QUEUE_TYPES.get(word(it['type'])) ?? { kind: 'unrecognised' };
  const comparable = comparableIn(kind, body['chatId'], body['quotedMessageId'], shownIn?.(body));
  return { witness: 'showMessagesQueue', ids, kind, ...present({ comparable }) };
}

/** @param item  an unchanged item of showMessagesQueue */
export function listedItem(item: unknown): ListedItem {
  const { ids, kind } = queueObservation(item);
  return { ids, kind, chat: chatKey(word(fields(fields(item)['body'])['chatId'])) };
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
  const { kind, comparable } = messageSeen(it['chatId'], contentOf(it));
  const seen = { witness, ids: idsOf(it), kind: ofApi ? kind : 'other', ...timeOf(it) } as const;
  return { ...seen, ...present({ comparable: ofApi && !changed ? comparable : undefined }) };
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
function contentOf(it: Fields) {
  const extended = { ...fields(it['extendedTextMessageData']), ...fields(it['extendedTextMessage']) };
  return {
    typeMessage: word(it['typeMessage']),
    /** The fields of a plain text, or the name and caption of a file. */
    plain: { ...it, ...fields(it['textMessageData']), ...fields(it['fileMessageData']) } as Fields,
    /** The fields of a text with a link. */
    extended: extended as Fields,
    location: { ...fields(it['locationMessageData']), ...fields(it['location']) } as Fields,
    contact: { ...fields(it['contactMessageData']), ...fields(it['contact']) } as Fields,
    poll: fields(it['pollMessageData']),
    quotedMessageId: word(fields(it['quotedMessage'])['stanzaId']) || word(extended['stanzaId']),
  };
}
type ShownMessage = ReturnType<typeof contentOf>;

function messageSeen(chatId: unknown, content: ShownMessage): Pick<Observation, 'kind' | 'comparable'> {
  const byType = KIND_OF_TYPE.get(content.typeMessage) ?? 'unrecognised';
  const kind = byType === 'text' && word(chatId) === STATUS_CHAT ? 'status' : byType;
  const comparable = comparableOf(kind, chatId, content);
  if (kind === 'other' || kind === 'unrecognised' || !isForwarded(content)) {
    return { kind, ...present({ comparable }) };
  }
  return { kind: 'forward', ...present({ comparable: comparable && asCopy(comparable) }) };
}

function isForwarded({ plain, extended, location, contact, poll }: ShownMessage): boolean {
  return [plain, extended, location, contact, poll].some(
    (part) => flag(part['isForwarded']) === true || (numeral(part['forwardingScore']) ?? 0) > 0,
  );
}

/** The form of a copy, which has no quote even if its original has one. */
function asCopy(inner: ComparableMessage): ComparableMessage {
  return { chat: inner.chat, kind: 'forward', body: copyBody(inner), quotedMessageId: '' };
}

function comparableOf(kind: Observation['kind'], chatId: unknown, content: ShownMessage) {
  return comparableIn(kind, chatId, content.quotedMessageId, SHOWN[kind]?.(content));
}

/** How journals and notifications show the kinds that can be compared. */
const SHOWN: Readonly<Partial<Record<Observation['kind'], (message: ShownMessage) => Shown>>> = {
  text: shownText,
  status: shownText,
  file: ({ plain }) => shownFile(plain),
  poll: ({ poll: { name, options, multipleAnswers } }) => shownPoll(name, options, multipleAnswers),
  location: ({ location }) => shownLocation(location),
  contact: ({ contact }) => shownContact(contact),
};

function shownText({ plain, extended }: ShownMessage): Shown {
  const text = typeof plain['textMessage'] === 'string' ? plain['textMessage'] : extended['text'];
  return typeof text === 'string' ? { body: comparableText(text) } : undefined;
}

function comparableIn(
  kind: Observation['kind'],
  chatId: unknown,
  quotedMessageId: unknown,
  shown: Shown,
): ComparableMessage | undefined {
  if (shown === undefined || kind === 'other' || kind === 'unrecognised') return undefined;
  return { chat: chatKey(word(chatId)), quotedMessageId: word(quotedMessageId), kind, ...shown };
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

// The queue, journals and notifications show files, polls, locations and contacts in the same form.

function shownFile({ fileName, caption }: Fields): Shown {
  if (word(fileName) === '') return undefined;
  return { body: comparableText(word(fileName)), caption: comparableText(word(caption)) };
}

/** @param options  a list of `{ optionName }` or of names */
function shownPoll(question: unknown, options: unknown, multipleAnswers: unknown): Shown {
  const names = list(options).map((option) => (typeof option === 'string' ? option : fields(option)['optionName']));
  if (typeof question !== 'string' || !names.every((name) => typeof name === 'string')) return undefined;
  return { body: pollBody(question, names), ...present({ multipleAnswers: flag(multipleAnswers) }) };
}

function shownLocation(it: Fields): Shown {
  const [latitude, longitude] = [numeral(it['latitude']), numeral(it['longitude'])];
  if (latitude === undefined || longitude === undefined) return undefined;
  const words = { nameLocation: word(it['nameLocation']), address: word(it['address']) };
  return { body: locationBody({ latitude, longitude, ...words }) };
}

/** Parses a contact, which has separate fields as it was sent, or a vCard as a phone gets it. */
function shownContact({ phoneContact, vcard, firstName, middleName, lastName, company }: Fields): Shown {
  const phone = word(phoneContact);
  if (phone !== '') {
    const names = { firstName: word(firstName), middleName: word(middleName), lastName: word(lastName) };
    return { body: contactBody(phone), names: contactNames({ ...names, company: word(company) }) };
  }
  const [only, ...more] = phonesOfCard(word(vcard));
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

function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an id or a number, which may be a string. Ignores any other value. */
function word(value: unknown): string {
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
