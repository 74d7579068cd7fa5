import { createHash } from 'node:crypto';
import { canonicalJson, wellFormedJson, type MessageContent } from '../../contract/index.js';
import { comparableOfAttempt } from '../../domain/index.js';

/**
 * Equal for identical messages, which no witness can distinguish. Includes only fields that every witness shows: no
 * options such as a link preview, no file's link, no names on a contact card.
 */
export function bodyHash(content: MessageContent): string {
  // A forward that has left the queue is shown as a copy of an unknown message, so any two forwards to one chat may
  // look the same.
  if (content.kind === 'forward') return jsonHash([content.kind]);
  const { kind, body, caption = '' } = comparableOfAttempt(undefined, content);
  return jsonHash([kind, body, caption]);
}

/** Hash of any JSON value as it is stored, independent of the order of its keys. */
export function jsonHash(value: unknown): string {
  return createHash('sha256')
    .update(wellFormedJson(canonicalJson(value)))
    .digest('hex');
}
