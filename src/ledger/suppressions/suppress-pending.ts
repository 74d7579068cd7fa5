import { sql, type RawBuilder, type Selectable } from 'kysely';
import { suppressionReason, type MessageId } from '../../contract/index.js';
import { endMessage } from '../messages/end-message.js';
import { addEvidence } from '../messages/evidence.js';
import { lockMessage, type MessageRow } from '../messages/message-row.js';
import type { SuppressionsTable } from '../schema.js';
import type { Db, Store, Tx } from '../storage/store.js';
import { activeEntriesFor } from './suppression-row.js';

/**
 * SUPPRESS-7: a pending message to a suppressed chat ends when the later of message and entry is written. A message
 * that another transaction is changing ends at its claim.
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

/** For messages that were just written. Begins a transaction only if there are such messages. */
export async function suppressWritten(store: Store, ids: readonly MessageId[], nowMs: number): Promise<MessageId[]> {
  const isOneOf = sql`m.id = any(${ids}::text[])`;
  const { rows } = await store.run((db) =>
    sql`select from messages m where ${isOneOf} and exists (select from ${activeEntriesFor('m')}) limit 1`.execute(db),
  );
  return rows.length === 0 ? [] : store.transaction((tx) => suppressPending(tx, isOneOf, nowMs));
}

type ActiveEntry = Pick<Selectable<SuppressionsTable>, 'id' | 'instance' | 'scope' | 'source' | 'since'>;

/**
 * SUPPRESS-2: ends a pending message whose chat is on the list. The evidence is the entry that has applied for longest.
 */
async function suppressMessage(tx: Tx, row: MessageRow, nowMs: number): Promise<void> {
  if (row.state !== 'pending') return;
  const entry = await oldestActiveEntry(tx, row);
  if (entry === undefined) return;
  const { id, instance, scope, source, since } = entry;
  await endMessage(tx, row.id, { state: 'suppressed', reason: suppressionReason(source), nowMs });
  await addEvidence(tx, {
    messageId: row.id,
    fact: `suppressed:${row.version}`,
    witness: 'suppression',
    what: 'suppressed',
    detail: { entry: id, source, scope, since: since.toISOString(), ...(instance === null ? {} : { instance }) },
    nowMs,
  });
}

export async function oldestActiveEntry(db: Db, { id }: Pick<MessageRow, 'id'>): Promise<ActiveEntry | undefined> {
  const { rows } = await sql<ActiveEntry>`
    select active.* from messages m, lateral (
      select s.id, s.instance, s.scope, s.source, s.since from ${activeEntriesFor('m')}
      order by s.since, s.id limit 1) active
    where m.id = ${id}`.execute(db);
  return rows[0];
}
