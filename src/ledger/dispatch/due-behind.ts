import { sql, type RawBuilder } from 'kysely';

/**
 * Makes those due again that wait for one of these messages; whether something still stands in their way shows when they
 * are selected.
 * @param ended  rows with an `id`
 */
export function dueBehind(ended: RawBuilder<unknown>) {
  return sql`
    update due_messages d set due_at = waiting.due_at, behind = null
    from ${ended}, messages waiting
    where d.behind = e.id and waiting.id = d.message_id`;
}
