/**
 * The one writer of edits: applies a fact of `domain/message/edit-life` to all edits of a query.
 *
 * EDITWRITER-1 One statement: it locks the messages in the order of their ids, changes those edits whose state the fact
 *    changes, records the evidence, and gives the messages a version if anything changed that is shown.
 * EDITWRITER-2 When an edit ends, the edit of its message that waited for it is due.
 */
import { type RawBuilder, sql } from 'kysely';
import type { EditId, EditState, MessageId, TraceContext } from '../../../contract/index.js';
import { editChangesBy, type EditFact } from '../../../domain/index.js';
import { timeOf } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';
import { changing } from '../writer/life-in-sql.js';
import { changingEdits, editsThat, type EditDetails, freedEdits, recordedEdits } from '../writer/edit-life-in-sql.js';

/** A query of edits `e`, each with its message `m`. */
export interface WhichEdits {
  readonly where: RawBuilder<unknown>;
  /** @default no limit */
  readonly limit?: number;
  /** Whether edits of messages that other transactions have locked are left out. @default it waits for them */
  readonly skipsLocked?: boolean;
}

export function oneEdit(id: EditId): WhichEdits {
  return { where: sql`e.id = ${id}` };
}

export function editsIn(ids: readonly EditId[]): WhichEdits {
  return { where: sql`e.id = any(${ids}::text[])` };
}

/** An edit after the fact. */
export interface MovedEdit {
  readonly id: EditId;
  readonly message_id: MessageId;
  readonly instance: string;
  readonly chat_id: string | null;
  readonly id_message: string | null;
  readonly state: EditState;
  readonly try_token: string | null;
  readonly text: string;
  readonly hidden: string | null;
  readonly closes_at: Date | null;
  /** Of its message. */
  readonly trace_context: TraceContext | null;
}

/** @returns the edits that the fact changed */
export async function moveEdits<F extends EditFact>(
  db: Db,
  fact: F,
  { where, limit, skipsLocked = false }: WhichEdits,
  told: EditDetails<F>,
): Promise<MovedEdit[]> {
  const changes = editChangesBy(fact);
  const isShown = changes.some(([, { to, word }]) => to !== undefined || word !== undefined);
  const ends = changes.some(([from, { step }]) => step === null && from !== 'pending');
  const once = sql`from (select distinct message_id from moved) x where m.id = x.message_id`;
  const versioned = sql`, versioned as (
      ${changing('editChanged', { now: timeOf(told) }, once)}
    )`;
  const { rows } = await sql<MovedEdit>`
    with chosen as materialized (
      select e.id, m.chat_id, m.id_message, m.trace_context from edits e join messages m on m.id = e.message_id
      where ${where} and ${editsThat(fact)}
      order by m.id, e.seq ${limit === undefined ? sql`` : sql`limit ${limit}`}
      for no key update of m ${skipsLocked ? sql`skip locked` : sql``}
    ), moved as (
      ${changingEdits(fact, told, sql`from chosen c where e.id = c.id`)}
      returning e.*, c.chat_id, c.id_message, c.trace_context
    )${isShown ? versioned : sql``}${recordedEdits(fact, told)}${ends ? freedEdits(told.nowMs) : sql``}
    select id, message_id, instance, chat_id, id_message, state, try_token, text, hidden, closes_at, trace_context
    from moved`.execute(db);
  return rows;
}
