import { sql } from 'kysely';
import { isOfInstances } from './keys/of-instances.js';
import type { MessageFilter, MessageListItem } from './message-types.js';
import { listItemOf, messageRows } from './message-row.js';
import { pageOf, readCursor } from './page-cursor.js';
import type { Db } from './store.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** A page of messages, newest first. The cursor names the last row shown, so that new rows shift nothing. */
export async function listMessages(
  db: Db,
  filter: MessageFilter,
): Promise<{ items: MessageListItem[]; cursor?: string }> {
  const limit = Math.min(Math.max(filter.limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
  let query = messageRows(db)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(limit + 1);
  if (filter.instance !== undefined) query = query.where('m.instance', '=', filter.instance);
  if (filter.instances !== undefined) query = query.where(isOfInstances('m.instance', filter.instances));
  if (filter.state !== undefined) query = query.where('m.state', '=', filter.state);
  if (filter.chatId !== undefined) query = query.where('m.chat_id', '=', filter.chatId);
  if (filter.reference !== undefined) query = query.where('m.reference', '=', filter.reference);
  if (filter.idMessage !== undefined) query = query.where(wasAcceptedAs(filter.idMessage));
  if (filter.cursor !== undefined) {
    const { createdAt, id } = readCursor(filter.cursor);
    query = query.where(sql<boolean>`(m.created_at, m.id) < (${createdAt}::timestamptz, ${id}::text)`);
  }
  const rows = await query.execute();
  return pageOf(rows, limit, listItemOf, ({ created_at, id }) => ({ createdAt: created_at, id }));
}

/** By any id the gateway gave it, of which the row itself shows the first. */
function wasAcceptedAs(idMessage: string) {
  return sql<boolean>`exists (
    select from message_ids i
    where i.instance = m.instance and i.id_message = ${idMessage} and i.message_id = m.id and i.role = 'message')`;
}
