import { sql } from 'kysely';
import type { MessageId } from '../../../contract/index.js';
import { suppressPending } from '../../recipients/suppression-row.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import type { Want } from '../dispatch-ledger.js';
import { identicalHash } from '../../messages/identical.js';
import { suppressOverCap } from '../streams/limits.js';
import { stateList } from '../../storage/state-lists.js';
import { expirePending } from '../../messages/end-message.js';
import { messagesIn } from '../../messages/writer/move-messages.js';

/**
 * DISPATCH-4: a message that was selected but not claimed is not selected again before something changes. It ends if it
 * has expired or its recipient is suppressed; otherwise it is parked behind the message or campaign that blocks it. A
 * message that another transaction is changing is skipped.
 * @returns instances in which the frequency cap ended a message, or one was parked: a message behind it may be claimed
 *   at once. Otherwise a backlog to one slow chat would hide the other chats of its stream
 */
export async function setAside(
  tx: Tx,
  ids: readonly MessageId[],
  wants: readonly Want[],
  nowMs: number,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  await expirePending(tx, { ...messagesIn(ids), skipsLocked: true }, nowMs);
  await suppressPending(tx, messagesIn(ids).where, nowMs);
  const again = await suppressOverCap(tx, ids, nowMs);
  return [...again, ...(await park(tx, ids, wants))];
}

/**
 * The blocking row is locked until the end of the transaction: a transaction that ends the blocker waits for the lock,
 * and then sees the parked messages.
 * @returns the instances of the parked messages
 */
async function park(tx: Tx, ids: readonly MessageId[], wants: readonly Want[]): Promise<readonly string[]> {
  const busy = wants.flatMap(({ shift: { instance }, busyRecipients }) =>
    busyRecipients.map((recipient) => ({ instance, recipient })),
  );
  const { rows } = await sql<{ instance: string }>`
    with refused as materialized (
      select m.id, m.instance, m.recipient_key, m.body_hash, m.stream_id, m.due_at, m.place, m.campaign_id, m.content_version
      from messages m where m.id = any(${ids}::text[]) and m.state = 'pending'
      order by m.id for no key update of m skip locked
    ), busy as materialized (
      select * from json_to_recordset(${jsonText(busy)}::json) as b(instance text, recipient text)
    ), waiting as (
      select r.*, coalesce(stale.id, identical.id, of_recipient.id) as behind
      from refused r
      left join lateral (
        select c.id from campaigns c
        where c.id = r.campaign_id and c.content_version <> r.content_version for share of c skip locked) stale on true
      left join lateral (
        select h.id from attempts a join messages h on h.id = a.message_id
        where a.instance = r.instance
          and a.identical_hash = ${identicalHash('r')}
          and (a.outcome is null or a.outcome = 'unknown') and h.state in ${stateList('in_flight', 'unresolved')}
        limit 1 for share of h skip locked) identical on true
      left join lateral (
        select h.id from attempts a join messages h on h.id = a.message_id
        where a.instance = r.instance and a.identical_hash is not null and a.outcome is null
          and h.recipient_key = r.recipient_key and h.state = 'sending' and exists (
            select from busy b where b.instance = r.instance and b.recipient = r.recipient_key)
        limit 1 for share of h skip locked) of_recipient on true
    )
    update due_messages d set due_at = 'infinity', behind = w.behind
    from waiting w
    where w.behind is not null and d.stream_id = w.stream_id and d.due_at = w.due_at and d.place = w.place
    returning w.instance`.execute(tx);
  return rows.map(({ instance }) => instance);
}

/**
 * Ends pending messages past their expiry, whether or not their stream is ready. If a message's deadline was moved, its
 * due row gets the new deadline.
 * @returns how many were read; `limit` means that there may be more
 */
export async function expireDue(tx: Tx, limit: number, nowMs: number): Promise<number> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ message_id: MessageId }>`
    select message_id from due_messages where expires_at <= ${now} order by expires_at limit ${limit}`.execute(tx);
  const ids = rows.map(({ message_id }) => message_id);
  if (ids.length === 0) return 0;
  await expirePending(tx, { ...messagesIn(ids), skipsLocked: true }, nowMs);
  await sql`
    update due_messages d set expires_at = m.expires_at from messages m
    where m.id = any(${ids}::text[]) and m.expires_at > ${now} and d.stream_id = m.stream_id
      and d.due_at in (m.due_at, 'infinity') and d.place = m.place`.execute(tx);
  return ids.length;
}
