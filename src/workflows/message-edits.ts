/**
 * Posts and confirms the edits of one message, in the order of the ledger. Each edit waits until the message is sent
 * and the edits before it have ended.
 */
import { condition } from '@temporalio/workflow';
import {
  present,
  type EditId,
  type EditOutcome,
  type EditRequest,
  type EditResult,
  type EditSnapshot,
} from '../contract/index.js';
import type { EditStep, UnrecordedEdit } from '../activities/index.js';
import { edits, ledger } from './activity-proxies.js';
import { hasEnded, isNextEdit, editHasEnded, openUntilMs, wasSent, type MessageRow } from './message-row.js';
import { checkEdit, failingAsItself, refusal, refuse } from './refusals.js';

export class MessageEdits {
  readonly #row: MessageRow;
  /** The edits under way in this run. A repeated request does not add another one. */
  readonly #underWay = new Map<EditId, Promise<EditResult>>();

  constructor(row: MessageRow) {
    this.#row = row;
  }

  get areDone(): boolean {
    return this.#underWay.size === 0;
  }

  validate(request: EditRequest): void {
    this.#refuseOtherKinds();
    refuse('The edit', checkEdit(request));
  }

  /** @param updateId  the id of the update that requests the edit; the same id means the same edit */
  async edit(request: EditRequest, updateId: string): Promise<EditResult> {
    this.#refuseOtherKinds();
    const messageId = this.#row.id;
    const { edit } = this.#learn(
      await failingAsItself(() =>
        'id' in request
          ? ledger.readEdit({ messageId, editId: request.id })
          : ledger.openEdit({ messageId, text: request.text, updateId, ...present({ key: request.key }) }),
      ),
    );
    return editHasEnded(edit) ? this.#result(edit.id) : this.#finish(edit);
  }

  /** Finishes edits of an earlier run and edits of other requesters, since later edits wait for them. */
  resume(): void {
    if (!this.#row.isOpen) return;
    for (const edit of this.#row.known.edits) if (!editHasEnded(edit)) void this.#finish(edit);
  }

  #finish(edit: EditSnapshot): Promise<EditResult> {
    const underWay = this.#underWay.get(edit.id) ?? this.#takeTurn(edit).finally(() => this.#underWay.delete(edit.id));
    this.#underWay.set(edit.id, underWay);
    return underWay;
  }

  async #takeTurn(edit: EditSnapshot): Promise<EditResult> {
    const row = this.#row;
    const [messageId, editId] = [row.id, edit.id];
    await condition(
      () => this.#hasEnded(editId) || this.#hasTurn(edit) || hasEnded(row.known) || this.#isPastWaiting(),
    );
    if (this.#hasTurn(edit)) return this.#post(editId);
    if (!this.#hasEnded(editId)) {
      const reason = hasEnded(row.known) ? 'message_ended_unsent' : 'never_seen_sent';
      this.#learn(await ledger.settleEdit({ messageId, editId, outcome: 'not_possible', reason }));
    }
    return this.#result(editId);
  }

  async #post(editId: EditId): Promise<EditResult> {
    const messageId = this.#row.id;
    const posted = (await edits.editMessage({ messageId, editId })) as EditStep | UnrecordedEdit;
    const { confirmWithinMs } = this.#learn(
      'kind' in posted
        ? await ledger.recordPostedEdit({ messageId, editId, idMessageReturned: posted.idMessageReturned })
        : posted,
    );
    const summary = 'waiting for the sign of an edit';
    if (!(await condition(() => this.#hasEnded(editId), confirmWithinMs, { summary }))) {
      this.#learn(await edits.confirmEdit({ messageId, editId }));
    }
    return this.#result(editId);
  }

  #learn(step: EditStep): EditStep {
    this.#row.learn(step.message);
    return step;
  }

  #result(editId: EditId): EditResult {
    const edit = this.#find(editId);
    if (edit === undefined || !editHasEnded(edit)) throw new Error(`Edit ${editId} is answered before it ended.`);
    const { idMessage } = this.#row.known;
    return { editId, outcome: edit.state as EditOutcome, ...present({ via: edit.via, idMessage }) };
  }

  #refuseOtherKinds(): void {
    if (!this.#row.isOpen || this.#row.opened.kind === 'text') return;
    const { id, opened } = this.#row;
    const message = `Message ${id} is a ${opened.kind}. Only the text of a text message can be edited.`;
    throw refusal('EDIT_NOT_TEXT', message);
  }

  #find(editId: EditId): EditSnapshot | undefined {
    return this.#row.known.edits.find(({ id }) => id === editId);
  }

  #hasEnded(editId: EditId): boolean {
    const edit = this.#find(editId);
    return edit !== undefined && editHasEnded(edit);
  }

  #hasTurn(edit: EditSnapshot): boolean {
    const { known } = this.#row;
    return !this.#hasEnded(edit.id) && wasSent(known) && isNextEdit(known, edit);
  }

  /** Whether the message can no longer become `sent`. */
  #isPastWaiting(): boolean {
    const { known } = this.#row;
    return !wasSent(known) && openUntilMs(known) <= Date.now();
  }
}
