/** Reading and changing the rows of edits. Changing one also gives its message a new version. */
import { type Selectable, sql, type Updateable } from 'kysely';
import {
  AppError,
  type EditId,
  type EditOutcome,
  type MessageContent,
  type MessageId,
  present,
} from '../../contract/index.js';
import { dueAgain } from './due-rows.js';
import type { EditsTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import { addEvidence, existingMessage, type NewEvidence, type MessageRow } from './message-row.js';
import { type Moved, replaceContent } from './writer/move-messages.js';

export type EditRow = Selectable<EditsTable>;

export async function readEdit(db: Db, editId: EditId): Promise<EditRow | undefined> {
  return db.selectFrom('edits').selectAll().where('id', '=', editId).executeTakeFirst();
}

/** @throws AppError EDIT_NOT_FOUND */
export async function existingEdit(db: Db, editId: EditId): Promise<EditRow> {
  const edit = await readEdit(db, editId);
  if (edit !== undefined) return edit;
  throw new AppError(
    'EDIT_NOT_FOUND',
    `Edit ${editId} is not in the ledger. Check the id: the response to the edit contains it.`,
  );
}

/** All edits of a message, in the order of their requests. */
export async function editsOf(db: Db, messageId: MessageId): Promise<EditRow[]> {
  return db.selectFrom('edits').selectAll().where('message_id', '=', messageId).orderBy('seq').execute();
}

export async function changeEdit(tx: Tx, editId: EditId, change: Updateable<EditsTable>): Promise<void> {
  await tx.updateTable('edits').set(change).where('id', '=', editId).execute();
}

interface EditEnd {
  readonly outcome: EditOutcome;
  readonly witness: string;
  readonly via?: 'before_send' | 'gateway';
  readonly reason?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}

/** Ends an edit and records the witness. */
export async function endEdit(tx: Tx, edit: Pick<EditRow, 'id' | 'message_id'>, end: EditEnd): Promise<void> {
  const { outcome, witness, via, reason, detail, nowMs } = end;
  await changeEdit(tx, edit.id, {
    state: outcome,
    via: via ?? null,
    reason: reason ?? null,
    ended_at: new Date(nowMs),
  });
  const said = { ...present({ via, reason }), ...detail };
  await addEditEvidence(tx, edit, { fact: outcome, witness, what: `edit_${outcome}`, detail: said, nowMs });
}

/** Records a fact about an edit. @param entry.fact  names it among the facts of the edit */
export async function addEditEvidence(
  tx: Tx,
  { id, message_id: messageId }: Pick<EditRow, 'id' | 'message_id'>,
  entry: Omit<NewEvidence, 'messageId'>,
): Promise<void> {
  const { fact, detail } = entry;
  await addEvidence(tx, { ...entry, messageId, fact: `edit:${id}:${fact}`, detail: { edit: id, ...detail } });
}

/** Ends every edit of the message that still waits. */
export async function endWaitingEdits(
  tx: Tx,
  messageId: MessageId,
  outcome: 'superseded' | 'not_possible',
  reason: string,
  nowMs: number,
): Promise<void> {
  for (const edit of await waitingEdits(tx, messageId)) {
    await endEdit(tx, edit, { outcome, witness: 'ledger', reason, nowMs });
  }
}

/** Replaces the text of a pending row: the edited text will be posted. */
export async function replaceText(tx: Tx, row: MessageRow, edit: EditRow, nowMs: number): Promise<void> {
  const { text, text_length, hidden, body_hash, content_version } = edit;
  const content = { ...row.content, text } as MessageContent;
  // A message with its own edit is no longer composed from its campaign's content, so a change of that content does
  // not affect it.
  await replaceContent(tx, row.id, { content: jsonText(content), text_length, hidden, body_hash, content_version });
  await dueAgain(tx, row);
  await endEdit(tx, edit, { outcome: 'edited', witness: 'ledger', via: 'before_send', nowMs });
}

/** For messages that are pending again: the newest waiting edit of each is applied at once. */
export async function applyWaitingEdits(tx: Tx, pending: readonly Moved[], nowMs: number): Promise<void> {
  for (const { id } of pending.filter(({ has_edit }) => has_edit)) {
    const newest = (await waitingEdits(tx, id)).at(-1);
    if (newest !== undefined) await replaceText(tx, await existingMessage(tx, id), newest, nowMs);
    await endWaitingEdits(tx, id, 'superseded', 'newer_edit', nowMs);
  }
}

/** Edits that replaced the text after this attempt was made: the phone did not get their text with it. */
export async function distrustEditsSince(tx: Tx, messageId: MessageId, attemptSeq: string | number | bigint) {
  await sql`update edits set state = 'unconfirmed', via = null, reason = 'older_text_accepted'
    where message_id = ${messageId} and state = 'edited' and via = 'before_send' and seq > ${attemptSeq}`.execute(tx);
}

async function waitingEdits(tx: Tx, messageId: MessageId): Promise<EditRow[]> {
  return (await editsOf(tx, messageId)).filter(({ state }) => state === 'pending');
}

export function editViewOf(row: EditRow) {
  return {
    ...shown(row, 'id', 'state', 'text', 'text_length', 'requested_at', 'via', 'posted_at', 'ended_at', 'reason'),
    ...shown(row, 'id_message_given', 'id_message_returned'),
  };
}

/** Contains the id given to the gateway and the id in its response. */
export type EditView = ReturnType<typeof editViewOf>;
