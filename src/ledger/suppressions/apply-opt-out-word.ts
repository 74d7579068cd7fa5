import { sql } from 'kysely';
import type { Tx } from '../store.js';
import { chatForms } from './chat-forms.js';
import { addEntry } from './add-entry.js';
import type { OptOutMessage } from './suppression-ledger.js';
import { isToOneOf, suppressPending } from './suppress-pending.js';
import { isOfChats, namesOf } from './suppression-row.js';

/**
 * SUPPRESS-3, SUPPRESS-4. One word of an instance at a time: of two that come at once each would miss the other.
 * @returns how many entries it opened or closed, and the ids of those that still hold after a START
 */
export async function applyOptOutWord(
  tx: Tx,
  message: OptOutMessage,
): Promise<{ changed: number; left: readonly string[] }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('opt-out ' || ${message.instance}::text, 0))`.execute(tx);
  const chatIds = [...new Set(message.chatIds.flatMap(chatForms))];
  return message.what === 'stop' ? applyStop(tx, message, chatIds) : applyStart(tx, message, chatIds);
}

async function applyStop(tx: Tx, message: OptOutMessage, chatIds: readonly string[]) {
  const { instance, idMessage, word, atMs, nowMs } = message;
  const id = await addEntry(
    tx,
    {
      chat_id: message.chatIds[0],
      instance,
      scope: 'marketing',
      source: 'stop_word',
      since: new Date(atMs),
      recorded_at: new Date(nowMs),
      word,
      id_message: idMessage,
    },
    chatIds,
  );
  if (id === undefined) return { changed: 0, left: [] };
  // It came late: a START that was said after it is here already.
  await sql`
    update suppressions s
    set removed_at = w.at, removed_by = 'start_word', removed_word = w.word, removed_id_message = w.id_message
    from (select at, word, id_message from start_words
      where instance = ${instance} and chat_id = any(${namesOf(chatIds)}) and at > ${new Date(atMs)}
      order by at, id_message limit 1) w
    where s.id = ${id}`.execute(tx);
  await suppressPending(tx, isToOneOf(chatIds), nowMs);
  return { changed: 1, left: [] };
}

async function applyStart(tx: Tx, { instance, idMessage, word, atMs }: OptOutMessage, chatIds: readonly string[]) {
  const at = new Date(atMs);
  await tx
    .insertInto('start_words')
    .values(chatIds.map((chat_id) => ({ instance, id_message: idMessage, chat_id, word, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const closed = await sql`
    update suppressions s
    set removed_at = ${at}, removed_by = 'start_word', removed_word = ${word}, removed_id_message = ${idMessage}
    where s.source = 'stop_word' and s.instance = ${instance} and s.since < ${at} and ${isOfChats(chatIds)}
      and (s.removed_at is null or (s.removed_by = 'start_word' and (s.removed_at, s.removed_id_message) > (${at}, ${idMessage})))
    returning s.id`.execute(tx);
  const left = await tx
    .selectFrom('suppressions as s')
    .select('s.id')
    .where(isOfChats(chatIds))
    .where('s.removed_at', 'is', null)
    .where(({ or, eb }) => or([eb('s.instance', 'is', null), eb('s.instance', '=', instance)]))
    .execute();
  return { changed: closed.rows.length, left: left.map(({ id }) => id) };
}
