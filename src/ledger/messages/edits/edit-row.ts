/** Reading the rows of edits. */
import type { Selectable } from 'kysely';
import { type EditId, type MessageId, editUnknown } from '../../../contract/index.js';
import type { EditsTable } from '../../storage/schema.js';
import { shown } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';

export type EditRow = Selectable<EditsTable>;

export async function readEdit(db: Db, editId: EditId): Promise<EditRow | undefined> {
  return db.selectFrom('edits').selectAll().where('id', '=', editId).executeTakeFirst();
}

/** @throws AppError EDIT_NOT_FOUND */
export async function existingEdit(db: Db, editId: EditId): Promise<EditRow> {
  const edit = await readEdit(db, editId);
  if (edit === undefined) throw editUnknown(editId);
  return edit;
}

/** All edits of a message, in the order of their requests. */
export async function editsOf(db: Db, messageId: MessageId): Promise<EditRow[]> {
  return db.selectFrom('edits').selectAll().where('message_id', '=', messageId).orderBy('seq').execute();
}

export function editViewOf(row: EditRow) {
  return {
    ...shown(row, 'id', 'state', 'text', 'text_length', 'requested_at', 'via', 'posted_at', 'ended_at', 'reason'),
    ...shown(row, 'id_message_given', 'id_message_returned'),
  };
}

/** Contains the id given to the gateway and the id in its response. */
export type EditView = ReturnType<typeof editViewOf>;
