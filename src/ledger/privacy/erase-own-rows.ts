import { type RawBuilder, sql } from 'kysely';
import { factsOf, MESSAGE_KINDS } from '../../contract/index.js';
import { fileIsNeeded } from './still-needed.js';
import { keyedHash } from '../storage/keyed-hash.js';
import { jsonText } from '../storage/statements.js';
import { forgetInParts, type Store, type Tx } from '../storage/store.js';

/** A message's content after its erasure, by its kind. */
const CONTENTS = sql`${jsonText(
  Object.fromEntries(MESSAGE_KINDS.map((kind) => [kind, { kind, ...factsOf(kind).erased }])),
)}::json`;

/** Empties the rows that belong to the recipient: messages with their data, recipients of campaigns, opt-outs. */
export async function eraseOwnRows(store: Store, subject: Subject, record: RecordErased): Promise<number> {
  const { chatIds, aliases } = subject;
  const isOwn = sql`chat_id = any(${chatIds}::text[])`;
  const alias = sql`(${aliases}::text[])[array_position(${chatIds}::text[], chat_id)]`;
  const parts: Readonly<Record<string, (limit: number) => RawBuilder<unknown>>> = {
    recipients: (limit) => sql`
      update recipients set chat_id = ${alias}, key = null, values = '{}' where ctid in (
        select r.ctid from audiences a join recipients r on r.audience_no = a.no
          and coalesce(r.key, r.chat_id) = any(${chatIds}::text[]) and r.chat_id = any(${chatIds}::text[])
        limit ${limit})`,
    recipient_rejects: (limit) => sql`
      update recipient_rejects set chat_id = ${alias}, value = '', columns = '{}' where ctid in (
        select ctid from recipient_rejects where ${isOwn} limit ${limit})`,
    start_words: (limit) => sql`
      update start_words set chat_id = ${keyedHash(sql`chat_id`)}, word = ''
      where ctid in (select ctid from start_words where ${isOwn} limit ${limit})`,
    conversations: (limit) => sql`
      delete from conversations where ctid in (
        select ctid from conversations where recipient_key = any(${subject.keys}::text[]) limit ${limit})`,
    possible_opt_outs: (limit) => sql`
      delete from possible_opt_outs where ctid in (select ctid from possible_opt_outs where ${isOwn} limit ${limit})`,
  };
  let total = await forgetInParts((limit) =>
    store.transaction((tx) => eraseMessages(tx, subject, alias, limit, record)),
  );
  for (const [table, update] of Object.entries(parts)) {
    total += await forgetInParts((limit) =>
      store.transaction(async (tx) => {
        const { numAffectedRows = 0n } = await update(limit).execute(tx);
        const erased = Number(numAffectedRows);
        await record(tx, table, erased);
        return erased;
      }),
    );
  }
  return total + (await eraseOptOuts(store, subject, record));
}

/** @returns how many messages, with the data that belongs to them */
async function eraseMessages(
  tx: Tx,
  { keys, aliases }: Subject,
  alias: RawBuilder<unknown>,
  limit: number,
  record: RecordErased,
): Promise<number> {
  const { rows: own } = await sql<{ id: string; file_id: string | null }>`
    select id, content ->> 'fileId' as file_id from messages where recipient_key = any(${keys}::text[])
    order by id limit ${limit} for no key update`.execute(tx);
  if (own.length === 0) return 0;
  const ids = own.map(({ id }) => id);
  const areOfThem = sql`message_id = any(${ids}::text[])`;
  const parts = {
    attempts: sql`
      update attempts a set content = ${CONTENTS} -> m.kind, body_hash = 'erased', identical_hash = null, text = null,
        text_length = null, hidden = null
      from messages m where m.id = a.message_id and a.${areOfThem}`,
    // Only callbacks name a message; the condition is that of their index.
    events: eraseEvents(sql`${areOfThem} and callback_url is not null`),
    evidence: sql`update evidence set detail = null where ${areOfThem} and detail is not null`,
    edits: sql`
      update edits set text = '[erased]', body_hash = 'erased', text_length = null, hidden = null where ${areOfThem}`,
    messages: sql`
      update messages set chat_id = coalesce(${alias}, ${aliases[0]}::text), recipient_key = ${aliases[0]}::text,
        content = ${CONTENTS} -> kind, body_hash = 'erased', reference = null, status_callback = null,
        reason_text = null, text_length = null, hidden = null, text_removed_at = null
      where id = any(${ids}::text[])`,
  };
  for (const [table, update] of Object.entries(parts)) {
    const { numAffectedRows = 0n, rows } = await update.execute(tx);
    await record(tx, table, rows.length + Number(numAffectedRows));
  }
  const fileIds = own.flatMap(({ file_id }) => file_id ?? []);
  if (fileIds.length === 0) return ids.length;
  // Files that only the recipient got, and that nothing needs.
  const { numAffectedRows: files = 0n } = await sql`
    delete from files f where id = any(${fileIds}::text[]) and not ${fileIsNeeded(sql`f.id`)} and not exists (
      select from messages m where m.kind = 'file' and m.content ->> 'fileId' = f.id)`.execute(tx);
  await record(tx, 'files', Number(files));
  return ids.length;
}

/** An event only repeats another row, so it is deleted, delivered or not. */
export function eraseEvents(which: RawBuilder<unknown>) {
  return sql`
    with gone as (delete from events where ${which} returning seq), undelivered as (
      delete from event_deliveries where event_seq in (select seq from gone))
    select seq from gone`;
}

/** ERASE-4. An opt-out that is already on the list by its hash is not added again. */
async function eraseOptOuts(store: Store, { chatIds, aliases }: Subject, record: RecordErased): Promise<number> {
  return store.transaction(async (tx) => {
    const isOwn = sql`chat_id = any(${chatIds}::text[])`;
    await sql`
      with known as (
        select s.id from suppressions s where ${isOwn} and s.removed_at is null and exists (
          select from suppressions other where other.chat_id = ${keyedHash(sql`s.chat_id`)} and other.removed_at is null
            and other.source = s.source and other.scope = s.scope and other.source <> 'stop_word'
            and other.instance is not distinct from s.instance)
      ), gone as (delete from suppressed_chats where suppression_id in (select id from known))
      update suppressions set removed_at = recorded_at, removed_by = 'operator' where id in (select id from known)`.execute(
      tx,
    );
    const entries = await sql`
      update suppressions set word = null, note = null, removed_word = null,
        chat_id = case when removed_at is null then ${keyedHash(sql`chat_id`)} else ${aliases[0]}::text end
      where ${isOwn}`.execute(tx);
    const chats = await sql`
      update suppressed_chats set chat_id = ${keyedHash(sql`chat_id`)}
      where ${isOwn} and suppression_id not in (select id from suppressions where ${isOfErasure(aliases)})`.execute(tx);
    const counts = { suppressions: entries.numAffectedRows ?? 0n, suppressed_chats: chats.numAffectedRows ?? 0n };
    for (const [table, count] of Object.entries(counts)) await record(tx, table, Number(count));
    if (counts.suppressed_chats > 0n) await sql`update privacy_state set keeps_hashes = true`.execute(tx);
    return Number(counts.suppressions) + Number(counts.suppressed_chats);
  });
}

/** The entries by which the erasure itself suppresses the recipient. */
export function isOfErasure(aliases: readonly string[]): RawBuilder<boolean> {
  return sql`coalesce(instance, '') = '' and chat_id = any(${aliases}::text[]) and source = 'operator'`;
}

/** The recipient to erase. */
export interface Subject {
  readonly erasureId: string;
  /** The keys of the recipient's messages: that of the number, and of a lid that was not known then. */
  readonly keys: readonly string[];
  /** Every chat id under which the network may know the recipient. */
  readonly chatIds: readonly string[];
  /** The alias that replaces each of the chat ids in rows. */
  readonly aliases: readonly string[];
  /** A mention in a text, as PostgreSQL and JavaScript read it. */
  readonly pattern: string;
  /** A text in JSON that is only the number or chat id. */
  readonly namePattern: string;
}

/** Adds to the receipt, in the transaction that erased the rows. */
export type RecordErased = (tx: Tx, table: string, count: number) => Promise<void>;
