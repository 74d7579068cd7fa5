/**
 * The ledger of edits.
 *
 * EDITROW-1 Before the claim an edit replaces the row's text and ends. After the claim it waits until the message is
 *    sent.
 * EDITROW-2 Edits of one message are serial, and the newest wins: an older edit that waits, or may not have arrived,
 *    ends as `superseded` and is not posted after it.
 * EDITROW-3 No edit is posted after the edit window, by the gateway's clock. An edit whose request may have arrived
 *    does not end `too_late`: a positive sign confirms it, or it ends unconfirmed.
 * EDITROW-4 From the response of editMessage until the edit has ended, and while it is unconfirmed, a `failed` for the
 *    given or the returned id belongs to the edit, never to the message.
 * EDITROW-5 End states are final. Only `unconfirmed` may still become `edited` or `refused`.
 * EDITROW-6 The outcome of one try proves nothing about another try. Only the current try can give an edit back or
 *    refuse it, and only if no earlier try may have arrived.
 */
import {
  AppError,
  type EditId,
  type EditOutcome,
  type EditSnapshot,
  type EditState,
  type MessageContent,
  type MessageId,
  type MessageSnapshot,
  present,
} from '../../contract/index.js';
import { refusalOf } from '../../domain/index.js';
import { applyParkedReceipts } from './receipts/apply-receipt.js';
import { assertSameRequest } from '../commands.js';
import { TextPart, type Texts } from '../sensitive/texts.js';
import type { Tx } from '../storage/store.js';
import {
  addEditEvidence,
  changeEdit,
  type EditRow,
  type EditView,
  editsOf,
  editViewOf,
  endEdit,
  endWaitingEdits,
  existingEdit,
  readEdit,
  replaceText,
} from './edit-row.js';
import { lockIdMessage, storeId } from './message-ids.js';
import {
  editableUntilOf,
  editSnapshotOf,
  existingMessage,
  lockMessage,
  type MessageRow,
  snapshotOf,
} from './message-row.js';
import { editChanged, moveMessages, oneMessage } from './writer/move-messages.js';

interface OpenEdit {
  readonly editId: EditId;
  readonly messageId: MessageId;
  readonly text: string;
  /** The requester. @default `request`: it came through Temporal */
  readonly witness?: string;
  readonly nowMs: number;
}

export type ClaimEditResult =
  | {
      readonly kind: 'claimed';
      readonly instance: string;
      readonly chatId: string;
      readonly idMessage: string;
      readonly text: string;
      /** By our own clock: bytes must not leave after this. */
      readonly editableUntilMs: number;
    }
  /** The window has closed, and an earlier request may have arrived: the edit can only wait for a positive sign. */
  | { readonly kind: 'unanswered'; readonly edit: EditSnapshot }
  | { readonly kind: 'nothing_to_post'; readonly edit: EditSnapshot }
  /** The message is not `sent` yet, or an older edit of it is still under way. */
  | { readonly kind: 'wait' };

/** The gateway's response to an edit that it rejects. */
export interface EditRefusal {
  readonly code: string;
  readonly httpStatus?: number;
  readonly text?: string;
}

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

  /** Whether a text that the gateway shows is that of the edit. */
  async isShown(editId: EditId, shown: string): Promise<boolean> {
    const edit = await this.database.run((db) => existingEdit(db, editId));
    return this.#hasText(edit, shown);
  }

  /**
   * The right to call editMessage for the newest edit of a sent message, inside the window (EDITROW-2, EDITROW-3). An
   * edit in `sending` may be claimed again, since posting the same text twice changes nothing.
   * @param token  identifies the try, so that it can be found when the response to the commit was lost
   */
  async claim(editId: EditId, token: string, nowMs: number): Promise<ClaimEditResult> {
    return this.database.transaction(async (tx) => {
      const { row, edit } = await lockEdit(tx, editId);
      if (edit.state !== 'pending' && edit.state !== 'sending')
        return { kind: 'nothing_to_post', edit: editSnapshotOf(edit) };
      const edits = await editsOf(tx, row.id);
      const { instance, chat_id: chatId, id_message: idMessage } = row;
      const editableUntilMs = editableUntilOf(row)?.getTime();
      const isOver = editableUntilMs !== undefined && nowMs >= editableUntilMs;
      const end = whyNeverPosted(edits, edit, isOver);
      if (end !== undefined) {
        await endEdit(tx, edit, { ...end, witness: 'claim', nowMs });
        await editChanged(tx, row.id, nowMs);
        return { kind: 'nothing_to_post', edit: editSnapshotOf(await existingEdit(tx, editId)) };
      }
      if (isOver) return { kind: 'unanswered', edit: editSnapshotOf(edit) };
      const isOlderUnderWay = edits.some(
        ({ id, state }) => id !== editId && (state === 'sending' || state === 'posted'),
      );
      if (editableUntilMs === undefined || chatId === null || idMessage === null || isOlderUnderWay) {
        return { kind: 'wait' };
      }
      const begun = { try_token: token, tried_at: new Date(nowMs) };
      if (edit.state === 'pending') {
        await changeEdit(tx, editId, { ...begun, state: 'sending', id_message_given: idMessage });
        await editChanged(tx, row.id, nowMs);
        await addEditEvidence(tx, edit, { fact: `claimed:${nowMs}`, witness: 'claim', what: 'edit_claimed', nowMs });
      } else if (edit.try_token !== token) {
        // EDITROW-6: an earlier try had the right to post, and the outcome of its request is unknown here.
        await changeEdit(tx, editId, { ...begun, may_have_arrived: true });
      }
      const { hidden } = edit;
      const text = hidden === null ? edit.text : String(this.texts.open(row.id, hidden)['text']);
      return { kind: 'claimed', instance, chatId, idMessage, text, editableUntilMs };
    });
  }

  /**
   * The request of this try surely did not arrive: `sending` → `pending`, so that a closing window ends the edit as
   * `too_late`. Changes nothing while another try's request may have arrived.
   */
  async giveBack(editId: EditId, token: string, nowMs: number): Promise<void> {
    await this.#change(editId, async (tx, edit) => {
      if (!isOnlyTry(edit, token)) return;
      await changeEdit(tx, editId, { state: 'pending', id_message_given: null, try_token: null });
      await editChanged(tx, edit.message_id, nowMs);
      const fact = `given_back:${nowMs}`;
      await addEditEvidence(tx, edit, { fact, witness: 'response', what: 'edit_given_back', nowMs });
    });
  }

  /**
   * The gateway rejected the request of this try: `sending` → `refused`. While another try's request may have arrived,
   * the edit stays `sending`, to be confirmed, and the rejection is evidence.
   */
  refuse(editId: EditId, token: string, refusal: EditRefusal, nowMs: number): Promise<EditSnapshot> {
    return this.#change(editId, async (tx, edit) => {
      const { code, ...detail } = refusal;
      if (isOnlyTry(edit, token)) {
        await endEdit(tx, edit, { outcome: 'refused', witness: 'response', reason: code, detail, nowMs });
        await editChanged(tx, edit.message_id, nowMs);
      } else if (edit.state === 'sending') {
        const fact = `try_refused:${token}`;
        const said = { code, ...detail };
        await addEditEvidence(tx, edit, { fact, witness: 'response', what: 'edit_try_refused', detail: said, nowMs });
      }
    });
  }

  /**
   * editMessage responded with 200: from now until the edit has ended, a `failed` for either id belongs to the edit.
   * Keeps both ids in every state of the edit. An edit that ended meanwhile does not change (EDITROW-5).
   */
  recordPosted(editId: EditId, idMessage: string | undefined, nowMs: number): Promise<EditSnapshot> {
    return this.#change(
      editId,
      async (tx, edit, { id: messageId, instance }) => {
        if (edit.posted_at !== null) return;
        await changeEdit(tx, editId, {
          ...(edit.state === 'sending' || edit.state === 'pending' ? { state: 'posted' } : {}),
          // The notification that ends an edit may arrive before the gateway's response does.
          posted_at: new Date(Math.min(nowMs, edit.ended_at?.getTime() ?? nowMs)),
          id_message_returned: idMessage ?? null,
        });
        await editChanged(tx, messageId, nowMs);
        const detail = present({ idMessage });
        await addEditEvidence(tx, edit, { fact: 'posted', witness: 'response', what: 'edit_posted', detail, nowMs });
        if (idMessage === undefined) return;
        await storeId(tx, { instance, idMessage, messageId, role: 'edit', nowMs });
        await applyParkedReceipts(tx, instance, idMessage, nowMs);
      },
      idMessage,
    );
  }

  /** Ends an edit, only forward: `unconfirmed` may still become `edited` or `refused`; other end states stay. */
  recordOutcome(
    editId: EditId,
    outcome: EditOutcome,
    evidence: { readonly witness: string; readonly reason?: string; readonly detail?: Record<string, unknown> },
    nowMs: number,
  ): Promise<EditSnapshot> {
    return this.#change(editId, async (tx, edit) => {
      if (!mayBecome(edit.state, outcome)) return;
      await endEdit(tx, edit, { outcome, ...evidence, ...(outcome === 'edited' ? { via: 'gateway' } : {}), nowMs });
      await editChanged(tx, edit.message_id, nowMs);
    });
  }

  /** A hidden text is compared by its hash, also after its removal. */
  #hasText(edit: EditRow, text: string): boolean {
    return edit.text_length === null ? edit.text === text : edit.body_hash === this.texts.bodyHash(asContent(text));
  }

  /**
   * Locks the edit's message, lets `step` change the edit or not, and returns its new state.
   * @param idMessage  the id that the step may store
   */
  #change(
    editId: EditId,
    step: (tx: Tx, edit: EditRow, row: MessageRow) => Promise<void>,
    idMessage?: string,
  ): Promise<EditSnapshot> {
    return this.database.transaction(async (tx) => {
      const { row, edit } = await lockEdit(tx, editId, idMessage);
      await step(tx, edit, row);
      return editSnapshotOf(await existingEdit(tx, editId));
    });
  }
}

function usedBefore(editId: EditId): string {
  return `Edit ${editId} was created by another request with the same key. Use a new Idempotency-Key for a new edit.`;
}

function asContent(text: string): MessageContent {
  return { kind: 'text', text };
}

/** The edit and its message, once the id and the message are locked. */
async function lockEdit(tx: Tx, editId: EditId, idMessage?: string): Promise<{ row: MessageRow; edit: EditRow }> {
  const { message_id } = await existingEdit(tx, editId);
  if (idMessage !== undefined) await lockIdMessage(tx, (await existingMessage(tx, message_id)).instance, idMessage);
  return { row: await lockMessage(tx, message_id), edit: await existingEdit(tx, editId) };
}

/** EDITROW-3 and EDITROW-5. */
function mayBecome(state: EditState, outcome: EditOutcome): boolean {
  if (state === 'pending') return true;
  if (state === 'sending' || state === 'posted') return outcome !== 'too_late';
  return state === 'unconfirmed' && (outcome === 'edited' || outcome === 'refused');
}

/** EDITROW-1. */
async function writeEdit(tx: Tx, row: MessageRow, edit: OpenEdit, texts: Texts): Promise<void> {
  const { editId, text, witness = 'request', nowMs } = edit;
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
  await endWaitingEdits(tx, row.id, 'superseded', 'newer_edit', nowMs);
  const asked = asContent(text);
  const { content, ...hidden } = texts.columnsOf(row.id, asked, row.text_length !== null);
  await tx
    .insertInto('edits')
    .values({
      id: editId,
      message_id: row.id,
      text: 'text' in content ? (content.text ?? '') : '',
      ...hidden,
      body_hash: texts.bodyHash(asked),
      state: 'pending',
      requested_at: new Date(nowMs),
    })
    .execute();
  const entry = { fact: 'requested', witness, what: 'edit_requested', nowMs };
  await addEditEvidence(tx, { id: editId, message_id: row.id }, entry);
  await moveMessages(tx, 'editRequested', oneMessage(row.id), { nowMs });
  if (row.state === 'pending') await replaceText(tx, row, await existingEdit(tx, editId), nowMs);
}

/**
 * EDITROW-2 and EDITROW-3: why this edit, pending or sending, must not be posted now or later, and its resulting state.
 */
function whyNeverPosted(
  edits: readonly EditRow[],
  edit: EditRow,
  isOver: boolean,
): { outcome: EditOutcome; reason: string } | undefined {
  if (edits.at(-1)?.id !== edit.id) return { outcome: 'superseded', reason: 'newer_edit' };
  return isOver && edit.state === 'pending' ? { outcome: 'too_late', reason: 'window_closed' } : undefined;
}

/** EDITROW-6. */
function isOnlyTry(edit: EditRow, token: string): boolean {
  return edit.state === 'sending' && edit.try_token === token && !edit.may_have_arrived;
}
