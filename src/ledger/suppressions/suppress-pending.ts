import { sql, type RawBuilder } from 'kysely';
import type { MessageId } from '../../contract/index.js';
import { lockMessage } from '../message-row.js';
import type { Store, Tx } from '../store.js';
import { activeEntriesFor } from './active-entries.js';
import { suppressMessage } from './suppress-message.js';

/**
 * SUPPRESS-7: a pending message to a chat on the list ends when the later of the two is written, whatever it waits for;
 * one that is being changed at this moment ends at its claim.
 * @param some  a condition on the message `m`
 */
export async function suppressPending(tx: Tx, some: RawBuilder<unknown>, nowMs: number): Promise<MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from messages m
    where ${some} and m.state = 'pending' and exists (select from ${activeEntriesFor('m')})
    order by m.id for no key update of m skip locked`.execute(tx);
  for (const { id } of rows) await suppressMessage(tx, await lockMessage(tx, id), nowMs);
  return rows.map(({ id }) => id);
}

/** A condition on the message `m`. */
export function isToOneOf(chatIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`m.chat_id = any(${chatIds}::text[])`;
}

/** Those of messages that were just written. A transaction of its own is begun only where there is one. */
export async function suppressWritten(store: Store, ids: readonly MessageId[], nowMs: number): Promise<MessageId[]> {
  const isOneOf = sql`m.id = any(${ids}::text[])`;
  const { rows } = await store.run((db) =>
    sql`select from messages m where ${isOneOf} and exists (select from ${activeEntriesFor('m')}) limit 1`.execute(db),
  );
  return rows.length === 0 ? [] : store.transaction((tx) => suppressPending(tx, isOneOf, nowMs));
}
