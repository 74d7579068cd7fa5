/**
 * The key of a message's recipient, by which messages are searched, limited and ordered.
 *
 * RECIPIENT-1 A lid that is known to belong to a number has the key of that number. A message to another lid has the
 *    lid as its key, until the lid is learned.
 * RECIPIENT-2 Only a lid is looked up, in the statement that needs the key: an ordinary number costs no read.
 */
import { type RawBuilder, sql } from 'kysely';
import { recipientKey } from '../../domain/index.js';

/**
 * RECIPIENT-2, for rows of which `recipient_key` is the key of their chat id alone.
 * @param row  an alias with both columns
 */
export function keyOfRow(row: string): RawBuilder<string> {
  const r = sql.table(row);
  return sql`case when ${r}.chat_id like '%@lid' then coalesce(${ownerOf(sql`${r}.chat_id`)}, ${r}.chat_id)
    else ${r}.recipient_key end`;
}

/** RECIPIENT-2, of one chat id. */
export function keyOf(chatId: string): RawBuilder<string> {
  const key = sql<string>`${recipientKey(chatId)}::text`;
  return chatId.endsWith('@lid') ? sql`coalesce(${ownerOf(key)}, ${key})` : key;
}

function ownerOf(lid: RawBuilder<unknown>) {
  return sql`(select k.recipient_key from known_lids k where k.lid = ${lid})`;
}
