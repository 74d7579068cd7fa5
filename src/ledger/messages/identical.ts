import { createHash } from 'node:crypto';
import { sql } from 'kysely';
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

/**
 * The columns that identical messages share; at most one of them is in flight. The gateway may show a message under any
 * spelling of its recipient. @param row  a message's alias
 */
export function identicalHash(row: string) {
  const m = sql.table(row);
  return sql`sha256(convert_to(coalesce(${m}.recipient_key, '') || ' ' || ${m}.body_hash, 'UTF8'))`;
}

/**
 * Attempts `a` of other messages that are identical to the message `m`, in flight or with an unknown outcome: the rows
 * of the index `attempts_in_flight`.
 */
export const IDENTICAL_ATTEMPTS = sql`attempts a
  where a.instance = m.instance and a.identical_hash = ${identicalHash('m')}
    and (a.outcome is null or a.outcome = 'unknown') and a.message_id <> m.id`;
