/**
 * The key of a message's recipient, by which messages are searched, limited and ordered.
 *
 * RECIPIENT-1 A lid that is known to belong to a number has the key of that number. A message to another lid has the
 *    lid as its key, until the lid is learned.
 * RECIPIENT-2 Only a lid is looked up, in the statement that needs the key: an ordinary number costs no read.
 */
import { type RawBuilder, sql } from 'kysely';
import { recipientKey } from '../../domain/index.js';
import { jsonText } from '../storage/statements.js';
import type { Tx } from '../storage/store.js';
import { identicalHash } from './identical.js';

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

/**
 * RECIPIENT-1, in the transaction that learns lids, before it replaces the numbers with which they were known. An
 * attempt in flight keeps its hash if an identical message is in flight under the other key.
 */
export async function moveMessages(
  tx: Tx,
  rows: readonly { readonly lid: string; readonly recipient_key: string }[],
): Promise<void> {
  await sql`
    with learned as materialized (
      select g.lid, g.recipient_key, array[g.lid, k.recipient_key] as before
      from json_to_recordset(${jsonText(rows)}::json) as g(lid text, recipient_key text)
      left join lateral (
        select recipient_key from known_lids where lid = g.lid offset 0) k on true
    ), moved as (
      update messages m set recipient_key = l.recipient_key from learned l
      where m.recipient_key = any(l.before) and m.chat_id = l.lid and m.recipient_key <> l.recipient_key
      returning m.id, m.instance, m.recipient_key, m.body_hash, m.state, m.stream_id, m.due_at, m.place
    ), due as (
      update due_messages d set recipient_key = m.recipient_key from moved m
      where m.state = 'pending' and d.stream_id = m.stream_id and d.due_at in (m.due_at, 'infinity') and d.place = m.place
    )
    update attempts a set identical_hash = first.hash from (
      select distinct on (m.instance, h.hash) a.seq, m.instance, h.hash
      from moved m join attempts a on a.message_id = m.id and a.identical_hash is not null
      cross join lateral (select ${identicalHash('m')} as hash) h
    ) first
    where a.seq = first.seq and not exists (
      select from attempts o where o.instance = first.instance and o.identical_hash = first.hash
        and (o.outcome is null or o.outcome = 'unknown'))`.execute(tx);
}
