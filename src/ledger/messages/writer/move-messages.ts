/**
 * The one writer of messages: applies a fact of `domain/message` to all messages of a query. A test refuses statements
 * elsewhere (`everpost/one-writer` in .oxlintrc.json).
 *
 * WRITER-1 One statement, and nothing is read before it: it locks the messages in the order of their ids, changes those
 *    whose state the fact changes, gives them a version, keeps their due rows, and records the evidence.
 * WRITER-2 A message that ends without a recipient ends its waiting edits.
 * WRITER-3 Locks are taken in one order: dispatcher, ids of the gateway, campaigns, messages by their ids, attempts. An id
 *    comes first, since its lock decides whether a receipt has a message to lock (LEDGER-6).
 */
import { type RawBuilder, sql, type Updateable } from 'kysely';
import type { MessageId } from '../../../contract/index.js';
import type { Fact } from '../../../domain/index.js';
import type { MessagesTable } from '../../storage/schema.js';
import type { Db, Tx } from '../../storage/store.js';
import { DUE_COLUMNS, dueRows } from './due-rows.js';
import { timeOf } from '../../storage/statements.js';
import { changing, isChangedBy, recorded, type Told } from './life-in-sql.js';

/** A query of messages `m`. */
export interface Which {
  readonly where: RawBuilder<unknown>;
  /** Joined with the message. */
  readonly join?: RawBuilder<unknown>;
  /** Columns that values and evidence refer to, as those of `c`. */
  readonly columns?: RawBuilder<unknown>;
  /** @default no limit */
  readonly limit?: number;
  /** Whether messages that other transactions have locked are left out. @default it waits for them */
  readonly skipsLocked?: boolean;
}

export function oneMessage(id: MessageId): Which {
  return { where: sql`m.id = ${id}` };
}

export function messagesIn(ids: readonly string[]): Which {
  return { where: sql`m.id = any(${ids}::text[])` };
}

/** A message that a fact changed. */
export interface Moved {
  readonly id: MessageId;
  readonly instance: string;
  readonly has_edits: boolean;
}

/** @returns the messages that the fact changed; all others of the query are in a state that ignores or refuses it */
export async function moveMessages<F extends Fact>(db: Db, fact: F, which: Which, told: Told<F>): Promise<Moved[]> {
  const { where, join = sql``, columns, limit, skipsLocked = false } = which;
  const { rows } = await sql<Moved>`
    with chosen as materialized (
      select m.id, m.state as was${columns === undefined ? sql`` : sql`, ${columns}`}
      from messages m ${join} where ${where} and ${isChangedBy(fact)}
      order by m.id ${limit === undefined ? sql`` : sql`limit ${limit}`}
      for no key update of m ${skipsLocked ? sql`skip locked` : sql``}
    ), moved as (
      ${changing(fact, { ...told, now: timeOf(told) }, sql`from chosen c where m.id = c.id`)}
      returning c.*, m.instance, m.state, m.version, m.reason, ${DUE_COLUMNS}
    )${dueRows(fact)}${recorded(fact, told)}
    select c.id, c.instance, (select true from edits e where e.message_id = c.id limit 1) is true as has_edits
    from moved c`.execute(db);
  return rows;
}

/** POOL-3: a message that had moved, and that its former account has sent after all. Its acceptance changes the version. */
export async function returnToAccount(tx: Tx, id: MessageId, instance: string): Promise<void> {
  await tx.updateTable('messages').set({ instance }).where('id', '=', id).execute();
}

/** The content that is to be posted, or was. The fact that brought it changes the version. */
export async function replaceContent(
  tx: Tx,
  id: MessageId,
  content: Pick<Updateable<MessagesTable>, 'content' | 'text_length' | 'hidden' | 'body_hash' | 'content_version'>,
): Promise<void> {
  await tx.updateTable('messages').set(content).where('id', '=', id).execute();
}
