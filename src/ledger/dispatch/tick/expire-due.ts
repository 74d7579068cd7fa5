import { sql, type RawBuilder } from 'kysely';
import type { MessageId } from '../../../contract/index.js';
import { EXPIRED_UNPOSTED } from '../../campaigns/campaign-tally.js';
import { type Db, retryingTransaction, type Store } from '../../storage/store.js';

/**
 * Ends those of the selected messages that are pending and past their expiry. @param some  a condition on the message
 * `m`
 */
export async function endExpired(db: Db, some: RawBuilder<unknown>, nowMs: number): Promise<MessageId[]> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ message_id: MessageId }>`
    with expired as materialized (
      select m.id from messages m
      where ${some} and (m.state = 'pending') is true and m.expires_at <= ${now}
      order by m.id for no key update of m skip locked
    ), ended as (
      update messages m set state = 'expired', reason = ${EXPIRED_UNPOSTED}, ended_at = ${now}, version = m.version + 1
      from expired e where m.id = e.id
      returning m.id, m.version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, 'expired:' || version, ${now}, 'clock', ${EXPIRED_UNPOSTED}::text from ended
    returning message_id`.execute(db);
  return rows.map(({ message_id }) => message_id);
}

/**
 * Ends pending messages past their expiry, also in streams that are not selected. If a message's deadline was moved,
 * its due row gets the new deadline.
 * @returns how many were read; fewer than `limit` means that none is left
 */
export async function expireDue(store: Store, limit: number, nowMs: number): Promise<number> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const rows = await store.rows(sql<{ message_id: MessageId }>`
    select message_id from due_messages where expires_at <= ${now} order by expires_at limit ${limit}`);
  const ids = rows.map(({ message_id }) => message_id);
  if (ids.length === 0) return 0;
  return retryingTransaction(store, async (tx) => {
    await endExpired(tx, sql`m.id = any(${ids}::text[])`, nowMs);
    await sql`
      update due_messages d set expires_at = m.expires_at from messages m
      where m.id = any(${ids}::text[]) and m.expires_at > ${now} and d.stream_id = m.stream_id
        and d.due_at in (m.due_at, 'infinity') and d.place = m.place`.execute(tx);
    return ids.length;
  });
}
