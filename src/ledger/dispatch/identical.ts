import { sql } from 'kysely';

/** What identical messages of an instance have in common; one of them is in flight at a time. @param row  a message's alias */
export function identicalHash(row: string) {
  const m = sql.table(row);
  return sql`sha256(convert_to(coalesce(${m}.chat_id, '') || ' ' || ${m}.body_hash, 'UTF8'))`;
}

/**
 * The attempts of other messages identical to the message `m` that are in flight or in doubt, as an alias `a`: the rows of the index
 * `attempts_in_flight`.
 */
export const IDENTICAL_ATTEMPTS = sql`attempts a
  where a.instance = m.instance and a.identical_hash = ${identicalHash('m')}
    and (a.outcome is null or a.outcome = 'unknown') and a.message_id <> m.id`;
