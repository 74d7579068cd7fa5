import type { MessageKind } from '../../contract/index.js';
import { comparableText } from './comparable-text.js';
import { comparableChat, comparableUrl, forwardBody, type ComparableMessage, type Observation } from './sameness.js';
import { shownContact, shownLocation, shownPoll } from './shown-content.js';
import { fields, flag, list, word, type Fields } from './witness-fields.js';

/**
 * What the gateway calls each kind in its queue, which lists neither statuses nor templates. `sendLink`, deprecated, is
 * how a text with a link may be listed.
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

/** Whether a message of this kind shows in a reading of the queue. */
export function isListedKind(kind: Observation['kind']): boolean {
  return LISTED_KINDS.some((listed) => listed === kind);
}

/**
 * One item of showMessagesQueue. What cannot be read has no comparable form: it is never adopted and never denied.
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
  const shown = shownBy(known.type, body);
  if (shown === undefined) return { witness: 'showMessagesQueue', ids, kind };
  const comparable: ComparableMessage = {
    chatId: comparableChat(word(body['chatId'])),
    quotedMessageId: word(body['quotedMessageId']),
    kind,
    ...shown,
  };
  return { witness: 'showMessagesQueue', ids, kind, comparable };
}

function shownBy(
  type: QueueType,
  body: Fields,
): Omit<ComparableMessage, 'chatId' | 'quotedMessageId' | 'kind'> | undefined {
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
