import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { jsonText } from '../storage/statements.js';
import type { Store } from '../storage/store.js';
import { chatForms } from '../suppressions/suppression-row.js';
import { blank } from './erase-mentions.js';

/** Notifications of messages that we sent. A message that a recipient writes after the erasure is new data. */
const ABOUT_SENT = ['outgoingMessageStatus', 'outgoingAPIMessageReceived', 'outgoingMessageReceived'];
const AT_ONCE = 500;
/** Ids are assigned before the commit, so a smaller id may become visible later, by this much. */
const SETTLED_MS = 10_000;

/** ERASE-5. @returns how many notifications were erased */
export async function eraseLateNotifications(
  store: Store,
  { nowMs, keptForMs }: { readonly nowMs: number; readonly keptForMs: number },
): Promise<number> {
  const hashes = await store.run((db) =>
    db
      .selectFrom('erased_chats as c')
      .innerJoin('erasures as e', 'e.id', 'c.erasure_id')
      .where('e.ended_at', '>=', new Date(nowMs - keptForMs))
      .select('c.chat_hash')
      .execute(),
  );
  if (hashes.length === 0) return passOver(store);
  const erased = new Set(hashes.map(({ chat_hash }) => chat_hash));
  let count = 0;
  for (;;) {
    const part = await erasePart(store, erased, nowMs - SETTLED_MS);
    count += part.erased;
    if (part.read < AT_ONCE) return count;
  }
}

/** While no chat is erased, the existing notifications never have to be searched. */
async function passOver(store: Store): Promise<number> {
  await store.run((db) =>
    sql`
      update privacy_state set notifications_checked = newest.id
      from (select coalesce(max(id), 0) as id from notifications) newest
      where notifications_checked < newest.id - ${AT_ONCE}::bigint`.execute(db),
  );
  return 0;
}

async function erasePart(
  store: Store,
  erased: ReadonlySet<string>,
  beforeMs: number,
): Promise<{ read: number; erased: number }> {
  return store.transaction(async (tx) => {
    const state = await tx.selectFrom('privacy_state').selectAll().forUpdate().executeTakeFirstOrThrow();
    const rows = await tx
      .selectFrom('notifications as n')
      .leftJoin('pending_notifications as p', 'p.notification_id', 'n.id')
      .where('n.id', '>', state.notifications_checked)
      .select(['n.id', 'n.kind', 'n.body', 'n.received_at', 'p.notification_id as pending'])
      .orderBy('n.id')
      .limit(AT_ONCE)
      .execute();
    // A notification that is not applied yet, or that an earlier id may still precede, delays the ones behind it.
    const firstPending = rows.findIndex((row) => row.pending !== null || row.received_at.getTime() > beforeMs);
    const applied = firstPending < 0 ? rows : rows.slice(0, firstPending);
    let count = 0;
    for (const { id, kind, body } of applied) {
      if (!ABOUT_SENT.includes(kind ?? '') || !isOfOne(body, (chatId) => erased.has(hashOf(chatId, state.hash_key))))
        continue;
      await tx
        .updateTable('notifications')
        .set({ body: jsonText(blank(body, () => false)) })
        .where('id', '=', id)
        .execute();
      count += 1;
    }
    const last = applied.at(-1);
    if (last !== undefined) await tx.updateTable('privacy_state').set({ notifications_checked: last.id }).execute();
    return { read: applied.length, erased: count };
  });
}

function isOfOne(body: unknown, isErased: (chatId: string) => boolean): boolean {
  const text = JSON.stringify(body) ?? '';
  const chats = text.match(/\d{5,32}@(?:c\.us|lid|g\.us)/g) ?? [];
  return [...new Set(chats)].some((chat) => chatForms(chat).some(isErased));
}

/** The same as the database function chat_hash. */
function hashOf(chatId: string, key: Uint8Array): string {
  return `hash:${createHash('sha256').update(key).update(chatId).digest('hex')}`;
}
