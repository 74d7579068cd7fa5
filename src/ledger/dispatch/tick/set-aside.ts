import { sql } from 'kysely';
import type { MessageId } from '../../../contract/index.js';
import { suppressPending } from '../../recipients/suppression-row.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import type { Want } from '../dispatch-ledger.js';
import { BLOCKER_COLUMNS, blockedOf, type BlockedMessage } from '../../streams/message-blocker.js';
import { suppressOverCap } from '../../streams/limits.js';
import { expirePending } from '../../messages/end-message.js';
import { expiresAt } from '../../messages/message-row.js';
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
  // The blocking row is locked until the end of the transaction: a transaction that ends the blocker waits for the lock,
  // and then sees the parked messages.
  const busy = wants.flatMap(({ shift: { instance }, busyRecipients }) =>
    busyRecipients.map((recipient) => ({ instance, recipient })),
  );
  const { rows: blocked } = await sql<BlockedMessage & { readonly is_parked: boolean }>`/* dispatch_park */
    with refused as materialized (
      select ${BLOCKER_COLUMNS} from messages m where m.id = any(${ids}::text[]) and m.state = 'pending'
      order by m.id for no key update of m skip locked
    ), busy_recipient as materialized (
      select * from json_to_recordset(${jsonText(busy)}::json) as b(instance text, recipient text)
    ), blocked as materialized (
      ${blockedOf(sql`refused`, nowMs, { busy: sql`busy_recipient`, locks: true })}
    ), parked as (
      update due_messages d set due_at = 'infinity', behind = b.behind from blocked b
      where b.behind is not null and d.stream_id = b.stream_id and d.due_at = b.due_at and d.place = b.place
      returning d.message_id
    )
    select b.id, b.instance, b.code, b.id in (select message_id from parked) as is_parked from blocked b`.execute(tx);
  const by = (wanted: BlockedMessage['code']) => blocked.flatMap(({ id, code }) => (code === wanted ? [id] : []));
  const [expired, suppressed, overCap] = [by('EXPIRED'), by('SUPPRESSED'), by('FREQUENCY_CAP_REACHED')];
  if (expired.length > 0) await expirePending(tx, messagesIn(expired), nowMs);
  if (suppressed.length > 0) await suppressPending(tx, messagesIn(suppressed).where, nowMs);
  const again = overCap.length === 0 ? [] : await suppressOverCap(tx, overCap, nowMs);
  return [...again, ...blocked.flatMap(({ instance, is_parked }) => (is_parked ? [instance] : []))];
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
    with moved as materialized (
      select m.stream_id, m.due_at, m.place, ${expiresAt('m')} as expires_at from messages m where m.id = any(${ids}::text[])
    )
    update due_messages d set expires_at = m.expires_at from moved m
    where m.expires_at > ${now} and d.stream_id = m.stream_id and d.due_at in (m.due_at, 'infinity') and d.place = m.place`.execute(
    tx,
  );
  return ids.length;
}
