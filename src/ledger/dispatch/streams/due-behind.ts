import { sql, type RawBuilder } from 'kysely';
import type { MessageRow } from '../../messages/message-row.js';
import type { Tx } from '../../storage/store.js';

/**
 * Makes the messages due again that are parked behind one of these messages. Selection checks whether something else
 * blocks them.
 * @param ended  rows with an `id`
 */
export function dueBehind(ended: RawBuilder<unknown>) {
  return sql`
    update due_messages d set due_at = waiting.due_at, behind = null
    from ${ended}, messages waiting
    where d.behind = e.id and waiting.id = d.message_id`;
}

/** A pending message whose text changed since it was parked: its blocker may not apply any more. */
export async function dueAgain(tx: Tx, { stream_id, due_at, place }: MessageRow): Promise<void> {
  if (stream_id === null || due_at === null || place === null) return;
  await tx
    .updateTable('due_messages')
    .set({ due_at, behind: null })
    .where('stream_id', '=', stream_id)
    .where('place', '=', place)
    .where('behind', 'is not', null)
    .execute();
}
