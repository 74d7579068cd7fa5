import { sql } from 'kysely';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import { identicalHash } from './identical.js';

/**
 * RECIPIENT-1, in the transaction that learns lids, before it replaces the numbers with which they were known. An
 * attempt in flight keeps its hash if an identical message is in flight under the other key.
 */
export async function moveToNumber(
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
    ), talked as (
      delete from conversations c using learned l where c.recipient_key = l.lid
      returning l.recipient_key, c.instance, c.received_at, c.chat_id, c.arrived_at, c.is_unread
    ), talks as (
      insert into conversations as c (recipient_key, instance, received_at, chat_id, arrived_at, is_unread)
      select recipient_key, instance, max(received_at), (array_agg(chat_id order by arrived_at desc))[1], max(arrived_at),
        bool_or(is_unread)
      from talked group by recipient_key, instance
      on conflict (recipient_key, instance) do update set received_at = greatest(c.received_at, excluded.received_at),
        chat_id = case when excluded.arrived_at > c.arrived_at then excluded.chat_id else c.chat_id end,
        arrived_at = greatest(c.arrived_at, excluded.arrived_at), is_unread = c.is_unread or excluded.is_unread
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
