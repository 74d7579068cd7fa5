/**
 * ERASE-5: notifications of messages to an erased recipient that arrive after the erasure, e.g. that they read the last
 * one. Their states are applied; the stored notification is blanked, and no event repeats it.
 */
import { createHash } from 'node:crypto';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { chatForms, readChatId } from '../../domain/index.js';
import type { LedgerIdentityTable, NotificationsTable, PrivacyStateTable } from '../storage/schema.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { jsonText } from '../storage/statements.js';
import { onlyRow, type Store } from '../storage/store.js';
import { blank } from './blank-data.js';

/** @returns how many notifications were erased */
export async function eraseLateNotifications(
  store: Store,
  { nowMs, keptForMs }: { readonly nowMs: number; readonly keptForMs: number },
): Promise<number> {
  const hashes = await store.rows(sql<{ chat_hash: string }>`
    select c.chat_hash from erased_chats c join erasures e on e.id = c.erasure_id
    where e.ended_at >= ${new Date(nowMs - keptForMs)}`);
  if (hashes.length === 0) {
    // While no chat is erased, the existing notifications never have to be searched.
    await store.rows(sql`
      update privacy_state set notifications_checked = newest.id
      from (select coalesce(max(id), 0) as id from notifications) newest
      where notifications_checked < newest.id - ${AT_ONCE}::bigint`);
    return 0;
  }
  const erased = new Set(hashes.map(({ chat_hash }) => chat_hash));
  let count = 0;
  for (;;) {
    const part = await erasePart(store, erased, nowMs - SETTLED_MS);
    count += part.erased;
    if (part.read < AT_ONCE) return count;
  }
}

/**
 * Whether an arriving notification is about a message to an erased recipient. Not if everpost sends to them again, and
 * the notification names such a message.
 * @param of  its row, with `instance`, `kind`, `body`, and the chat as `event_key`
 */
export function isOfErased(of: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(${of}.kind = any(${ABOUT_SENT}::text[])
    and exists (select from erased_chats where chat_hash = ${keyedHash(sql`${of}.event_key`)})
    and not exists (
      select from message_ids i join messages m on m.id = i.message_id
      where i.instance = ${of}.instance and i.id_message = ${of}.body ->> 'idMessage' and m.chat_id not like 'erased:%'))`;
}

/** Notifications of messages that we sent. A message that a recipient writes after the erasure is new data. */
const ABOUT_SENT = ['outgoingMessageStatus', 'outgoingAPIMessageReceived', 'outgoingMessageReceived'];
const AT_ONCE = 500;
/** Ids are assigned before the commit, so a smaller id may become visible later, by this much. */
const SETTLED_MS = 10_000;

/** Every notation of a chat id, also with a device part. */
const CHAT_LIKE = /\b\d[\d.:-]{4,70}@[a-z.]{3,20}/gi;

function erasePart(store: Store, erased: ReadonlySet<string>, beforeMs: number) {
  return store.transaction(async (tx) => {
    const state = await onlyRow(
      tx,
      sql<Selectable<PrivacyStateTable> & Pick<LedgerIdentityTable, 'hash_key'>>`
      select s.*, i.hash_key from privacy_state s cross join ledger_identity i for update of s`,
    );
    const { rows } = await sql<
      Pick<Selectable<NotificationsTable>, 'id' | 'kind' | 'body' | 'received_at'> & { is_pending: boolean }
    >`
      select n.id, n.kind, n.body, n.received_at, p.notification_id is not null as is_pending
      from notifications n left join pending_notifications p on p.notification_id = n.id
      where n.id > ${state.notifications_checked} order by n.id limit ${AT_ONCE}`.execute(tx);
    // A notification that is not applied yet, or that an earlier id may still precede, delays the ones behind it.
    const firstPending = rows.findIndex((row) => row.is_pending || row.received_at.getTime() > beforeMs);
    const applied = firstPending < 0 ? rows : rows.slice(0, firstPending);
    let count = 0;
    for (const { id, kind, body } of applied) {
      if (!ABOUT_SENT.includes(kind ?? '')) continue;
      const chats = new Set((JSON.stringify(body) ?? '').match(CHAT_LIKE) ?? []);
      const forms = [...chats].flatMap((chat) => chatForms(readChatId(chat) ?? chat));
      // The same as `keyedHash`.
      const hashed = forms.map((form) => createHash('sha256').update(state.hash_key).update(form).digest('hex'));
      if (!hashed.some((hash) => erased.has(`hash:${hash}`))) continue;
      const blanked = jsonText(blank(body, () => false));
      await sql`
        update notifications set body = ${blanked}, hidden = null, chat_id = null where id = ${id}`.execute(tx);
      count += 1;
    }
    const last = applied.at(-1);
    if (last !== undefined) await sql`update privacy_state set notifications_checked = ${last.id}`.execute(tx);
    return { read: applied.length, erased: count };
  });
}
