/**
 * The ledger of edits.
 *
 * EDITROW-1 Before the claim an edit replaces the row's text and ends. After the claim it waits until the message is
 *    sent.
 * EDITROW-2 Edits of one message are serial, and the newest wins: an older edit that waits ends as `superseded`. One
 *    whose request may still arrive is not posted again, and the newer one waits until it has settled.
 * EDITROW-3 No edit is posted after the edit window, by the gateway's clock. An edit whose request may have arrived
 *    does not end `too_late`: a positive sign confirms it, or it ends unconfirmed.
 * EDITROW-4 From the claim until the edit has ended, and while it is unconfirmed, a `failed` for the given or the
 *    returned id belongs to the edit, never to the message.
 * EDITROW-5 A sign for a text belongs to the newest edit with that text that was posted. If the text of an older edit
 *    shows, the journal decides, and the newest one is posted again.
 * EDITROW-6 The outcome of one try proves nothing about another try. Only the current try can give an edit back or
 *    refuse it, and only if no earlier try may have arrived.
 * EDITROW-7 Time ends every edit, also one of an instance that nothing serves: what was not posted when its window
 *    closes is `too_late`, and what nothing has confirmed an hour after it is `unconfirmed`.
 * EDITROW-8 A message that is posted again has the text that its phone shows, or would show: that of the newest edit that
 *    was neither refused nor too late, also if it was not possible because the message had ended. Its edits end.
 */
import { type Selectable, sql } from 'kysely';
import {
  AppError,
  type EditId,
  type EditSnapshot,
  isEditOutcome,
  type MessageContent,
  type MessageId,
  type MessageSnapshot,
  RECEIPT_WAIT_MS,
} from '../../../contract/index.js';
import { refusalOf } from '../../../domain/index.js';
import { assertSameRequest } from '../../storage/commands.js';
import { TextPart, type Texts } from '../../sensitive/texts.js';
import type { AttemptsTable } from '../../storage/schema.js';
import { jsonText } from '../../storage/statements.js';
import { retryingTransaction, type Tx } from '../../storage/store.js';
import { dueAgain } from '../writer/due-rows.js';
import { showEdit } from '../outbox.js';
import {
  addEvidence,
  editableUntilOf,
  editSnapshotOf,
  existingMessage,
  expiresAt,
  lockMessage,
  type MessageRow,
  snapshotOf,
} from '../message-row.js';
import { EDITS_UNDER_WAY } from '../../storage/state-lists.js';
import { type Moved, moveMessages, oneMessage, replaceContent } from '../writer/move-messages.js';
import { type EditRow, type EditView, editsOf, editViewOf, existingEdit, readEdit } from './edit-row.js';
import { editsIn, moveEdits, oneEdit } from './move-edits.js';

interface OpenEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly text: string;
  /** The requester. @default `request`: it came through Temporal, so its run shows it */
  readonly witness?: string;
  readonly nowMs: number;
}

const RECIPIENT_ERASED = 'recipient_erased';
/** EDITROW-7 */
const CONFIRMED_WITHIN_MS = 60 * 60_000;

export class Edits extends TextPart {
  /**
   * Writes the edit unless it exists. While the message is `pending` its text is replaced at once (`edited`, `via:
   * before_send`); otherwise the edit waits, and older ones that still wait end as `superseded`.
   * @throws AppError MESSAGE_NOT_FOUND | EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE (the message ended unsent)
   */
  async open(input: OpenEdit): Promise<{ edit: EditSnapshot; message: MessageSnapshot }> {
    const { editId, messageId, text } = input;
    return this.database.transaction(async (tx) => {
      const row = await lockMessage(tx, messageId);
      const known = await readEdit(tx, editId);
      if (known === undefined) await writeEdit(tx, row, input, this.texts);
      else assertSameRequest(known.message_id === messageId && this.#hasText(known, text), usedBefore(editId));
      const edit = await existingEdit(tx, editId);
      const isShown = row.run !== 'none' && input.witness !== undefined && known === undefined;
      if (isShown && !isEditOutcome(edit.state)) await showEdit(tx, row, editId);
      return { edit: editSnapshotOf(edit), message: snapshotOf(await existingMessage(tx, messageId)) };
    });
  }

  async view(editId: EditId): Promise<(EditView & { messageId: MessageId }) | undefined> {
    const edit = await this.database.run((db) => readEdit(db, editId));
    return edit && { ...editViewOf(edit), messageId: edit.message_id };
  }

  /** The edit of a repeated request. @throws AppError IDEMPOTENCY_MISMATCH if it has another text */
  async known(editId: EditId, text: string): Promise<(EditView & { messageId: MessageId }) | undefined> {
    const edit = await this.database.run((db) => readEdit(db, editId));
    if (edit === undefined) return undefined;
    assertSameRequest(this.#hasText(edit, text), usedBefore(editId));
    return { ...editViewOf(edit), messageId: edit.message_id };
  }

  /** Ends edits that wait for their message, since their recipient is erased. */
  async eraseWaiting(ids: readonly EditId[], nowMs: number): Promise<void> {
    const why = { witness: 'erasure', reason: RECIPIENT_ERASED, nowMs };
    await retryingTransaction(this.database, (tx) => moveEdits(tx, 'messageEnded', editsIn(ids), why));
  }

  /** EDITROW-7. @returns how many edits it ended, at most `limit` */
  endByTime(limit: number, nowMs: number): Promise<number> {
    return retryingTransaction(this.database, async (tx) => {
      const closed = sql`e.closes_at <= ${new Date(nowMs)}::timestamptz and e.state in ${EDITS_UNDER_WAY}
        and (e.state = 'pending' or e.step = 'post')`;
      const late = { reason: 'window_closed', nowMs };
      const one = await moveEdits(tx, 'windowClosed', { where: closed, limit, skipsLocked: true }, late);
      const unsent = sql`m.state = 'unresolved' and ${expiresAt('m')} <= ${new Date(nowMs - RECEIPT_WAIT_MS)}::timestamptz
        and e.state = 'pending' and e.closes_at is null`;
      const never = { reason: 'never_seen_sent', nowMs };
      const three = await moveEdits(tx, 'messageEnded', { where: unsent, limit, skipsLocked: true }, never);
      const unseen = sql`e.closes_at <= ${new Date(nowMs - CONFIRMED_WITHIN_MS)}::timestamptz and e.state in ${EDITS_UNDER_WAY}`;
      const given = { reason: 'no_sign', nowMs };
      const two = await moveEdits(tx, 'unconfirmed', { where: unseen, limit, skipsLocked: true }, given);
      return Math.max(one.length, two.length, three.length);
    });
  }

  /** A hidden text is compared by its hash, also after its removal. */
  #hasText(edit: EditRow, text: string): boolean {
    return edit.text_length === null ? edit.text === text : edit.body_hash === this.texts.bodyHash(asContent(text));
  }
}

function usedBefore(editId: EditId): string {
  return `Edit ${editId} was created by another request with the same key. Use a new Idempotency-Key for a new edit.`;
}

function asContent(text: string): MessageContent {
  return { kind: 'text', text };
}

/** EDITROW-1. */
async function writeEdit(tx: Tx, row: MessageRow, edit: OpenEdit, texts: Texts): Promise<void> {
  const { editId, text, witness = 'request', nowMs } = edit;
  refuseEdit(row);
  const older = await endOlder(tx, sql`e.message_id = ${row.id}`, nowMs);
  const asked = asContent(text);
  const { content, ...hidden } = texts.columnsOf(row.id, asked, row.text_length !== null);
  const closesAt = editableUntilOf(row) ?? null;
  // A request of an older one may still arrive, or has arrived and is not confirmed yet.
  const isDue = closesAt !== null && !older.some(({ state }) => state === 'sending' || state === 'posted');
  await tx
    .insertInto('edits')
    .values({
      id: editId,
      message_id: row.id,
      instance: row.instance,
      text: 'text' in content ? (content.text ?? '') : '',
      ...hidden,
      body_hash: texts.bodyHash(asked),
      state: 'pending',
      requested_at: new Date(nowMs),
      closes_at: closesAt,
      ...(isDue ? { step: 'post', due_at: new Date(nowMs) } : {}),
    })
    .execute();
  const fact = `edit:${editId}:requested`;
  await addEvidence(tx, { messageId: row.id, fact, witness, what: 'edit_requested', detail: { edit: editId }, nowMs });
  await moveMessages(tx, 'editRequested', oneMessage(row.id), { nowMs });
  if (row.state === 'pending') await replaceText(tx, row, await existingEdit(tx, editId), nowMs);
  else if (closesAt !== null && closesAt.getTime() <= nowMs) {
    await moveEdits(tx, 'windowClosed', oneEdit(editId), { reason: 'window_closed', nowMs });
  } else if (closesAt === null && (row.state === 'sent' || (row.state === 'accepted' && row.ended_at !== null))) {
    await moveEdits(tx, 'messageEnded', oneEdit(editId), { reason: 'never_seen_sent', nowMs });
  }
}

/** @throws AppError EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE */
function refuseEdit(row: MessageRow): void {
  if (row.kind !== 'text') {
    throw new AppError(
      'EDIT_NOT_TEXT',
      `Message ${row.id} is a ${row.kind}: only a text can be edited. Send a new message.`,
    );
  }
  const refusal = refusalOf('editRequested', row.state);
  if (refusal !== undefined) {
    throw new AppError(
      refusal,
      `Message ${row.id} ended ${row.state}: its text can no longer be edited. Send a new message.`,
    );
  }
  if (row.text_removed_at !== null) {
    throw new AppError(
      'EDIT_NOT_POSSIBLE',
      `Message ${row.id} is sensitive, and its text was removed at ${row.text_removed_at.toISOString()}: it can no longer be edited. Send a new message.`,
    );
  }
}

/** EDITROW-2: what a newer edit does to those that have not ended. @returns those after it */
export async function endOlder(tx: Tx, where: ReturnType<typeof sql>, nowMs: number, reason = 'newer_edit') {
  await moveEdits(tx, 'newerRequested', { where }, { reason, due: sql`e.settles_at`, nowMs });
  const { rows } = await sql<Pick<EditRow, 'message_id' | 'state'>>`
    select e.message_id, e.state from edits e where ${where} and e.state in ${EDITS_UNDER_WAY}`.execute(tx);
  return rows;
}

/** Replaces the text of a pending row: the edited text will be posted. */
async function replaceText(tx: Tx, row: MessageRow, edit: EditRow, nowMs: number): Promise<void> {
  const { text, text_length, hidden, body_hash, content_version } = edit;
  const content = { ...row.content, text } as MessageContent;
  // A message with its own edit is no longer composed from its campaign's content, so a change of that content does
  // not affect it.
  await replaceContent(tx, row.id, { content: jsonText(content), text_length, hidden, body_hash, content_version });
  await dueAgain(tx, row);
  await moveEdits(tx, 'appliedBeforeSend', oneEdit(edit.id), { nowMs });
}

/** EDITROW-8, for messages that are pending again. */
export async function applyNewestEdits(tx: Tx, pending: readonly Moved[], nowMs: number): Promise<void> {
  for (const { id } of pending.filter(({ has_edits }) => has_edits)) {
    const row = await existingMessage(tx, id);
    // What the phone showed, or would have shown if the message had been sent.
    const newest = (await editsOf(tx, id)).findLast(({ state, reason }) => {
      if (state === 'not_possible') return reason !== RECIPIENT_ERASED;
      return state === 'edited' || state === 'unconfirmed' || !isEditOutcome(state);
    });
    const others = sql`e.message_id = ${id} and e.id is distinct from ${newest?.id ?? null}`;
    await moveEdits(tx, 'otherTextPosted', { where: others }, { reason: 'newer_edit', nowMs });
    // After an edit of an amendment, the row may have been composed from the campaign's content again.
    const isComposedLater =
      typeof newest?.content_version === 'number' && (row.content_version ?? Infinity) >= newest.content_version;
    if (newest !== undefined && !isComposedLater) await replaceText(tx, row, newest, nowMs);
  }
}

/**
 * The gateway accepted an attempt that counted as lost or failed, and the row has another text since then: it gets the
 * posted text back, and the phone did not get that of edits before a later attempt.
 */
export async function restoreText(
  tx: Tx,
  row: MessageRow,
  attempt: Pick<Selectable<AttemptsTable>, 'token' | 'seq' | 'content' | 'text_length' | 'hidden' | 'body_hash'>,
  nowMs: number,
): Promise<void> {
  const { content, text_length, hidden, body_hash, seq, token } = attempt;
  if (body_hash === row.body_hash) return;
  await replaceContent(tx, row.id, { content: jsonText(content), text_length, hidden, body_hash });
  const since = sql`e.message_id = ${row.id} and e.via = 'before_send' and e.seq > ${seq}`;
  await moveEdits(tx, 'olderTextAccepted', { where: since }, { reason: 'older_text_accepted', nowMs });
  const [fact, what] = [`older_text:${token}`, 'older_text_accepted'];
  const detail = { attempt: token };
  await addEvidence(tx, { messageId: row.id, fact, witness: 'response', what, detail, nowMs });
}
