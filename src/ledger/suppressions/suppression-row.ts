import { present } from '../../contract/index.js';
import { sql, type Selectable } from 'kysely';
import type { Suppression } from '../../contract/index.js';
import { iso } from '../iso.js';
import type { SuppressionsTable } from '../schema.js';
import type { Db } from '../store.js';

/** SUPPRESS-4: that a START came since, which did not remove what it is no match for. */
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
    id: row.id,
    chatId: row.chat_id,
    scope: row.scope,
    source: row.source,
    since: row.since.toISOString(),
    recordedAt: row.recorded_at.toISOString(),
    ...present({
      instance: row.instance,
      word: row.word,
      idMessage: row.id_message,
      note: row.note,
      removedAt: iso(row.removed_at),
      removedBy: row.removed_by,
      removedWord: row.removed_word,
      removedIdMessage: row.removed_id_message,
      startWordAt: iso(row.start_word_at),
    }),
  };
}

/** Entries of a recipient who has one of these ids. */
export function isOfChats(chatIds: readonly string[]) {
  return sql<boolean>`s.id in (select suppression_id from suppressed_chats where chat_id = any(${namesOf(chatIds)}))`;
}

/** The ids, and the hashes by which erased chats are known. */
export function namesOf(chatIds: readonly string[]) {
  return sql`array(select unnest(${chatIds}::text[]) union all select chat_hash(chat) from unnest(${chatIds}::text[]) chat)`;
}
