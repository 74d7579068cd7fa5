/**
 * Erases a recipient from the ledger.
 *
 * ERASE-1 Work in flight ends first: pending messages are cancelled, and nothing is erased while a message or an edit
 *    is being posted, or a notification is not applied. The erasure shows what it waits for.
 * ERASE-2 Rows stay, with their states and times, so that totals add up. Personal data is removed: rows of the
 *    recipient are emptied, and in other rows the data that contains the number (personal-data.ts). Events only repeat
 *    other rows and are deleted.
 * ERASE-3 An erasure runs in parts, each a repeatable transaction. It ends once a whole pass finds nothing.
 * ERASE-4 A recipient who opted out stays suppressed: the entry contains a hash of the chat in its place. A campaign
 *    recipient without a posted message ends suppressed.
 * ERASE-5 A late receipt of an erased chat is erased from the inbox once it is applied.
 */
import { randomBytes, createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { type EditId, type MessageId, shortId } from '../../contract/index.js';
import { EDITS_UNDER_WAY, stateList } from '../messages/message-state.js';
import { shown, jsonText } from '../storage/statements.js';
import type { ErasuresTable, NotificationsTable, PrivacyStateTable } from '../schema.js';
import { type Db, LedgerPart, onlyRow, type Tx, type Store } from '../storage/store.js';
import { chatForms, readChatId, recipientKey } from '../../domain/index.js';
import { formsOf } from '../recipients/known-lids.js';
import { addEntry } from '../suppressions/suppression-row.js';
import { eraseMentions, mentionPattern, blank } from './erase-mentions.js';
import { eraseOwnRows, type Subject } from './erase-own-rows.js';

export class Erasures extends LedgerPart {
  /** A repeated request while it is pending is the same erasure. */
  async begin(input: {
    readonly chatId: string;
    readonly requestedBy: string;
    readonly nowMs: number;
  }): Promise<{ readonly receipt: ErasureReceipt; readonly isNew: boolean }> {
    const { chatId, requestedBy, nowMs } = input;
    return this.database.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('erasure ' || ${chatId}::text, 0))`.execute(tx);
      const { rows: open } = await sql<{ id: string }>`select id from erasures where chat_id = ${chatId}`.execute(tx);
      if (open[0] !== undefined) return { receipt: await receiptOf(tx, open[0].id), isNew: false };
      const id = `ers_${shortId(randomBytes(10))}`;
      const now = new Date(nowMs);
      await sql`
        insert into erasures (id, chat_id, requested_by, requested_at)
        values (${id}, ${chatId}, ${requestedBy}, ${now})`.execute(tx);
      await sql`
        insert into privacy_state (hash_key) values (${randomBytes(32)}::bytea) on conflict do nothing`.execute(tx);
      const subject = await subjectOf(tx, id, chatId);
      await sql`
        insert into erased_chats (chat_hash, erasure_id)
        select chat_hash(chat), ${id}::text from unnest(${subject.chatIds}::text[]) chat`.execute(tx);
      await suppressAliases(tx, subject, now);
      return { receipt: await receiptOf(tx, id), isNew: true };
    });
  }

  async find(id: string): Promise<ErasureReceipt | undefined> {
    return this.database.run(async (db) => {
      const known = await db.selectFrom('erasures').select('id').where('id', '=', id).executeTakeFirst();
      return known && receiptOf(db, id);
    });
  }

  async open(): Promise<Subject[]> {
    return this.database.run(async (db) => {
      const { rows } = await sql<{ id: string; chat_id: string }>`
        select id, chat_id from erasures where ended_at is null order by requested_at`.execute(db);
      return Promise.all(rows.map(({ id, chat_id }) => subjectOf(db, id, chat_id)));
    });
  }

  /** ERASE-1. @returns a batch of messages and edits that were not begun yet */
  async pending({ keys }: Subject): Promise<{ readonly messages: MessageId[]; readonly edits: EditId[] }> {
    const [messages, edits] = [
      await this.database.rows(sql<{ id: MessageId }>`
        select id from messages where recipient_key = any(${keys}::text[]) and state = 'pending' limit 100`),
      await this.database.rows(sql<{ id: EditId }>`
        select e.id from messages m join edits e on e.message_id = m.id
        where m.recipient_key = any(${keys}::text[]) and e.state = 'pending' limit 100`),
    ];
    return { messages: messages.map(({ id }) => id), edits: edits.map(({ id }) => id) };
  }

  /** ERASE-1. @returns what it waits for; empty once nothing is in flight */
  async inFlight({ erasureId, keys, pattern }: Subject): Promise<Readonly<Record<string, number>>> {
    return this.database.transaction(async (tx) => {
      const counts = sql<Record<'messages' | 'edits' | 'notifications', number>>`
        select
          (select count(*)::int from messages
            where recipient_key = any(${keys}::text[]) and state in ${stateList('pending', 'in_flight')}) as messages,
          (select count(*)::int from edits e join messages m on m.id = e.message_id
            where m.recipient_key = any(${keys}::text[]) and e.state in ${EDITS_UNDER_WAY}) as edits,
          (select count(*)::int from pending_notifications p join notifications n on n.id = p.notification_id
            where n.body::text ~ ${pattern}) as notifications`;
      const waiting = Object.fromEntries(Object.entries(await onlyRow(tx, counts)).filter(([, count]) => count > 0));
      await sql`update erasures set waiting = ${jsonText(waiting)} where id = ${erasureId}`.execute(tx);
      return waiting;
    });
  }

  /** One pass over all tables. @returns how many rows it erased; 0: nothing is left */
  async pass(subject: Subject): Promise<number> {
    const record = (tx: Tx, table: string, count: number) => addRows(tx, subject.erasureId, table, count);
    return (await eraseOwnRows(this.database, subject, record)) + (await eraseMentions(this.database, subject, record));
  }

  /** Removes the number and its lids last: a restarted erasure needs them. */
  async end({ erasureId, chatIds }: Subject, nowMs: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        delete from known_lids where lid = any(${chatIds}::text[]) or recipient_key = any(${chatIds}::text[])`.execute(
        tx,
      );
      await addRows(tx, erasureId, 'known_lids', Number(numAffectedRows));
      await sql`
        update erasures set chat_id = null, ended_at = ${new Date(nowMs)}, waiting = '{}'
        where id = ${erasureId} and ended_at is null`.execute(tx);
    });
  }

  /**
   * ERASE-5.
   * @param keptForMs  how long notifications are kept, and so how late one may arrive
   * @returns how many notifications were erased
   */
  async eraseLate({ nowMs, keptForMs }: { readonly nowMs: number; readonly keptForMs: number }): Promise<number> {
    const hashes = await this.database.rows(sql<{ chat_hash: string }>`
      select c.chat_hash from erased_chats c join erasures e on e.id = c.erasure_id
      where e.ended_at >= ${new Date(nowMs - keptForMs)}`);
    if (hashes.length === 0) return passOver(this.database);
    const erased = new Set(hashes.map(({ chat_hash }) => chat_hash));
    let count = 0;
    for (;;) {
      const part = await erasePart(this.database, erased, nowMs - SETTLED_MS);
      count += part.erased;
      if (part.read < AT_ONCE) return count;
    }
  }
}

async function subjectOf(db: Db, erasureId: string, chatId: string): Promise<Subject> {
  const chatIds = await formsOf(db, chatId);
  return {
    erasureId,
    keys: [...new Set(chatIds.map(recipientKey))],
    chatIds,
    aliases: chatIds.map((_, at) => `erased:${erasureId}:${at}`),
    pattern: mentionPattern(chatIds.map((one) => one.replace(/@.*$/, ''))),
  };
}

/** ERASE-4: later read-ahead finds the recipient's alias on the list. */
async function suppressAliases(tx: Tx, { aliases }: Subject, now: Date): Promise<void> {
  const entry = { scope: 'all', source: 'operator', since: now, recorded_at: now, note: 'erased' } as const;
  for (const alias of aliases) await addEntry(tx, { chat_id: alias, ...entry }, [alias]);
}

async function addRows(tx: Tx, id: string, table: string, count: number): Promise<void> {
  if (count === 0) return;
  await sql`
    update erasures set rows = (rows::jsonb || jsonb_build_object(${table}::text,
      coalesce((rows ->> ${table}::text)::integer, 0) + ${count}::integer))::json
    where id = ${id}`.execute(tx);
}

async function receiptOf(db: Db, id: string) {
  const row = await onlyRow(
    db,
    sql<Selectable<ErasuresTable> & { chat_hashes: string[] }>`
    select *, array(select chat_hash from erased_chats where erasure_id = ${id}) as chat_hashes
    from erasures where id = ${id}`,
  );
  return {
    ...shown(row, 'id', 'requested_by', 'requested_at', 'ended_at', 'rows', 'waiting', 'chat_hashes'),
    state: row.ended_at === null ? ('pending' as const) : ('done' as const),
  };
}

/**
 * The receipt does not contain the number: `chatHashes` are keyed hashes of the chat. `rows` counts the erased rows of
 * each table, `waiting` what the erasure waits for.
 */
export type ErasureReceipt = Awaited<ReturnType<typeof receiptOf>>;

/** Notifications of messages that we sent. A message that a recipient writes after the erasure is new data. */
const ABOUT_SENT = ['outgoingMessageStatus', 'outgoingAPIMessageReceived', 'outgoingMessageReceived'];
const AT_ONCE = 500;
/** Ids are assigned before the commit, so a smaller id may become visible later, by this much. */
const SETTLED_MS = 10_000;

/** While no chat is erased, the existing notifications never have to be searched. */
async function passOver(store: Store): Promise<number> {
  await store.rows(sql`
      update privacy_state set notifications_checked = newest.id
      from (select coalesce(max(id), 0) as id from notifications) newest
      where notifications_checked < newest.id - ${AT_ONCE}::bigint`);
  return 0;
}

type Inbox = Pick<Selectable<NotificationsTable>, 'id' | 'kind' | 'body' | 'received_at'> & { is_pending: boolean };

function erasePart(store: Store, erased: ReadonlySet<string>, beforeMs: number) {
  return store.transaction(async (tx) => {
    const state = await onlyRow(tx, sql<Selectable<PrivacyStateTable>>`select * from privacy_state for update`);
    const { rows } = await sql<Inbox>`
      select n.id, n.kind, n.body, n.received_at, p.notification_id is not null as is_pending
      from notifications n left join pending_notifications p on p.notification_id = n.id
      where n.id > ${state.notifications_checked} order by n.id limit ${AT_ONCE}`.execute(tx);
    // A notification that is not applied yet, or that an earlier id may still precede, delays the ones behind it.
    const firstPending = rows.findIndex((row) => row.is_pending || row.received_at.getTime() > beforeMs);
    const applied = firstPending < 0 ? rows : rows.slice(0, firstPending);
    let count = 0;
    for (const { id, kind, body } of applied) {
      if (!ABOUT_SENT.includes(kind ?? '') || !isOfOne(body, (chatId) => erased.has(hashOf(chatId, state.hash_key))))
        continue;
      await sql`update notifications set body = ${jsonText(blank(body, () => false))} where id = ${id}`.execute(tx);
      count += 1;
    }
    const last = applied.at(-1);
    if (last !== undefined) await sql`update privacy_state set notifications_checked = ${last.id}`.execute(tx);
    return { read: applied.length, erased: count };
  });
}

/** Every notation of a chat id, also with a device part. */
const CHAT_LIKE = /\b\d[\d.:-]{4,70}@[a-z.]{3,20}/gi;

function isOfOne(body: unknown, isErased: (chatId: string) => boolean): boolean {
  const text = JSON.stringify(body) ?? '';
  const chats = text.match(CHAT_LIKE) ?? [];
  return [...new Set(chats)].some((chat) => chatForms(readChatId(chat) ?? chat).some(isErased));
}

/** The same as the database function chat_hash. */
function hashOf(chatId: string, key: Uint8Array): string {
  return `hash:${createHash('sha256').update(key).update(chatId).digest('hex')}`;
}
