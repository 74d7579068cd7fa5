/**
 * What journals and notifications show, read into observations. Leniently: a number may come as a string and a flag as
 * a word, a text may come back as a link's text, fields may be missing or null. What cannot be read becomes
 * `unrecognised`, never nothing.
 */
import { LONGEST_GATEWAY_ID, type MessageKind, present } from '../../contract/index.js';
import { comparableText } from './comparable-text.js';
import {
  STATUS_CHAT,
  comparableChat,
  copyBody,
  type ComparableMessage,
  type Observation,
  type Witness,
} from './sameness.js';
import { shownContact, shownLocation, shownPoll } from './shown-content.js';
import { fields, flag, numeral, word, type Fields } from './witness-fields.js';

/** What journals and notifications call each kind; types that are not here may be ours under a newer name. */
const MESSAGE_TYPES: Readonly<Record<MessageKind | 'other', readonly string[]>> = {
  text: ['textMessage', 'extendedTextMessage', 'quotedMessage'],
  file: ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage'],
  location: ['locationMessage'],
  contact: ['contactMessage'],
  poll: ['pollMessage'],
  template: ['templateMessage'],
  // Shown as a text to the chat of statuses.
  status: [],
  // Nothing that we could have composed: only as a forward can one of these be ours.
  forward: ['contactsArrayMessage', 'stickerMessage', 'groupInviteMessage'],
  // Edits and deletions have ids of their own and are no messages.
  other: ['editedMessage', 'deletedMessage', 'pollUpdateMessage', 'reactionMessage'],
};
const KIND_OF_TYPE: ReadonlyMap<string, MessageKind | 'other'> = new Map(
  Object.entries(MESSAGE_TYPES).flatMap(([kind, types]) =>
    types.map((type) => [type, kind as keyof typeof MESSAGE_TYPES] as const),
  ),
);

/**
 * One entry of a journal, as lastOutgoingMessages and getMessage answer it. Incoming messages, messages sent from the
 * phone and messages whose text was edited since are shown without a comparable form: none of them is ever adopted.
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

/** A notification of a message that was sent through the API; undefined for any other notification. */
export function noticeObservation(notification: unknown): Observation | undefined {
  const it = fields(notification);
  if (it['typeWebhook'] !== 'outgoingAPIMessageReceived') return undefined;
  const { chatId } = fields(it['senderData']);
  const seen = messageSeen(chatId, contentOf(fields(it['messageData'])));
  return { witness: 'outgoingAPIMessageReceived', ids: idsOf(it), ...timeOf(it), ...seen };
}

/**
 * How a forward of a message looks once it has left the queue.
 * @param chatId  where it is forwarded to
 * @param original  the message as a journal shows it, also when everpost did not send it
 * @returns undefined where the journal does not show enough of it to know a copy
 */
export function comparableCopy(chatId: string, original: unknown): ComparableMessage | undefined {
  const content = contentOf(fields(original));
  const inner = comparableOf(KIND_OF_TYPE.get(content.typeMessage) ?? 'unrecognised', chatId, content);
  return inner && asCopy(inner);
}

/** The parts in which journals and notifications show a message, each under the names of either. */
interface ShownMessage {
  readonly typeMessage: string;
  /** A plain text, a file's name and caption. */
  readonly plain: Fields;
  /** A link's text. */
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

/** A copy quotes nothing, whatever its original did. */
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
): Omit<ComparableMessage, 'chatId' | 'quotedMessageId' | 'kind'> | undefined {
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

/** What the ledger can store, and more than any clock shows: from the year -4000 to the year 9999. */
const EARLIEST_MS = -188_000_000_000_000;
const LATEST_MS = 253_402_300_799_000;

/** Unix seconds; absent where the witness tells no time. One out of range is as early or as late as can be stored. */
function timeOf(it: Fields): { atMs?: number } {
  const seconds = numeral(it['timestamp']);
  return seconds === undefined ? {} : { atMs: Math.min(Math.max(EARLIEST_MS, seconds * 1000), LATEST_MS) };
}
