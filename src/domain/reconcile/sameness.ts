/**
 * Compares an observation at the gateway with an attempt, in a common form.
 *
 * Adoption uses {@link isSame}, which is strict, since a wrong match gives a message the id of another one. Exclusion
 * uses {@link couldBe}, which is loose, since a wrong mismatch sends a message twice.
 *
 * Two attempts that are the same by these rules are identical messages in the ledger, so that at most one of them has
 * an unknown outcome. The ledger therefore compares recipients by their key too, not by the written chat id.
 */
import {
  parseUrl,
  canonicalJson,
  linkToCheck,
  type ContactCard,
  type MessageContent,
  type MessageKind,
  type TemplateContent,
} from '../../contract/index.js';
import { readChatId, recipientKey } from '../recipients.js';

/** An outgoing message as a witness shows it. A field that this witness never shows is absent and not compared. */
export interface ComparableMessage {
  /** See {@link chatKey}. {@link STATUS_CHAT} for a status. */
  readonly chat: string;
  readonly kind: MessageKind;
  /**
   * The text, the name of a file, or the result of {@link pollBody}, {@link locationBody} or {@link contactBody}. For a
   * forward: the result of {@link forwardBody}, or of {@link copyBody} if it is shown as a copy.
   */
  readonly body: string;
  /** The quoted message. Empty if there is none. */
  readonly quotedMessageId: string;
  /** The caption of a file. Empty if there is none. */
  readonly caption?: string;
  /** The link of a file. Only the queue shows it; a journal shows a link to the gateway's copy. */
  readonly url?: string;
  /** Whether a link preview is shown. Only the queue shows it. */
  readonly linkPreview?: boolean;
  /** For a poll. The queue does not show it. */
  readonly multipleAnswers?: boolean;
  /** The name fields of a contact. Only the queue shows them; other witnesses show a composed display name. */
  readonly names?: string;
}

/** A message as a witness lists it. */
export interface Observation {
  readonly witness: Witness;
  /** One id, several for a forward, or none if the witness omits it. */
  readonly ids: readonly string[];
  /** The kind by our names. `unrecognised` may be any kind; `other` is surely none of our kinds. */
  readonly kind: MessageKind | 'other' | 'unrecognised';
  /** Absent if the message is of another kind, or lacks a field that must be compared. */
  readonly comparable?: ComparableMessage;
  /** The time in milliseconds by the gateway's clock, rounded down to whole seconds. The queue shows no time. */
  readonly atMs?: number;
}
export type Witness = 'showMessagesQueue' | 'outgoingAPIMessageReceived' | 'lastOutgoingMessages' | 'getMessage';

/** The chat of statuses in journals and notifications. */
export const STATUS_CHAT = 'status@broadcast';

/** The fields that depend on the kind. */
export type ShownFields = Omit<ComparableMessage, 'chat' | 'kind' | 'quotedMessageId'>;

export function comparableOfAttempt(chatId: string | undefined, content: MessageContent): ComparableMessage {
  const quote = 'quotedMessageId' in content ? content.quotedMessageId : undefined;
  return {
    chat: content.kind === 'status' ? STATUS_CHAT : chatKey(chatId),
    kind: content.kind,
    quotedMessageId: quote ?? '',
    ...shownFields(content),
  };
}

function shownFields(content: MessageContent): ShownFields {
  switch (content.kind) {
    case 'text':
      return { body: comparableText(content.text), linkPreview: content.linkPreview ?? true };
    case 'file':
      return {
        body: comparableText(content.fileName),
        caption: comparableText(content.caption ?? ''),
        url: comparableUrl(linkToCheck(content)),
      };
    case 'status':
      return { body: comparableText(content.text) };
    case 'poll': {
      const options = content.options.map(({ optionName }) => optionName);
      return { body: pollBody(content.message, options), multipleAnswers: content.multipleAnswers ?? false };
    }
    case 'location':
      return { body: locationBody(content) };
    case 'contact':
      return { body: contactBody(content.contact.phoneContact), names: contactNames(content.contact) };
    case 'template':
      // Witnesses show only the rendered text of a template, not its name or id, so no observation matches a template.
      return { body: templateBody(content) };
    case 'forward':
      return { body: forwardBody(content.chatIdFrom, content.messages) };
  }
}

/** The question and the options of a poll, in their order. Options are sent without the blanks around them. */
export function pollBody(message: string, options: readonly string[]): string {
  return canonicalJson([comparableText(message), options.map((option) => comparableText(option.trim()))]);
}

/** The place and the names of a location. Coordinates are compared as numbers. */
export function locationBody(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly nameLocation?: string;
  readonly address?: string;
}): string {
  const { latitude, longitude, nameLocation = '', address = '' } = place;
  return canonicalJson([latitude, longitude, comparableText(nameLocation), comparableText(address)]);
}

/** The digits of a contact's number. */
export function contactBody(phone: string | number): string {
  return String(phone).replaceAll(/\D/g, '');
}

export function contactNames({ firstName, middleName, lastName, company }: Omit<ContactCard, 'phoneContact'>): string {
  return canonicalJson([firstName, middleName, lastName, company].map((name) => comparableText(name ?? '')));
}

function templateBody({ elementName, templateId, params = [] }: TemplateContent): string {
  return canonicalJson({ template: elementName ?? templateId, params: params.map(comparableText) });
}

/** A forward as the queue shows it: the forwarded message and its chat. */
export function forwardBody(chatIdFrom: string | number, messages: readonly string[]): string {
  return canonicalJson({ chatIdFrom: chatKey(chatIdFrom), messages });
}

/** A forward after it left the queue: journals and notifications show the copy without its origin. */
export function copyBody({ kind, body, caption = '' }: Pick<ComparableMessage, 'kind' | 'body' | 'caption'>): string {
  return canonicalJson({ copyOf: kind, body, caption });
}

/** Strict: whether every field that both show is equal. The comparison is symmetrical. */
export function isSame(one: ComparableMessage, other: ComparableMessage): boolean {
  return COMPARED.every(
    (field) => one[field] === other[field] || one[field] === undefined || other[field] === undefined,
  );
}

const OPTIONS = ['url', 'linkPreview', 'multipleAnswers', 'names'] as const;
const COMPARED = ['chat', 'kind', 'body', 'quotedMessageId', 'caption', ...OPTIONS] as const;

/** Loose: whether the observation's kind allows `kind`. Chat and text are ignored. */
export function couldBe(kind: MessageKind, observation: Observation): boolean {
  if (observation.kind === kind || observation.kind === 'unrecognised') return true;
  // Outside the queue a forward has the kind of its copy, and a gateway may omit its mark.
  return kind === 'forward' && observation.witness !== 'showMessagesQueue' && observation.kind !== 'other';
}

/**
 * The compared form of a chat: the key of its recipient, whatever form of the id a witness shows. The id of no recipient
 * or group stays as it is shown.
 */
export function chatKey(shown: string | number | undefined): string {
  const written = String(shown ?? '').trim();
  const chatId = readChatId(written);
  return chatId === undefined ? written : recipientKey(chatId);
}

/** The compared form of a link, which the gateway encodes and everpost sends unencoded. */
export function comparableUrl(url: string): string {
  return parseUrl(url)?.href ?? url;
}

/** Composing the accents of one letter takes quadratic time, so a run is split after 30 accents. */
const MANY_ACCENTS = /\p{M}{30}/gu;
const END_OF_ROW = '\u034F';

/**
 * The compared form of a text, which is never sent: line ends are `\n`, and characters are composed (NFC). Texts that
 * look equal on a phone are equal in this form.
 */
export function comparableText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(MANY_ACCENTS, `$&${END_OF_ROW}`).normalize('NFC');
}
