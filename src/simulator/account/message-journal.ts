import type { JsonObject } from '../wire/wire.js';
import type { ContentKind } from './outgoing-item.js';

/** A message that the service knows: incoming, sent through the API, or sent from the phone itself. */
export interface JournalMessage {
  readonly idMessage: string;
  readonly type: 'incoming' | 'outgoing';
  readonly chatId: string;
  /** Incoming: when it was received; outgoing: when it was sent. */
  readonly atMs: number;
  readonly typeMessage: string;
  readonly contentKind: ContentKind;
  readonly sendByApi: boolean;
  /** Whether it is a forwarded copy, with the type and content of the original. */
  readonly isForwarded: boolean;
  /** Whether notifications of its kind were on at its time. If not, it cannot be quoted or marked read. */
  readonly noticed: boolean;
  readonly senderId?: string;
  readonly senderName?: string;
  /** File, location, contact and poll data under the names that journals use. */
  readonly details: JsonObject;
  readonly quotedMessageId?: string;
  text?: string;
  status: string;
  isEdited: boolean;
  editedMessageId?: string;
  /** The id of the entry that records its deletion. */
  deletedMessageId?: string;
}

/** All messages of an instance, oldest first. */
export class MessageJournal {
  readonly #messages: JournalMessage[] = [];
  readonly #byId = new Map<string, JournalMessage>();

  add(message: JournalMessage): void {
    this.#messages.push(message);
    this.#byId.set(message.idMessage, message);
  }

  find(idMessage: string): JournalMessage | undefined {
    return this.#byId.get(idMessage);
  }

  inChat(chatId: string): readonly JournalMessage[] {
    return this.#messages.filter((message) => message.chatId === chatId);
  }

  incoming(): readonly JournalMessage[] {
    return this.#messages.filter(({ type }) => type === 'incoming');
  }

  /** Outgoing messages not older than `sinceMs`, newest first; statuses have a separate journal. */
  outgoingSince(sinceMs: number): readonly JournalMessage[] {
    return this.#messages
      .filter(({ type, atMs, contentKind }) => type === 'outgoing' && atMs >= sinceMs && contentKind !== 'status')
      .toReversed();
  }
}

/** One entry in the form of lastOutgoingMessages and getMessage. Times are Unix seconds. */
export function journalEntry(message: JournalMessage): JsonObject {
  const { text, typeMessage, quotedMessageId: stanzaId } = message;
  const isExtended = typeMessage === 'extendedTextMessage' || typeMessage === 'quotedMessage';
  return {
    type: message.type,
    idMessage: message.idMessage,
    timestamp: Math.floor(message.atMs / 1000),
    typeMessage,
    chatId: message.chatId,
    ...(message.type === 'incoming' ? { senderId: message.senderId, senderName: message.senderName } : {}),
    textMessage: text,
    ...(isExtended ? { extendedTextMessage: { text, stanzaId } } : {}),
    quotedMessage: stanzaId === undefined ? undefined : { stanzaId },
    ...message.details,
    ...(message.isForwarded ? { isForwarded: true, forwardingScore: 1 } : {}),
    ...(message.type === 'outgoing' ? { statusMessage: message.status, sendByApi: message.sendByApi } : {}),
    ...(message.isEdited ? { isEdited: true, editedMessageId: message.editedMessageId } : {}),
    ...(message.deletedMessageId === undefined ? {} : { isDeleted: true, deletedMessageId: message.deletedMessageId }),
  };
}

/** An incoming story with the field names of getIncomingStories. */
export interface Story {
  readonly atMs: number;
  readonly fields: JsonObject;
}
