import { sql, type RawBuilder } from 'kysely';

/** What an entry is held against: the message's own columns, or values. */
interface Against {
  readonly chatId: RawBuilder<unknown>;
  readonly instance: RawBuilder<unknown>;
  readonly category: RawBuilder<unknown>;
}

/** U1, as what follows `from`: the entries `s` that hold for such a message. */
export function holding({ chatId, instance, category }: Against) {
  return sql`suppressed_chats x join suppressions s on s.id = x.suppression_id
    where x.chat_id = ${chatId} and s.removed_at is null and (s.instance is null or s.instance = ${instance})
      and (s.scope = 'all' or ${category} = 'marketing')`;
}

/** The same against the columns of a row of messages. */
export function holdingFor(message: string) {
  const m = sql.table(message);
  return holding({ chatId: sql`${m}.chat_id`, instance: sql`${m}.instance`, category: sql`${m}.category` });
}
