import type { JsonObject } from '../wire/wire.js';

/** A contact under the gateway's names; phoneContact as given, a number or digits. */
export type Contact = {
  readonly phoneContact: string | number;
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  readonly company?: string;
};

/** The content of one item of the send queue, by kind. `typingMs` is how long typing is shown before the send. */
export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly linkPreview: boolean; readonly typingMs: number }
  | {
      readonly kind: 'file';
      readonly urlFile: string;
      readonly fileName: string;
      readonly caption?: string;
      readonly typingMs: number;
    }
  | {
      readonly kind: 'status';
      readonly text: string;
      readonly backgroundColor?: string;
      readonly font?: string;
      /** Contacts who may see it; empty: all. */
      readonly participants: readonly string[];
    }
  | { readonly kind: 'typing'; readonly typingMs: number; readonly typingType: 'typing' | 'recording' }
  | {
      readonly kind: 'poll';
      readonly text: string;
      readonly options: readonly { readonly optionName: string }[];
      readonly multipleAnswers: boolean;
      readonly typingMs: number;
    }
  | {
      readonly kind: 'location';
      readonly latitude: number;
      readonly longitude: number;
      readonly nameLocation?: string;
      readonly address?: string;
    }
  | { readonly kind: 'contact'; readonly contact: Contact }
  | { readonly kind: 'link'; readonly urlLink: string }
  /** `text` is the content with its parameters filled in. */
  | { readonly kind: 'template'; readonly templateId: string; readonly text: string }
  | {
      readonly kind: 'forward';
      readonly chatIdFrom: string;
      /** Ids of the messages to forward; the copies' own ids are the item's `ids`, in the same order. */
      readonly messages: readonly string[];
      readonly typingMs: number;
    };
export type ContentKind = Content['kind'];

export interface OutgoingItem {
  /** One id; none for typing; one for each forwarded message. */
  readonly ids: readonly string[];
  readonly chatId: string;
  readonly quotedMessageId?: string;
  readonly content: Content;
  readonly acceptedAtMs: number;
}

/**
 * An item as showMessagesQueue lists it, with exactly the documented fields of its kind.
 * @returns undefined for the kinds that the document does not list: status, typing and template
 * @source the send queue item and its body object in the gateway's document
 */
export function listQueueItem({ ids, chatId, quotedMessageId, content }: OutgoingItem): JsonObject | undefined {
  const listed = documented(content);
  if (listed === undefined) return undefined;
  return {
    ...(content.kind === 'forward' ? { messagesIDs: ids } : { messageID: ids[0] }),
    type: listed.type,
    body: { chatId, ...listed.body, quotedMessageId },
  };
}

function documented(content: Content): { readonly type: string; readonly body: JsonObject } | undefined {
  switch (content.kind) {
    case 'text':
      return { type: 'sendMessage', body: { message: content.text, linkPreview: content.linkPreview } };
    case 'file': {
      const { fileName, caption, urlFile } = content;
      return { type: 'sendFileByUrl', body: { fileName, caption, urlFile, archive: true } };
    }
    case 'poll':
      return { type: 'sendPoll', body: { message: content.text, options: content.options } };
    case 'location': {
      const { latitude, longitude, nameLocation, address } = content;
      return { type: 'sendLocation', body: { latitude, longitude, nameLocation, address } };
    }
    case 'contact':
      return { type: 'sendContact', body: { contact: content.contact } };
    case 'link':
      return { type: 'sendLink', body: { urlLink: content.urlLink } };
    case 'forward':
      return { type: 'ForwardMessages', body: { chatIdFrom: content.chatIdFrom, messages: content.messages } };
    case 'status':
    case 'typing':
    case 'template':
      return undefined;
  }
}

/**
 * A contact as a phone receives it: a display name and a card.
 * @source public samples of contact messages in notifications and journals
 */
export function contactCard({ phoneContact, firstName, middleName, lastName, company }: Contact): JsonObject {
  const displayName = [firstName, middleName, lastName].filter((name) => name !== undefined && name !== '').join(' ');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${[lastName, firstName, middleName].map((name) => escaped(name ?? '')).join(';')};;`,
    `FN:${escaped(displayName)}`,
    ...(company === undefined ? [] : [`ORG:${escaped(company)}`]),
    `TEL;type=CELL;waid=${phoneContact}:+${phoneContact}`,
    'END:VCARD',
  ];
  return { displayName, vcard: lines.join('\n') };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll('\n', '\\n');
}
