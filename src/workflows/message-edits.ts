/**
 * The edits of one message, as its run shows them: one activity for each, which waits until the row of the edit has
 * ended. The dispatcher posts and confirms it.
 */
import {
  editActivityId,
  present,
  type EditId,
  type EditOutcome,
  type EditRequest,
  type EditResult,
} from '../contract/index.js';
import type { EditStep } from '../activities/index.js';
import { ledger, waitingForEdit } from './activity-proxies.js';
import { editHasEnded, type MessageRow } from './message-row.js';
import { checkEdit, failingAsItself, refusal, refuse } from './refusals.js';

export class MessageEdits {
  readonly #row: MessageRow;
  /** The edits that this run waits for. A repeated request does not add another one. */
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
    const step = await failingAsItself(() =>
      'id' in request
        ? ledger.readEdit({ messageId, editId: request.id })
        : ledger.openEdit({ messageId, text: request.text, updateId, ...present({ key: request.key }) }),
    );
    return editHasEnded(step.edit) ? this.#ended(step) : this.#finish(step.edit.id);
  }

  /** Shows the edits that others requested, and those of an earlier run. */
  resume(): void {
    if (!this.#row.isOpen) return;
    for (const edit of this.#row.known.edits) {
      if (editHasEnded(edit)) continue;
      // A cancelled run, or a row that is gone, ends only the wait: the edit needs no run.
      this.#finish(edit.id).catch(() => undefined);
    }
  }

  #finish(editId: EditId): Promise<EditResult> {
    const underWay = this.#underWay.get(editId) ?? this.#wait(editId).finally(() => this.#underWay.delete(editId));
    this.#underWay.set(editId, underWay);
    return underWay;
  }

  async #wait(editId: EditId): Promise<EditResult> {
    const step = await waitingForEdit(editActivityId(editId)).editMessage({ messageId: this.#row.id, editId });
    return this.#ended(step as EditStep);
  }

  #ended({ edit, message }: EditStep): EditResult {
    this.#row.learn(message);
    const { idMessage } = message;
    return { editId: edit.id, outcome: edit.state as EditOutcome, ...present({ via: edit.via, idMessage }) };
  }

  #refuseOtherKinds(): void {
    if (!this.#row.isOpen || this.#row.opened.kind === 'text') return;
    const { id, opened } = this.#row;
    const message = `Message ${id} is a ${opened.kind}. Only the text of a text message can be edited.`;
    throw refusal('EDIT_NOT_TEXT', message);
  }
}
