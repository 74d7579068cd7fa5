/**
 * Compares an observation at the gateway with an attempt, in a common form.
 *
 * Adoption uses {@link isSame}, which is strict, since a wrong match gives a message the id of another one. Exclusion
 * uses {@link couldBe}, which is loose, since a wrong mismatch sends a message twice.
 *
 * Two attempts that are the same by these rules are identical messages in the ledger, so that at most one of them has
 * an unknown outcome. The ledger therefore compares recipients by their key too, not by the written chat id.
 */
import type { MessageContent, MessageKind } from '../../contract/index.js';
import { chatKey, type ComparableMessage } from '../comparable.js';
import { shownKind } from './kinds.js';

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

export function comparableOfAttempt(chatId: string | undefined, content: MessageContent): ComparableMessage {
  const quote = 'quotedMessageId' in content ? content.quotedMessageId : undefined;
  return {
    chat: content.kind === 'status' ? STATUS_CHAT : chatKey(chatId),
    kind: content.kind,
    quotedMessageId: quote ?? '',
    ...shownKind(content.kind).compared(content),
  };
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
