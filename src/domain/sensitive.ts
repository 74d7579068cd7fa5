/**
 * The texts of a sensitive message, e.g. a one-time code: which they are, and what is shown in their place.
 *
 * SENSITIVE-1 Whatever is stored to be shown has {@link HIDDEN} in place of the texts. The texts are stored apart from
 *    it, so that a new view shows none.
 * SENSITIVE-2 A text of the gateway about a sensitive message is hidden by the id that it names. While the id may be
 *    missing in the ledger, since the response of a request is not recorded yet, it is hidden if it has the text.
 * SENSITIVE-3 What a recipient wrote is never hidden, except the part that quotes a sensitive message.
 */
import { factsOf, isRecord, MESSAGE_KINDS, type MessageContent } from '../contract/index.js';
import { comparableText } from './comparable.js';

/** Stands for a text that is not shown. */
const HIDDEN = '••••';

export const SENSITIVE_KINDS = MESSAGE_KINDS.filter((kind) => factsOf(kind).texts.length > 0);

/** The fields of a content that are not shown. */
export type HiddenFields = Readonly<Record<string, unknown>>;

/** Splits a content into what is shown and what is not. @returns `textLength`: the characters of all its texts */
export function hideTexts(content: MessageContent) {
  const names = factsOf(content.kind).texts;
  const hidden = Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name)));
  const textLength = textsIn(hidden).reduce((length, text) => length + Array.from(text).length, 0);
  return { content: { ...content, ...(withoutTexts(hidden) as object) }, hidden, textLength };
}

/** The inverse of {@link hideTexts}. */
export function revealTexts(content: MessageContent, hidden: HiddenFields): MessageContent {
  return { ...content, ...hidden };
}

/** Every text in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return HIDDEN;
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutTexts(inner)]));
}

/** What is known about the sensitive messages of an instance. */
export interface SensitiveMessages<Id> {
  /** By the gateway's ids. */
  readonly byIdMessage: ReadonlyMap<string, Id>;
  /** Those whose id may be missing: their texts. */
  readonly inDoubt: readonly { readonly id: Id; readonly texts: readonly string[] }[];
}

/** Fields that never contain a text of the message: ids, names of types, chats, links. */
const NEVER_TEXT = new Set([
  'typeWebhook',
  'typeMessage',
  'typeInstance',
  'type',
  'idMessage',
  'messageID',
  'stanzaId',
  'quotedMessageId',
  'editedMessageId',
  'deletedMessageId',
  'chatId',
  'chatName',
  'sender',
  'senderId',
  'senderName',
  'senderContactName',
  'senderLid',
  'senderPhoneNumber',
  'participant',
  'wid',
  'status',
  'statusMessage',
  'downloadUrl',
  'urlFile',
  'mimeType',
  'previewType',
  'jpegThumbnail',
]);
/** Objects inside a message that repeat the text of another message, which their `stanzaId` names. */
const REPEATING = new Set(['quotedMessage', 'editedMessageData', 'pollMessageData']);

/** The ids of messages that JSON of the gateway names. */
export function idMessagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idMessagesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (NAMING.has(name) ? [inner] : []) : idMessagesIn(inner),
  );
}
const NAMING = new Set(['idMessage', 'messageID', 'stanzaId']);

/** Shorter texts occur by chance in other words. */
const FOUND_WITHIN_CHARACTERS = 4;

/**
 * Hides the texts of sensitive messages in JSON of the gateway: a notification, a journal, the queue.
 * @returns `about`: the sensitive message that it is about; absent if it only quotes one, or none
 */
export function hideInJson<Id>(
  value: unknown,
  known: SensitiveMessages<Id>,
): { readonly shown: unknown; readonly about?: Id } {
  const inDoubt = known.inDoubt.map(({ id, texts }) => ({ id, texts: texts.map(comparableText) }));
  let about: Id | undefined;

  const ownerOf = (id: unknown) => (typeof id === 'string' ? known.byIdMessage.get(id) : undefined);

  function hide(inner: unknown, isOurs: boolean): unknown {
    if (Array.isArray(inner)) return inner.map((one) => hide(one, isOurs));
    if (!isRecord(inner)) return inner;
    const own = ownerOf(inner['idMessage'] ?? inner['messageID']);
    if (own !== undefined) return aboutOwn(inner, own);
    const { type, typeWebhook } = inner;
    const isTheirs = type === 'incoming' || (typeof typeWebhook === 'string' && typeWebhook.startsWith('incoming'));
    return Object.fromEntries(
      Object.entries(inner).map(([name, field]) => [name, hideField(name, field, isOurs && !isTheirs)]),
    );
  }

  function hideField(name: string, field: unknown, isOurs: boolean): unknown {
    if (typeof field === 'string') {
      if (!isOurs || NEVER_TEXT.has(name)) return field;
      const text = comparableText(field);
      const found = inDoubt.find(({ texts }) =>
        texts.some((hidden) => hidden === text || (hidden.length >= FOUND_WITHIN_CHARACTERS && text.includes(hidden))),
      );
      if (found === undefined) return field;
      about ??= found.id;
      return HIDDEN;
    }
    if (!isRecord(field) || !REPEATING.has(name)) return hide(field, isOurs);
    const of = ownerOf(field['stanzaId']);
    if (of === undefined) return hide(field, true);
    return name === 'editedMessageData' ? aboutOwn(field, of) : hideAll(field);
  }

  function aboutOwn(inner: Readonly<Record<string, unknown>>, own: Id): unknown {
    about ??= own;
    return hideAll(inner);
  }

  const shown = hide(value, true);
  return about === undefined ? { shown } : { shown, about };
}

function hideAll(value: unknown): unknown {
  if (typeof value === 'string') return HIDDEN;
  if (Array.isArray(value)) return value.map(hideAll);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && NEVER_TEXT.has(name) ? inner : hideAll(inner),
    ]),
  );
}
