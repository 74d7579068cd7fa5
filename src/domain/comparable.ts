/** The form in which messages are compared, and lenient readers of what witnesses show. */
import { type MessageKind, isRecord, parseUrl } from '../contract/index.js';
import { readChatId, recipientKey } from './recipients.js';

/** An outgoing message as a witness shows it. A field that this witness never shows is absent and not compared. */
export interface ComparableMessage {
  /** See {@link chatKey}. {@link STATUS_CHAT} for a status. */
  readonly chat: string;
  readonly kind: MessageKind;
  /**
   * The text, the name of a file, or the result of {@link pollBody}, {@link locationBody} or {@link contactBody}. For a
   * forward: the result of {@link forwardBody}, or of {@link asCopy} if it is shown as a copy.
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

/** The fields that depend on the kind. */
export type ShownFields = Omit<ComparableMessage, 'chat' | 'kind' | 'quotedMessageId'>;

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

/** The fields of an entry. Their readers are lenient: a missing or unexpected field is never an error. */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an id or a number, which may be a string. Ignores any other value. */
export function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Reads a boolean, which may be a string. */
export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'yes') return true;
  if (value === 'false' || value === 'no') return false;
  return undefined;
}

/** Reads a number, which may be a string of digits. */
export function numeral(value: unknown): number | undefined {
  const read = word(value).trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(read) ? read : undefined;
}
