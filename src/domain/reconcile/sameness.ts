/**
 * Compares an observation at the gateway with an attempt, in one common form.
 *
 * Adoption uses {@link isSame}, which is strict: a wrong match would give a message the id of another one. Ruling out
 * uses {@link couldBe}, which is loose: a wrong mismatch would send a message twice.
 *
 * Two attempts that are the same by these rules are identical messages in the ledger, so that at most one of them has
 * an unknown outcome.
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

/** One outgoing message as a witness shows it. A field that this witness never shows is absent and not compared. */
export interface ComparableMessage {
  /** `<digits>@c.us`, `<id>@g.us` or `<digits>@lid`; {@link STATUS_CHAT} for a status. */
  readonly chatId: string;
  readonly kind: MessageKind;
  /**
   * The text, or a file's name, or the result of {@link pollBody}, {@link locationBody} or {@link contactBody}. For a
   * forward: the result of {@link forwardBody}, or of {@link copyBody} if it is shown as a copy.
   */
  readonly body: string;
  /** Empty if there is none. */
  readonly quotedMessageId: string;
  /** A file's caption, empty if there is none. */
  readonly caption?: string;
  /** The link that a file was fetched from. Only the queue shows it; a journal shows the gateway's own copy. */
  readonly url?: string;
  /** Only the queue shows it. */
  readonly linkPreview?: boolean;
  /** Of a poll; the queue does not show it. */
  readonly multipleAnswers?: boolean;
  /** A contact's numbers, one by one, as only the queue shows them; other witnesses show a composed display name. */
  readonly names?: string;
}

/** One message as a witness lists it. */
export interface Observation {
  readonly witness: Witness;
  /** One id; several for a forward; none if the witness left it out. */
  readonly ids: readonly string[];
  /** The witness's kind in our terms. `unrecognised` may be any kind, `other` is surely none of ours. */
  readonly kind: MessageKind | 'other' | 'unrecognised';
  /** Absent if it is none of our kinds, or lacks a field that has to be compared. */
  readonly comparable?: ComparableMessage;
  /** Its time in milliseconds by the gateway's clock, rounded down to whole seconds; the queue shows no time. */
  readonly atMs?: number;
}
export type Witness = 'showMessagesQueue' | 'outgoingAPIMessageReceived' | 'lastOutgoingMessages' | 'getMessage';

/** The chat under which journals and notifications show statuses. */
export const STATUS_CHAT = 'status@broadcast';

export function comparableOfAttempt(chatId: string | undefined, content: MessageContent): ComparableMessage {
  const chat = content.kind === 'status' ? STATUS_CHAT : comparableChat(chatId);
  switch (content.kind) {
    case 'text':
      return {
        chatId: chat,
        kind: 'text',
        body: comparableText(content.text),
        quotedMessageId: content.quotedMessageId ?? '',
        linkPreview: content.linkPreview ?? true,
      };
    case 'file':
      return {
        chatId: chat,
        kind: 'file',
        body: comparableText(content.fileName),
        quotedMessageId: content.quotedMessageId ?? '',
        caption: comparableText(content.caption ?? ''),
        url: comparableUrl(linkToCheck(content)),
      };
    case 'status':
      return { chatId: chat, kind: 'status', body: comparableText(content.text), quotedMessageId: '' };
    case 'poll':
      return {
        chatId: chat,
        kind: 'poll',
        body: pollBody(
          content.message,
          content.options.map(({ optionName }) => optionName),
        ),
        quotedMessageId: content.quotedMessageId ?? '',
        multipleAnswers: content.multipleAnswers ?? false,
      };
    case 'location':
      return {
        chatId: chat,
        kind: 'location',
        body: locationBody(content),
        quotedMessageId: content.quotedMessageId ?? '',
      };
    case 'contact':
      return {
        chatId: chat,
        kind: 'contact',
        body: contactBody(content.contact.phoneContact),
        quotedMessageId: content.quotedMessageId ?? '',
        names: contactNames(content.contact),
      };
    case 'template':
      // Witnesses show only a template's rendered text, not its name or id, so no observation is ever matched with a
      // template.
      return { chatId: chat, kind: 'template', body: templateBody(content), quotedMessageId: '' };
    case 'forward':
      return {
        chatId: chat,
        kind: 'forward',
        body: forwardBody(content.chatIdFrom, content.messages),
        quotedMessageId: '',
      };
  }
}

/** Question and options, in their order. */
export function pollBody(message: string, options: readonly string[]): string {
  return canonicalJson([comparableText(message), options.map(comparableText)]);
}

/** Place and names; numbers as numbers, in whatever form they were written. */
export function locationBody(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly nameLocation?: string;
  readonly address?: string;
}): string {
  const { latitude, longitude, nameLocation = '', address = '' } = place;
  return canonicalJson([latitude, longitude, comparableText(nameLocation), comparableText(address)]);
}

/** The digits only. */
export function contactBody(phone: string | number): string {
  return String(phone).replaceAll(/\D/g, '');
}

export function contactNames({ firstName, middleName, lastName, company }: Omit<ContactCard, 'phoneContact'>): string {
  return canonicalJson([firstName, middleName, lastName, company].map((name) => comparableText(name ?? '')));
}

function templateBody({ elementName, templateId, params = [] }: TemplateContent): string {
  return canonicalJson({ template: elementName ?? templateId, params: params.map(comparableText) });
}

/** A forward as the queue shows it: the forwarded message, and the chat it is from. */
export function forwardBody(chatIdFrom: string | number, messages: readonly string[]): string {
  return canonicalJson({ chatIdFrom: comparableChat(chatIdFrom), messages });
}

/** A forward after it has left the queue: journals and notifications show the copy without its origin. */
export function copyBody({ kind, body, caption = '' }: Pick<ComparableMessage, 'kind' | 'body' | 'caption'>): string {
  return canonicalJson({ copyOf: kind, body, caption });
}

/** Strict: every field that both show is equal. Symmetrical. */
export function isSame(one: ComparableMessage, other: ComparableMessage): boolean {
  return (
    one.chatId === other.chatId &&
    one.kind === other.kind &&
    one.body === other.body &&
    one.quotedMessageId === other.quotedMessageId &&
    agree(one.caption, other.caption) &&
    agree(one.url, other.url) &&
    agree(one.linkPreview, other.linkPreview) &&
    agree(one.multipleAnswers, other.multipleAnswers) &&
    agree(one.names, other.names)
  );
}

/** Loose: true unless its kind rules out `kind`; chat and text are ignored. */
export function couldBe(kind: MessageKind, observation: Observation): boolean {
  if (observation.kind === kind || observation.kind === 'unrecognised') return true;
  // Outside the queue a forward has the kind of its copy, and a gateway may omit the mark of a forward.
  return kind === 'forward' && observation.witness !== 'showMessagesQueue' && observation.kind !== 'other';
}

/** The compared form of a chat: a plain number, as some gateways show it, is a recipient's chat. */
export function comparableChat(chatId: string | number | undefined): string {
  const written = String(chatId ?? '').trim();
  return /^\d+$/.test(written) ? `${written}@c.us` : written;
}

/** The compared form of a link: the gateway encodes it, everpost sends it unencoded. */
export function comparableUrl(url: string): string {
  return parseUrl(url)?.href ?? url;
}

function agree<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** Composing the accents of one letter takes quadratic time, so a run is cut after 30 accents. */
const MANY_ACCENTS = /\p{M}{30}/gu;
const END_OF_ROW = '\u034F';

/**
 * The compared form of a text, which is never sent: line ends as ` `, characters composed (NFC). Texts that a phone
 * shows in the same way are equal in this form.
 */
export function comparableText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(MANY_ACCENTS, `$&${END_OF_ROW}`).normalize('NFC');
}
