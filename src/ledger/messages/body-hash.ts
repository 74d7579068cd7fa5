import { createHash } from 'node:crypto';
import { canonicalJson, type MessageContent } from '../../contract/index.js';
import { comparableOfAttempt } from '../../domain/index.js';

/**
 * Equal for identical messages: those that no witness can tell apart. Only what every witness shows counts, so not an
 * option such as a link preview, nor a file's link, nor the names on a contact card.
 */
export function bodyHash(content: MessageContent): string {
  // A forward that has left the queue shows as a copy of an unknown message: any two to one chat may look alike.
  if (content.kind === 'forward') return jsonHash([content.kind]);
  const { kind, body, caption = '' } = comparableOfAttempt(undefined, content);
  return jsonHash([kind, body, caption]);
}

/** Hash of any JSON value, independent of the order of its keys. */
export function jsonHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** The first half of {@link jsonHash} in fewer characters: for indexes with many entries. */
export function shortHash(value: unknown): string {
  return Buffer.from(jsonHash(value).slice(0, 32), 'hex').toString('base64url');
}
