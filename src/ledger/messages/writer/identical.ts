import { sql } from 'kysely';

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
