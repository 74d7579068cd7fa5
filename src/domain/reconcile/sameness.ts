/**
 * Is this thing at the gateway the attempt we made? One form in which both are compared.
 *
 * Adopting asks {@link isSame}, the strict question: a wrong yes would give a message the id of another one.
 * Denying asks {@link couldBe}, the loose question: a wrong no would send a message twice.
 *
 * Two attempts that look the same here are identical messages in the ledger, so that only one of them is ever under
 * question.
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

/** One outgoing message as a witness shows it. A field that this witness never shows is left out and not compared. */
export interface ComparableMessage {
  /** `<digits>@c.us`, `<id>@g.us` or `<digits>@lid`; {@link STATUS_CHAT} for a status. */
  readonly chatId: string;
  readonly kind: MessageKind;
  /**
   * The text; of a file its name; of a poll, a location or a contact what {@link pollBody}, {@link locationBody} and
   * {@link contactBody} make of it; of a forward what {@link forwardBody} or, where it shows as a copy,
   * {@link copyBody} does.
   */
  readonly body: string;
  /** Empty for none. */
  readonly quotedMessageId: string;
  /** A file's caption, empty for none. */
  readonly caption?: string;
  /** The link a file was fetched from: only the queue shows it, a journal has the gateway's own copy. */
  readonly url?: string;
  /** Only the queue shows it. */
  readonly linkPreview?: boolean;
  /** A poll's; the queue does not show it. */
  readonly multipleAnswers?: boolean;
  /** A contact's, one by one as only the queue shows them; others compose a display name. */
  readonly names?: string;
}

/** One message as a witness lists it. */
export interface Observation {
  readonly witness: Witness;
  /** One id; several for a forward; none where the witness left it out. */
  readonly ids: readonly string[];
  /** The witness's kind in our words. `unrecognised` may be anything, `other` is surely none of ours. */
  readonly kind: MessageKind | 'other' | 'unrecognised';
  /** Absent when it is none of our kinds or lacks what is needed to compare. */
  readonly comparable?: ComparableMessage;
  /**
   * When the gateway says it was, milliseconds by the gateway's clock, cut to whole seconds; the queue shows no time.
   */
  readonly atMs?: number;
}
export type Witness = 'showMessagesQueue' | 'outgoingAPIMessageReceived' | 'lastOutgoingMessages' | 'getMessage';

/** The chat in which journals and notifications show statuses. */
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
      // No witness shows a template's name or id, only its rendered text: nothing is ever taken for one.
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

/** Where, and under which words; numbers as numbers, however they were written. */
export function locationBody(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly nameLocation?: string;
  readonly address?: string;
}): string {
  const { latitude, longitude, nameLocation = '', address = '' } = place;
  return canonicalJson([latitude, longitude, comparableText(nameLocation), comparableText(address)]);
}

/** The digits alone. */
export function contactBody(phone: string | number): string {
  return String(phone).replaceAll(/\D/g, '');
}

export function contactNames({ firstName, middleName, lastName, company }: Omit<ContactCard, 'phoneContact'>): string {
  return canonicalJson([firstName, middleName, lastName, company].map((name) => comparableText(name ?? '')));
}

function templateBody({ elementName, templateId, params = [] }: TemplateContent): string {
  return canonicalJson({ template: elementName ?? templateId, params: params.map(comparableText) });
}

/** A forward as the queue shows it: what is forwarded, from where. */
export function forwardBody(chatIdFrom: string | number, messages: readonly string[]): string {
  return canonicalJson({ chatIdFrom: comparableChat(chatIdFrom), messages });
}

/**
 * A forward once it has left the queue: journals and notifications show the copy, and nothing of where it came from.
 */
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

/** Loose: nothing of what it is called rules out that it is one of `kind`, however its chat and text came back. */
export function couldBe(kind: MessageKind, observation: Observation): boolean {
  if (observation.kind === kind || observation.kind === 'unrecognised') return true;
  // Outside the queue a forward shows as what it is a copy of, and a gateway may leave the mark of a forward out.
  return kind === 'forward' && observation.witness !== 'showMessagesQueue' && observation.kind !== 'other';
}

/** A chat as it is compared: a bare number, as some gateways give it, is a recipient's chat. */
export function comparableChat(chatId: string | number | undefined): string {
  const written = String(chatId ?? '').trim();
  return /^\d+$/.test(written) ? `${written}@c.us` : written;
}

/** A link as it is compared: the gateway encodes it, we send it unencoded. */
export function comparableUrl(url: string): string {
  return parseUrl(url)?.href ?? url;
}

function agree<Value>(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** Composing sorts the accents of one letter, which takes quadratic time when there are thousands: 30 end a row. */
const MANY_ACCENTS = /\p{M}{30}/gu;
const END_OF_ROW = '\u034F';

/**
 * A text as it is compared, never as it is sent: line ends as `\n`, characters composed (NFC). Two texts that a phone
 * shows alike compare alike, whichever of them a keyboard, a database or a gateway produced.
 */
export function comparableText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(MANY_ACCENTS, `$&${END_OF_ROW}`).normalize('NFC');
}
