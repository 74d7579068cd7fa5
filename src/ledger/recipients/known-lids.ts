/**
 * Lids that are known to belong to a number. The network replaces numbers by lids in more and more places; a gateway
 * shows both together only in some of them.
 *
 * LID-1 A lid belongs to the number with which it was shown last. The keys and forms of a recipient include the known
 *    lids. What was sent to a lid, and heard from it, moves to the number.
 * LID-2 Learning a lid gives each entry of the suppression list, and each START, of one form to all forms, and ends
 *    pending messages, in one transaction. An entry is never taken from a form: if a lid is shown with another number,
 *    its entries apply to both numbers.
 * LID-3 A lid is not learned while the suppression list, or what was heard from a lid, is being written, so that the writer
 *    and the lid cannot miss each other. A pair that is already known needs no lock.
 */
import { sql } from 'kysely';
import { groupBy } from '../../contract/index.js';
import { chatForms, recipientKey } from '../../domain/index.js';
import { moveToNumber } from '../messages/writer/move-to-number.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { jsonText } from '../storage/statements.js';
import { type Db, LedgerPart, retryingTransaction, type Tx } from '../storage/store.js';
import { closeByStartWords, isToOneOf, suppressPending } from './suppression-row.js';

/** Two ids that one recipient has, in the contract's form. */
export interface KnownLid {
  /** `…@lid` */
  readonly lid: string;
  /** `…@c.us` */
  readonly chatId: string;
}

/** Where both were shown together. */
export type LidSource = 'group' | 'notification';

/** A group of the network has 1,024 participants at most. */
const AT_ONCE = 500;

export class KnownLids extends LedgerPart {
  /** @param pairs  as they were shown; a later pair of the same lid replaces an earlier one */
  async learn(pairs: readonly KnownLid[], source: LidSource, nowMs: number): Promise<void> {
    const newest = new Map(pairs.map(({ lid, chatId }) => [lid, chatId]));
    // In one order, so that two transactions do not block each other.
    const rows = [...newest]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([lid, chatId]) => ({ lid, chat_id: chatId, recipient_key: recipientKey(chatId) }));
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const fresh = await this.#unknown(rows.slice(at, at + AT_ONCE), nowMs);
      if (fresh.length > 0) await retryingTransaction(this.database, (tx) => learnTogether(tx, fresh, source, nowMs));
    }
  }

  /** The key of each recipient: that of the number, if a lid is known to belong to one. */
  async keysOf(chatIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.rows(sql<{ lid: string; recipient_key: string }>`/* keys_of_lids */
      select lid, recipient_key from known_lids where lid = any(${chatIds}::text[])`);
    const known = new Map(rows.map(({ lid, recipient_key }) => [lid, recipient_key]));
    return new Map(chatIds.map((chatId) => [chatId, known.get(chatId) ?? recipientKey(chatId)]));
  }

  /** Every chat id under which the network may know the recipient, the given one first. */
  readonly formsOf = this.statement(formsOf);

  /** @returns the pairs that change a row. Records at most once a day that the others were shown again. */
  async #unknown(rows: readonly LidRow[], nowMs: number): Promise<LidRow[]> {
    const now = sql`${new Date(nowMs)}::timestamptz`;
    const unknown = await this.database.rows(sql<LidRow>`/* unknown_lids */
      with given as materialized (
        select * from json_to_recordset(${jsonText(rows)}::json) as g(lid text, chat_id text, recipient_key text)
      ), seen as (
        update known_lids k set seen_at = ${now} from given g
        where k.lid = any(array(select lid from given)) and k.lid = g.lid and k.recipient_key = g.recipient_key
          and k.seen_at < ${now} - interval '1 day'
      )
      select g.lid, g.chat_id, g.recipient_key from given g left join lateral (
        select recipient_key from known_lids where lid = g.lid offset 0) k on true
      where k.recipient_key is distinct from g.recipient_key order by g.lid`);
    return unknown;
  }
}

interface LidRow {
  readonly lid: string;
  readonly chat_id: string;
  readonly recipient_key: string;
}

/** LID-3: for a transaction that reads the forms of recipients and writes entries for them. */
export async function keepLids(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('known lids', 0))`.execute(tx);
}

/** LID-2. */
async function learnTogether(tx: Tx, rows: readonly LidRow[], source: LidSource, nowMs: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('known lids', 0))`.execute(tx);
  const now = sql`${new Date(nowMs)}::timestamptz`;
  await moveToNumber(tx, rows);
  await sql`
    insert into known_lids as k (lid, recipient_key, chat_id, learned_at, seen_at, source)
    select lid, recipient_key, chat_id, ${now}, ${now}, ${source}
    from json_to_recordset(${jsonText(rows)}::json) as g(lid text, chat_id text, recipient_key text)
    on conflict (lid) do update set recipient_key = excluded.recipient_key, chat_id = excluded.chat_id,
      learned_at = excluded.learned_at, seen_at = excluded.seen_at, source = excluded.source`.execute(tx);
  const forms = await formsOfEach(tx, [...new Set(rows.map(({ chat_id }) => chat_id))]);
  const groups = [...forms.values()];
  const flat = groups.flatMap((group, no) => group.map((chat_id) => ({ no, chat_id })));
  const form = sql`form as materialized (
      select no, chat_id from json_to_recordset(${jsonText(flat)}::json) as f(no integer, chat_id text)
    ), named as materialized (
      select no, chat_id from form union all
      select no, ${keyedHash(sql`chat_id`)} from form where (select keeps_hashes from privacy_state)
    )`;
  // An erased recipient is listed by hashes, also for a form that is learned later.
  const { rows: listed } = await sql<{ no: number }>`
    with ${form}, listed as (
      select distinct n.no from named n join suppressed_chats x on x.chat_id = n.chat_id
    ), added as (
    insert into suppressed_chats (chat_id, suppression_id)
    select distinct case when x.chat_id like 'hash:%' then ${keyedHash(sql`f.chat_id`)} else f.chat_id end,
      x.suppression_id
    from named n join suppressed_chats x on x.chat_id = n.chat_id join form f on f.no = n.no
    on conflict do nothing
    ) select no from listed`.execute(tx);
  await sql`
    with ${form}
    insert into start_words (instance, id_message, chat_id, word, at)
    select distinct w.instance, w.id_message,
      case when w.chat_id like 'hash:%' then ${keyedHash(sql`f.chat_id`)} else f.chat_id end, w.word, w.at
    from named n join start_words w on w.chat_id = n.chat_id join form f on f.no = n.no
    on conflict do nothing`.execute(tx);
  const chatIds = flat.map(({ chat_id }) => chat_id);
  for (const { no } of listed) await closeByStartWords(tx, groups[no] ?? []);
  const { rows: written } = await sql<{ chat_id: string }>`
    select distinct chat_id from possible_opt_outs where chat_id = any(${rows.map(({ lid }) => lid)}::text[])`.execute(
    tx,
  );
  const keys = new Map(rows.map(({ lid, recipient_key }) => [lid, recipient_key]));
  for (const { chat_id: lid } of written) await movePossible(tx, lid, keys.get(lid) ?? lid);
  await suppressPending(tx, isToOneOf(chatIds), nowMs);
}

/** Gives the possible opt-outs of a lid to its number. Of two open ones of one recipient the later is a repetition. */
async function movePossible(tx: Tx, lid: string, key: string): Promise<void> {
  await sql`
    with first as (
      select id, instance from possible_opt_outs where recipient_key = ${key} and state = 'open'
    )
    update possible_opt_outs p set recipient_key = ${key}, first_id = coalesce(first.id, p.first_id),
      state = case when p.state = 'open' and first.id is not null then 'repeated' else p.state end
    from possible_opt_outs own left join first on first.instance = own.instance and own.state = 'open'
    where own.id = p.id and p.chat_id = ${lid} and p.recipient_key <> ${key}`.execute(tx);
}

/** See {@link KnownLids.formsOf}. */
export async function formsOf(db: Db, chatId: string): Promise<readonly string[]> {
  return (await formsOfEach(db, [chatId])).get(chatId) ?? [chatId];
}

/** Like {@link formsOf}, by the given chat id. */
export async function formsOfEach(db: Db, chatIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const keys = chatIds.map(recipientKey);
  const { rows } = await sql<LidRow>`/* forms_of_recipients */
    select k.lid, k.chat_id, k.recipient_key from known_lids k
    where k.recipient_key = any(array(
      select unnest(${keys}::text[]) union select recipient_key from known_lids where lid = any(${keys}::text[])))
    order by k.learned_at, k.lid`.execute(db);
  const keyOfLid = new Map(rows.map(({ lid, recipient_key }) => [lid, recipient_key]));
  const lids = groupBy(rows, ({ recipient_key }) => recipient_key);
  return new Map(
    chatIds.map((chatId) => {
      const known = lids.get(keyOfLid.get(chatId) ?? recipientKey(chatId)) ?? [];
      const others = known.flatMap(({ lid, chat_id }) => [...chatForms(chat_id), lid]);
      return [chatId, [...new Set([...chatForms(chatId), ...others])]];
    }),
  );
}
