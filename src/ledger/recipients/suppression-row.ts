import { randomBytes } from 'node:crypto';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import { shortId, type Suppression, type MessageId } from '../../contract/index.js';
import { recipientKey } from '../../domain/index.js';
import type { SuppressionsTable } from '../storage/schema.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { isoTime, shown } from '../storage/statements.js';
import type { Db, Tx, Store } from '../storage/store.js';
import { moveMessages } from '../messages/writer/move-messages.js';

/** SUPPRESS-4: a START arrived since, which did not remove this entry. */
const START_WORD_AT = sql<Date | null>`case when s.removed_at is null and s.source <> 'stop_word' then (
  select max(w.at) from suppressed_chats x join start_words w on w.chat_id = x.chat_id
  where x.suppression_id = s.id and (s.instance is null or w.instance = s.instance) and w.at > s.since) end`;

export function suppressionRows(db: Db) {
  return db.selectFrom('suppressions as s').selectAll('s').select(START_WORD_AT.as('start_word_at'));
}

export function suppressionOf(
  row: Selectable<SuppressionsTable> & { readonly start_word_at: Date | null },
): Suppression {
  return {
    ...shown(row, 'id', 'chat_id', 'scope', 'source', 'since', 'recorded_at', 'instance', 'word', 'id_message', 'note'),
    ...shown(row, 'removed_at', 'removed_by', 'removed_word', 'removed_id_message', 'start_word_at'),
  };
}

/** Entries of a recipient who has one of these ids. */
export function isOfChats(chatIds: readonly string[]) {
  return sql<boolean>`s.id in (select suppression_id from suppressed_chats where chat_id = any(${namesOf(chatIds)}))`;
}

/** The ids, and the hashes by which erased chats are known. */
export function namesOf(chatIds: readonly string[]) {
  return sql`array(select unnest(${chatIds}::text[]) union all select ${keyedHash(sql`chat`)} from unnest(${chatIds}::text[]) chat)`;
}

/**
 * SUPPRESS-1 as a `from` clause: the entries `s` that apply to a message to the chat of one table, with the columns
 * `instance`, `category` and `campaign_id` of the other. An entry of one account of a campaign applies to all of them. "offset 0" makes the database look up the chat first and then its few
 * entries; without statistics it would scan the whole list for every message. Erased recipients are listed by hash
 * (ERASE-4); hashes are computed only if there are any.
 */
export function activeEntries(ofChat: string, ofMessage = ofChat) {
  const chatId = sql.ref(`${ofChat}.chat_id`);
  const m = sql.table(ofMessage);
  return sql`suppressed_chats x cross join lateral (
      select * from suppressions where id = x.suppression_id offset 0) s
    where x.chat_id = any(case when (select keeps_hashes from privacy_state)
        then array[${chatId}, ${keyedHash(sql`${chatId}`)}] else array[${chatId}] end)
      and s.removed_at is null and (s.instance is null or s.instance = ${m}.instance or exists (
        select from campaign_accounts p where p.campaign_id = ${m}.campaign_id and p.instance = s.instance))
      and (s.scope = 'all' or ${m}.category = 'marketing')`;
}

/** Until the end of the transaction no other one writes words or decisions of the instance. */
export async function lockOptOuts(tx: Tx, instance: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('opt-out ' || ${instance}::text, 0))`.execute(tx);
}

/**
 * Writes an entry and the chat ids that it applies to.
 * @returns its id; undefined if the same word or request has an entry
 */
export async function addEntry(
  tx: Tx,
  entry: Omit<Insertable<SuppressionsTable>, 'id'>,
  chatIds: readonly string[],
): Promise<string | undefined> {
  const id = newSuppressionId();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suppressions')
    .values({ id, ...entry })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  await sql`
    insert into suppressed_chats (chat_id, suppression_id) select unnest(${chatIds}::text[]), ${id}`.execute(tx);
  return id;
}

export function newSuppressionId(): string {
  return `sup_${shortId(randomBytes(10))}`;
}

/**
 * SUPPRESS-2, SUPPRESS-7: a pending message to a suppressed chat ends when the later of message and entry is written.
 * A message that another transaction is changing ends at its claim. The evidence is the entry that has applied for
 * longest.
 * @param some  a condition on the message `m`
 */
export async function suppressPending(tx: Tx, some: RawBuilder<unknown>, nowMs: number): Promise<MessageId[]> {
  const suppressed = {
    join: sql`cross join lateral (
      select s.id as entry, s.source, s.scope, s.since, s.instance as of_instance from ${activeEntries('m')}
      order by s.since, s.id limit 1) active`,
    columns: sql`active.*`,
    where: some,
    skipsLocked: true,
  };
  const detail = sql`json_strip_nulls(json_build_object('entry', c.entry, 'source', c.source, 'scope', c.scope,
    'since', ${isoTime('c.since')}, 'instance', c.of_instance))`;
  const reason = sql`'suppressed_' || c.source`;
  const end = { reason, reason_text: null, witness: 'suppression', detail, nowMs };
  return (await moveMessages(tx, 'suppressed', suppressed, end)).map(({ id }) => id);
}

/** A condition on the message `m`. */
export function isToOneOf(chatIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`m.recipient_key = any(${chatIds.map(recipientKey)}::text[])`;
}

/**
 * SUPPRESS-3: the first START after a STOP closes it, also if it was recorded earlier or came from another form of the
 * recipient. An entry that an operator removed stays as it is.
 * @param chatIds  every form of one recipient
 * @returns how many entries it closed, or closed earlier than before
 */
export async function closeByStartWords(tx: Tx, chatIds: readonly string[]): Promise<number> {
  const names = namesOf(chatIds);
  const { rows } = await sql`
    update suppressions s
    set removed_at = first.at, removed_by = 'start_word', removed_word = first.word, removed_id_message = first.id_message
    from (
      select stop.id, w.at, w.word, w.id_message
      from suppressions stop cross join lateral (
        select w.at, w.word, w.id_message from start_words w
        where w.chat_id = any(${names}) and w.instance = stop.instance and w.at > stop.since
        order by w.at, w.id_message limit 1) w
      where stop.source = 'stop_word' and stop.id in (
        select suppression_id from suppressed_chats where chat_id = any(${names}))
    ) first
    where s.id = first.id and (s.removed_at is null
      or (s.removed_by = 'start_word' and (s.removed_at, s.removed_id_message) > (first.at, first.id_message)))
    returning s.id`.execute(tx);
  return rows.length;
}

/** For messages that were just written. Begins a transaction only if there are such messages. */
export async function suppressWritten(store: Store, ids: readonly MessageId[], nowMs: number): Promise<MessageId[]> {
  const isOneOf = sql`m.id = any(${ids}::text[])`;
  const rows = await store.rows(
    sql`select from messages m where ${isOneOf} and exists (select from ${activeEntries('m')}) limit 1`,
  );
  return rows.length === 0 ? [] : store.transaction((tx) => suppressPending(tx, isOneOf, nowMs));
}
