import { sql, type RawBuilder } from 'kysely';

/** What an entry is held against: the message's own columns, or values. */
interface Against {
  readonly chatId: RawBuilder<unknown>;
  readonly instance: RawBuilder<unknown>;
  readonly category: RawBuilder<unknown>;
}

/**
 * SUPPRESS-1, as what follows `from`: the entries `s` that hold for such a message. "offset 0" makes the database look
 * for the chat first and then for each of its few entries: without statistics it believes that hardly any entry holds,
 * begins with all of them, and goes through the whole list for every message. An erased recipient is on it by hash
 * (ERASE-4); hashes are made only where there are some.
 */
export function activeEntries({ chatId, instance, category }: Against) {
  return sql`suppressed_chats x cross join lateral (
      select * from suppressions where id = x.suppression_id offset 0) s
    where x.chat_id = any(${nameForms(chatId)}) and s.removed_at is null and (s.instance is null or s.instance = ${instance})
      and (s.scope = 'all' or ${category} = 'marketing')`;
}

function nameForms(chatId: RawBuilder<unknown>) {
  return sql`case when (select keeps_hashes from privacy_state) then array[${chatId}, chat_hash(${chatId})]
    else array[${chatId}] end`;
}

/** The same against the columns of a row of messages. */
export function activeEntriesFor(message: string) {
  const m = sql.table(message);
  return activeEntries({ chatId: sql`${m}.chat_id`, instance: sql`${m}.instance`, category: sql`${m}.category` });
}
