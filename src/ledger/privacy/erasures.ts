/**
 * Erases a recipient from the ledger.
 *
 * ERASE-1 Work in flight ends first: pending messages are cancelled, and nothing is erased while a message or an edit
 *    is being posted, or a notification is not applied. The erasure shows what it waits for.
 * ERASE-2 Rows stay, with their states and times, so that totals add up. Personal data is removed: rows of the
 *    recipient are emptied, and the number is removed from other rows (personal-data.ts). Events only repeat other rows
 *    and are deleted.
 * ERASE-3 An erasure runs in parts, each a repeatable transaction. It ends once a whole pass finds nothing.
 * ERASE-4 A recipient who opted out stays suppressed: the entry contains a hash of the chat in its place. A campaign
 *    recipient without a posted message ends suppressed.
 * ERASE-5 A late receipt of an erased chat is erased from the inbox once it is applied. No event repeats it.
 * ERASE-6 Nothing that is still to be sent is changed, no URL and no id (still-needed.ts). The receipt lists what still
 *    contains the number.
 * ERASE-7 Nothing is sent to the recipient from the beginning of the erasure to its end: their chats are suppressed, and
 *    schedules that send to them have ended in the transaction that began the erasure.
 */
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { ERASED, type EditId, type MessageId, shortId } from '../../contract/index.js';
import { EDITS_UNDER_WAY, stateList } from '../storage/state-lists.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { shown, jsonText } from '../storage/statements.js';
import type { ErasuresTable, SchedulesTable } from '../storage/schema.js';
import { type Db, LedgerPart, onlyRow, type Tx } from '../storage/store.js';
import { recipientKey } from '../../domain/index.js';
import { formsOf } from '../recipients/known-lids.js';
import { addEntry } from '../recipients/suppression-row.js';
import { eraseMentions, mentionPattern, onlyNumberPattern, type KeptRows } from './erase-mentions.js';
import { eraseOwnRows, isOfErasure, type Subject } from './erase-own-rows.js';
import { eraseLateNotifications } from './late-notifications.js';

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
      await sql`insert into privacy_state default values on conflict do nothing`.execute(tx);
      const subject = await subjectOf(tx, id, chatId);
      await sql`
        insert into erased_chats (chat_hash, erasure_id)
        select ${keyedHash(sql`chat`)}, ${id}::text from unnest(${subject.chatIds}::text[]) chat`.execute(tx);
      // ERASE-4, ERASE-7. The alias stays on the list for later read-ahead, the chat itself until the end.
      const entry = { scope: 'all', source: 'operator', since: now, recorded_at: now, note: 'erased' } as const;
      for (const [at, alias] of subject.aliases.entries()) {
        await addEntry(tx, { chat_id: alias, ...entry }, [alias, ...subject.chatIds.slice(at, at + 1)]);
      }
      await endSchedules(tx, subject);
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

  /** One pass over all tables. @returns how many rows it erased, 0: nothing is left; and the rows that it kept */
  async pass(subject: Subject): Promise<{ readonly erased: number; readonly kept: KeptRows }> {
    const record = (tx: Tx, table: string, count: number) => addRows(tx, subject.erasureId, table, count);
    const own = await eraseOwnRows(this.database, subject, record);
    const { erased, kept } = await eraseMentions(this.database, subject, record);
    return { erased: own + erased, kept };
  }

  /** Removes the number and its lids last: a restarted erasure needs them. @param kept  ERASE-6 */
  async end({ erasureId, chatIds, aliases }: Subject, kept: KeptRows, nowMs: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        delete from known_lids where lid = any(${chatIds}::text[]) or recipient_key = any(${chatIds}::text[])`.execute(
        tx,
      );
      await addRows(tx, erasureId, 'known_lids', Number(numAffectedRows));
      await sql`
        delete from suppressed_chats where chat_id = any(${chatIds}::text[])
          and suppression_id in (select id from suppressions where ${isOfErasure(aliases)})`.execute(tx);
      await sql`
        update erasures set chat_id = null, ended_at = ${new Date(nowMs)}, waiting = '{}', kept = ${jsonText(kept)}
        where id = ${erasureId} and ended_at is null`.execute(tx);
    });
  }

  /**
   * ERASE-5.
   * @param keptForMs  how long notifications are kept, and so how late one may arrive
   * @returns how many notifications were erased
   */
  readonly eraseLate = eraseLateNotifications.bind(undefined, this.database);
}

async function subjectOf(db: Db, erasureId: string, chatId: string): Promise<Subject> {
  const chatIds = await formsOf(db, chatId);
  const digits = chatIds.map((one) => one.replace(/@.*$/, ''));
  return {
    erasureId,
    keys: [...new Set(chatIds.map(recipientKey))],
    chatIds,
    aliases: chatIds.map((_, at) => `erased:${erasureId}:${at}`),
    pattern: mentionPattern(digits),
    namePattern: onlyNumberPattern(digits),
  };
}

/** ERASE-7. Temporal's schedule follows the row. */
async function endSchedules(tx: Tx, { erasureId, chatIds, aliases }: Subject): Promise<void> {
  const { rows } = await sql<Selectable<SchedulesTable>>`
    select * from schedules where definition -> 'message' ->> 'to' = any(${chatIds}::text[]) for update`.execute(tx);
  for (const { id, state, definition } of rows) {
    const { instance } = definition.message!;
    const message = { instance, to: aliases[0], content: { kind: 'text', text: ERASED } };
    const ended = {
      definition: jsonText({ ...definition, message }),
      note: `its recipient was erased: ${erasureId}`,
      state: state === 'deleted' ? state : ('ended' as const),
    };
    await tx
      .updateTable('schedules')
      .set((is) => ({ ...ended, version: is('version', '+', 1) }))
      .where('id', '=', id)
      .execute();
  }
  await addRows(tx, erasureId, 'schedules', rows.length);
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
    ...shown(row, 'id', 'requested_by', 'requested_at', 'ended_at', 'rows', 'waiting', 'kept', 'chat_hashes'),
    state: row.ended_at === null ? ('pending' as const) : ('done' as const),
  };
}

/**
 * The receipt does not contain the number: `chatHashes` are keyed hashes of the chat. `rows` counts the erased rows of
 * each table, `waiting` what the erasure waits for, `kept` the rows that still contain the number (ERASE-6).
 */
export type ErasureReceipt = Awaited<ReturnType<typeof receiptOf>>;
