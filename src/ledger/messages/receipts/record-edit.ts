/** Records what became of a try, and what the journal showed: see EDITROW-2 to EDITROW-7. */
import { sql } from 'kysely';
import { AppError, type EditId, type ErrorCode, present, type UnrecordedOutcome } from '../../../contract/index.js';
import { applyParkedReceipts } from './apply-receipt.js';
import type { Texts } from '../../sensitive/texts.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { lockIdMessage, storeId } from '../message-ids.js';
import { lockMessage } from '../message-row.js';
import { type EditRow, editsOf, existingEdit } from '../edits/edit-row.js';
import { moveEdits, oneEdit } from '../edits/move-edits.js';

/** The journal may show a lost edit after this time. */
const LOST_CHECK_MS = 2_000;
const READ_AGAIN_FIRST_MS = 5_000;
const READ_AGAIN_MAX_MS = 5 * 60_000;

const SETTLED = sql`e.settles_at`;

type EditOutcome = UnrecordedOutcome & Required<Pick<UnrecordedOutcome, 'edit'>>;

/** What became of the POST of an edit. @throws AppError MESSAGE_NOT_FOUND if the ledger does not have the edit */
export async function recordPost(tx: Tx, posted: EditOutcome): Promise<void> {
  const {
    edit: { id: editId },
    token,
    outcome,
    atMs,
  } = posted;
  const found = await tx
    .selectFrom('edits')
    .select(['message_id', 'instance'])
    .where('id', '=', editId)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('MESSAGE_NOT_FOUND', `Edit ${editId} is not in the ledger.`);
  if (outcome.kind === 'accepted') await lockIdMessage(tx, found.instance, outcome.idMessage);
  await lockMessage(tx, found.message_id);
  const edits = await editsOf(tx, found.message_id);
  const edit = edits.find(({ id }) => id === editId);
  if (edit === undefined) return;
  if (outcome.kind === 'accepted') return recordAccepted(tx, edit, outcome.idMessage, posted);
  if (edit.state !== 'sending' || edit.try_token !== token) return;
  const isNewest = edits.at(-1)?.id === editId;
  const { code, text, httpStatus } = outcome;
  const detail = { code, ...present({ text, httpStatus }) };
  const which = oneEdit(editId);
  switch (outcome.kind) {
    case 'unknown':
      await moveEdits(tx, 'lost', which, { due: isNewest ? new Date(atMs + LOST_CHECK_MS) : SETTLED, nowMs: atMs });
      return;
    case 'rejected': {
      const told = { witness: 'response', reason: code, detail, nowMs: atMs };
      if (!edit.may_have_arrived) await moveEdits(tx, 'rejected', which, told);
      else await moveEdits(tx, 'rejectedAgain', which, { ...told, due: SETTLED });
      return;
    }
    case 'not_accepted': {
      const told = { witness: 'response', due: new Date(atMs + (outcome.retryAfterMs ?? 0)), nowMs: atMs };
      if (edit.may_have_arrived) {
        if (isNewest) await moveEdits(tx, 'notAcceptedAgain', which, told);
        else await moveEdits(tx, 'readAgain', which, { ...told, due: SETTLED });
      } else if (isNewest) await moveEdits(tx, 'notAccepted', which, { ...told, id_message_given: null });
      else await moveEdits(tx, 'neverShown', which, { reason: 'newer_edit', nowMs: atMs });
    }
  }
}

/** Keeps both ids in every state of the edit (EDITROW-4). One that ended meanwhile does not change. */
async function recordAccepted(
  tx: Tx,
  edit: EditRow,
  idMessage: string,
  { atMs, edit: { confirmWithinMs } }: EditOutcome,
) {
  if (edit.posted_at !== null && edit.state !== 'sending') return;
  const { message_id: messageId, instance } = edit;
  // The notification that ends an edit may arrive before the gateway's response does.
  const posted_at = new Date(Math.min(atMs, edit.ended_at?.getTime() ?? atMs));
  const told = { witness: 'response', detail: { idMessage }, due: new Date(atMs + confirmWithinMs), nowMs: atMs };
  await moveEdits(tx, 'posted', oneEdit(edit.id), { ...told, posted_at, id_message_returned: idMessage });
  await storeId(tx, { instance, idMessage, messageId, role: 'edit', nowMs: atMs });
  await applyParkedReceipts(tx, instance, idMessage, atMs);
}

/** What getMessage showed of the message of an edit. */
export type EditReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'no_journal_entry' }
  | {
      readonly kind: 'journal_unreadable';
      readonly code: ErrorCode;
      readonly httpStatus?: number;
      /** Whether the same request may be answered later. */
      readonly mayRespondLater: boolean;
    };

export function recordReading(
  store: Store,
  texts: Texts,
  editId: EditId,
  seen: EditReading,
  nowMs: number,
): Promise<void> {
  return retryingTransaction(store, async (tx) => {
    const { message_id } = await existingEdit(tx, editId);
    await lockMessage(tx, message_id);
    const edits = await editsOf(tx, message_id);
    const edit = edits.find(({ id }) => id === editId);
    if (edit?.step !== 'read') return;
    const hashed = seen.kind === 'text' ? { ...seen, hash: texts.bodyHash({ kind: 'text', text: seen.text }) } : seen;
    await applyReading(tx, edit, edits, hashed, nowMs);
  });
}

type Seen =
  (Extract<EditReading, { kind: 'text' }> & { readonly hash: string }) | Exclude<EditReading, { kind: 'text' }>;

async function applyReading(
  tx: Tx,
  edit: EditRow,
  edits: readonly EditRow[],
  seen: Seen,
  nowMs: number,
): Promise<void> {
  const which = oneEdit(edit.id);
  const told = { witness: 'getMessage', nowMs };
  const isEnded = edit.state === 'edited' || edit.state === 'unconfirmed';
  if (seen.kind === 'text' && seen.hash === edit.body_hash) {
    await moveEdits(tx, edit.state === 'edited' ? 'nothingDue' : 'shown', which, told);
    return;
  }
  const settles = { due: sql`greatest(e.settles_at, ${new Date(nowMs)}::timestamptz)`, nowMs };
  const mayArrive = edit.state === 'sending' && (edit.settles_at?.getTime() ?? 0) > nowMs;
  if (edits.at(-1)?.id !== edit.id) {
    if (isEnded) await moveEdits(tx, 'nothingDue', which, told);
    else if (mayArrive) await moveEdits(tx, 'readAgain', which, settles);
    else if (edit.state === 'sending') await moveEdits(tx, 'neverShown', which, { reason: 'newer_edit', nowMs });
    else await moveEdits(tx, 'unconfirmed', which, { ...told, ...why(seen) });
    return;
  }
  const isOpen = edit.closes_at !== null && edit.closes_at.getTime() > nowMs;
  const isOlder = seen.kind === 'text' && edits.some(({ id, body_hash }) => id !== edit.id && body_hash === seen.hash);
  if (isOlder && isOpen) await moveEdits(tx, 'overwritten', which, told);
  else if (isOlder && !mayArrive)
    await moveEdits(tx, 'overwrittenForGood', which, { ...told, reason: 'older_text_shown' });
  else if (edit.state === 'sending' && isOpen) await moveEdits(tx, 'postAgain', which, told);
  else if (mayArrive) await moveEdits(tx, 'readAgain', which, settles);
  else if (seen.kind === 'journal_unreadable' && seen.mayRespondLater) {
    // The longer the journal could not be read, the longer until the next time.
    const ageMs = nowMs - (edit.tried_at?.getTime() ?? nowMs);
    const dueMs = nowMs + Math.min(READ_AGAIN_MAX_MS, Math.max(READ_AGAIN_FIRST_MS, ageMs / 4));
    await moveEdits(tx, 'readAgain', which, { due: new Date(dueMs), nowMs });
  } else if (isEnded) await moveEdits(tx, 'nothingDue', which, told);
  else await moveEdits(tx, 'unconfirmed', which, { ...told, ...why(seen) });
}

function why(seen: Seen) {
  if (seen.kind !== 'journal_unreadable') return { reason: seen.kind };
  const { kind, code, httpStatus } = seen;
  return { reason: kind, detail: { code, ...present({ httpStatus }) } };
}
