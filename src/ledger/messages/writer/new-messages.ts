/**
 * New messages. A row that exists stays as it is. The statement that writes one also writes its due row (DUEROW-1), and
 * the evidence of an end.
 */
import { type InsertObject, type RawBuilder, sql } from 'kysely';
import type { MessagesTable, Schema } from '../../storage/schema.js';
import type { Db } from '../../storage/store.js';

/** Columns that the query has under the same names. @param row  its alias */
export function columnsIn<Column extends keyof MessagesTable>(row: string, names: readonly Column[]) {
  return Object.fromEntries(names.map((name) => [name, sql.ref(`${row}.${name}`)])) as {
    readonly [Name in Column]: RawBuilder<unknown>;
  };
}

/** @param from  the rest of the query whose expressions the columns are, from `from` on */
export function inserting(
  columns: { readonly [Column in keyof MessagesTable]?: RawBuilder<unknown> },
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  return sql`insert into messages (${sql.join(names)}) select ${sql.join(Object.values(columns))} ${from}
      on conflict (id) do nothing`;
}

/**
 * The update of messages `m` of recipients who are read again: a pending one becomes what its entry `e` says, any other
 * one joins the stream, for a retry.
 * @param of  the rest of the update, from `from` on
 */
export function readingAgain(now: RawBuilder<unknown>, of: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = 'instance state content body_hash content_version variant reason reason_text ended_at';
  const own = columns.split(' ').map((column) => {
    const name = sql.ref(column);
    return sql`${name} = case m.state when 'pending' then e.${name} else m.${name} end`;
  });
  return sql`update messages m set version = m.version + 1, stream_id = e.stream_id, due_at = coalesce(m.due_at, ${now}),
        place = coalesce(m.place, nextval('ledger_seq')), ${sql.join(own)} ${of}`;
}

/** A part of a statement: the due rows of the messages `written`. */
export const DUE_OF_WRITTEN = sql`due as (
      insert into due_messages (stream_id, due_at, place, message_id, recipient_key, expires_at)
      select stream_id, due_at, place, id, recipient_key, expires_at from written where state = 'pending'
    )`;

/** One message without a stream: it has no due row. */
export async function insertMessage(db: Db, message: InsertObject<Schema, 'messages'>): Promise<void> {
  await db
    .insertInto('messages')
    .values(message)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
