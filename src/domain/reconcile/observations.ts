import { LONGEST_GATEWAY_ID, MESSAGE_KINDS, canonicalJson, present, type MessageKind } from '../../contract/index.js';
import type { ListedItem } from './evidence.js';
import {
  chatKey,
  type ComparableMessage,
  type Fields,
  fields,
  flag,
  list,
  numeral,
  type ShownFields,
  word,
} from '../comparable.js';
import { shownKind, type ShownFieldsByKind, shownParts } from './kinds.js';
import { type Observation, STATUS_CHAT, type Witness } from './sameness.js';

/** The gateway's names of our kinds in its queue. */
const QUEUE_TYPES = new Map(
  MESSAGE_KINDS.flatMap((kind) =>
    Object.entries(shownKind(kind).queued).map(([type, shownIn]) => [type, { kind, shownIn }] as const),
  ),
);
export const QUEUE_TYPE_NAMES = [...QUEUE_TYPES.keys()];
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

/** Edits and deletions have their own ids and are not messages. An unlisted type may be a newer name of our kinds. */
const OTHER_TYPES = ['editedMessage', 'deletedMessage', 'pollUpdateMessage', 'reactionMessage'];
const KIND_OF_TYPE: ReadonlyMap<string, MessageKind | 'other'> = new Map([
  ...MESSAGE_KINDS.flatMap((kind) => shownKind(kind).types.map((type) => [type, kind] as const)),
  ...OTHER_TYPES.map((type) => [type, 'other'] as const),
]);

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

interface ShownMessage {
  readonly typeMessage: string;
  readonly parts: ShownFieldsByKind;
  readonly quotedMessageId: string;
}

function contentOf(it: Fields): ShownMessage {
  const parts = shownParts(it);
  const quotedMessageId = word(fields(it['quotedMessage'])['stanzaId']) || word(parts.extended['stanzaId']);
  return { typeMessage: word(it['typeMessage']), parts, quotedMessageId };
}

function messageSeen(chatId: unknown, content: ShownMessage): Pick<Observation, 'kind' | 'comparable'> {
  const byType = KIND_OF_TYPE.get(content.typeMessage) ?? 'unrecognised';
  const kind = byType === 'text' && word(chatId) === STATUS_CHAT ? 'status' : byType;
  const comparable = comparableOf(kind, chatId, content);
  const isForwarded = Object.values(content.parts).some(
    (part: Fields) => flag(part['isForwarded']) === true || (numeral(part['forwardingScore']) ?? 0) > 0,
  );
  if (kind === 'other' || kind === 'unrecognised' || !isForwarded) {
    return { kind, ...present({ comparable }) };
  }
  return { kind: 'forward', ...present({ comparable: comparable && asCopy(comparable) }) };
}

/**
 * A forward after it left the queue: journals and notifications show the copy without its origin. A copy has no quote
 * even if its original has one.
 */
function asCopy({ chat, kind, body, caption = '' }: ComparableMessage): ComparableMessage {
  return { chat, kind: 'forward', body: canonicalJson({ copyOf: kind, body, caption }), quotedMessageId: '' };
}

function comparableOf(kind: Observation['kind'], chatId: unknown, content: ShownMessage) {
  const isOurs = kind !== 'other' && kind !== 'unrecognised';
  return isOurs
    ? comparableIn(kind, chatId, content.quotedMessageId, shownKind(kind).seen?.(content.parts))
    : undefined;
}

function comparableIn(
  kind: Observation['kind'],
  chatId: unknown,
  quotedMessageId: unknown,
  shown: ShownFields | undefined,
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
