import { sql } from 'kysely';
import { type MessageState, present } from '../../contract/index.js';
import { listItemOf, messageRows } from '../messages/message-row.js';
import { keyOf } from '../messages/recipient-key.js';
import { cursorsByAge, type Known, type ListFilter, newestFirst, pageOf } from '../storage/pages.js';
import type { Db } from '../storage/store.js';
import { waitingMessages } from '../streams/message-waiting.js';

export interface MessageFilter extends ListFilter {
  readonly state?: MessageState;
  /** Why they are in their state. */
  readonly reason?: string;
  /** In any form. */
  readonly chatId?: string;
  readonly reference?: string;
  /** The gateway's id of the message. */
  readonly idMessage?: string;
}

const CURSORS = cursorsByAge('messages');

/** A page of messages, newest first. @param nowMs  for the reasons why they wait. @default without the reasons */
export async function listMessages<Given extends MessageFilter>(
  db: Db,
  filter: Known<Given, MessageFilter>,
  nowMs?: number,
) {
  const by = { instance: 'm.instance', time: 'm.created_at', id: 'm.id', cursors: CURSORS };
  let query = newestFirst(messageRows(db), filter, by);
  // A literal: the planner compares it with the condition of the index.
  if (filter.state !== undefined) query = query.where(sql<boolean>`m.state = ${sql.lit(filter.state)}`);
  if (filter.reason !== undefined) query = query.where('m.reason', '=', filter.reason);
  if (filter.chatId !== undefined) query = query.where('m.recipient_key', '=', keyOf(filter.chatId));
  if (filter.reference !== undefined) query = query.where('m.reference', '=', filter.reference);
  if (filter.idMessage !== undefined) {
    // By any id that the gateway gave it: the row shows only the first. The ids are read first, as an array.
    query = query.where(
      sql<boolean>`m.id = any(array(
    select i.message_id from message_ids i where i.id_message = ${filter.idMessage} and i.role = 'message'))`,
    );
  }
  const rows = await query.execute();
  const waiting = nowMs === undefined ? undefined : await waitingMessages(db, rows, nowMs);
  return pageOf(
    rows,
    filter.limit,
    (row) => ({ ...listItemOf(row), ...present({ waiting: waiting?.get(row.id) }) }),
    ({ created_at, id }) => CURSORS.write(created_at, id),
  );
}
