/**
 * One message from request to end state.
 *
 *   open the row → send until the row is settled → stay open for receipts, edits and late evidence → end
 *                     ↑ an answer was lost: ask what became of it; planned again by proof or by a person: send
 *
 * The row in the ledger decides, this run does not: a second run, a reset or a restored Temporal finds the row and goes on
 * from it. What the run knows is a snapshot of the row; the one with the higher version is the truth.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import {
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_CHANGED_SIGNAL,
  MESSAGE_EDIT_UPDATE,
  MESSAGE_STATUS_QUERY,
  SEND_OPERATION,
  type CancelResult,
  type EditId,
  type EditOutcome,
  type EditRequest,
  type EditResult,
  type EditSnapshot,
  type MessageChanged,
  type MessageInput,
  type MessageResult,
  type MessageSnapshot,
  type MessageStatus,
} from '../contract/index.js';
import type { EditStep, UnrecordedEdit } from '../activities/index.js';
import { edits, ledger, reconciling, sends } from './activity-proxies.js';
import { messageDetails } from './message-details.js';
import {
  hasEnded,
  isFirstUnsettled,
  isHeldHere,
  isSettled,
  needsReconciling,
  needsSending,
  openUntilMs,
  wasSent,
} from './message-lifetime.js';

const MAX_TEXT_CHARACTERS = 20_000;
/** Notifications settle a held row at once; this is for a journal, and for an equal message that stood in its way. */
const HELD_LOOK_MS = 60 * 60 * 1000;

export const editUpdate = defineUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE);
export const cancelUpdate = defineUpdate<CancelResult>(MESSAGE_CANCEL_UPDATE);
export const statusQuery = defineQuery<MessageStatus>(MESSAGE_STATUS_QUERY);
export const messageChangedSignal = defineSignal<[MessageChanged]>(MESSAGE_CHANGED_SIGNAL);

const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

export async function message(input: MessageInput): Promise<MessageResult> {
  const run = new MessageRun(input);
  setHandler(statusQuery, () => run.status());
  setHandler(messageChangedSignal, (snapshot) => void run.learn(snapshot));
  setHandler(editUpdate, (request) => run.edit(request), { validator: (request) => validateEdit(input, request) });
  setHandler(cancelUpdate, () => run.cancel());
  try {
    await run.open();
    do {
      await run.send();
      await run.stayOpen();
    } while (run.hasSomethingToDo());
  } catch (error) {
    // Not the error's kind tells: a try that fails while it is being cancelled ends with its own failure.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => run.cancelByOperator());
    throw new CancelledFailure('The run was cancelled; its row says what became of the message.');
  }
  return run.result();
}

function validateEdit(input: MessageInput, { text }: EditRequest): void {
  if (input.request.content.kind !== 'text') throw refusal('EDIT_NOT_TEXT', 'Only a text message can be edited.');
  if (typeof text !== 'string' || text === '') throw refusal('INPUT_INVALID', 'text: give the new text.');
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw refusal('INPUT_INVALID', `text: at most ${MAX_TEXT_CHARACTERS} characters, this has ${text.length}.`);
  }
}

function refusal(type: string, words: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(words, type);
}

class MessageRun {
  private readonly input: MessageInput;
  private readonly sending = new CancellationScope();
  /** Edits under way in this run. Asked for twice, one is still one. */
  private readonly editing = new Map<EditId, Promise<EditResult>>();
  private row: MessageSnapshot | undefined;

  constructor(input: MessageInput) {
    this.input = input;
  }

  /** The row is the truth of the moment it was read; what comes late or twice changes nothing. */
  learn(snapshot: MessageSnapshot): MessageSnapshot {
    if (this.row !== undefined && snapshot.version <= this.row.version) return this.row;
    const stateChanged = snapshot.state !== this.row?.state;
    this.row = snapshot;
    if (stateChanged) upsertSearchAttributes([{ key: stateAttribute, value: snapshot.state }]);
    setCurrentDetails(messageDetails(this.input.request.instance, this.input.request.content.kind, snapshot));
    return snapshot;
  }

  status(): MessageStatus {
    const { instance, content } = this.input.request;
    return {
      requestHash: this.input.requestHash,
      instance,
      kind: content.kind,
      ...(this.row === undefined ? {} : { snapshot: this.row }),
    };
  }

  async open(): Promise<void> {
    const { edits: asked } = this.learn(await ledger.openMessage(this.input));
    // An earlier run that was terminated left them; later edits wait for their turn behind them.
    for (const edit of asked) if (!isSettled(edit)) void this.finishEdit(edit);
  }

  /** True while the row asks for a POST, or for what became of one. */
  hasSomethingToDo(): boolean {
    return needsSending(this.known) || needsReconciling(this.known);
  }

  async send(): Promise<void> {
    while (this.hasSomethingToDo()) {
      try {
        this.learn(await (needsSending(this.known) ? this.post() : this.reconcile()));
      } catch (error) {
        // Our own scope ends the waiting of a cancelled message; a cancellation of the whole run goes on upwards.
        if (!this.sending.consideredCancelled || !hasEnded(this.known)) throw error;
      }
    }
  }

  async stayOpen(): Promise<void> {
    while (!this.hasSomethingToDo()) {
      const untilMs = openUntilMs(this.known);
      if (untilMs > Date.now()) {
        await this.waitForNews(untilMs);
        continue;
      }
      this.learn(await reconciling.expireMessage({ messageId: this.input.id }));
      await condition(() => allHandlersFinished() && this.editing.size === 0);
      if (openUntilMs(this.known) <= Date.now()) return;
    }
  }

  async edit({ editId, text }: EditRequest): Promise<EditResult> {
    await condition(() => this.row !== undefined);
    const { edit } = this.step(await ledger.openEdit({ messageId: this.input.id, editId, text }));
    return this.finishEdit(edit);
  }

  private finishEdit(edit: EditSnapshot): Promise<EditResult> {
    const underWay = this.editing.get(edit.id) ?? this.takeTurn(edit).finally(() => this.editing.delete(edit.id));
    this.editing.set(edit.id, underWay);
    return underWay;
  }

  private async takeTurn(edit: EditSnapshot): Promise<EditResult> {
    const [messageId, editId] = [this.input.id, edit.id];
    await condition(() => this.isSettled(editId) || this.hasTurn(edit) || hasEnded(this.known) || this.isPastWaiting());
    if (this.hasTurn(edit)) return this.postEdit(editId);
    if (!this.isSettled(editId)) {
      const reason = hasEnded(this.known) ? 'message_ended_unsent' : 'never_seen_sent';
      this.step(await ledger.settleEdit({ messageId, editId, outcome: 'not_possible', reason }));
    }
    return this.editResult(editId);
  }

  async cancel(): Promise<CancelResult> {
    await condition(() => this.row !== undefined);
    this.learn(await ledger.cancelMessage({ messageId: this.input.id, witness: 'request' }));
    if (hasEnded(this.known)) this.sending.cancel();
    // A POST under way cannot be called back: the answer is given when it is true.
    await condition(() => !needsSending(this.known));
    return { cancelled: this.known.state === 'cancelled', state: this.known.state };
  }

  async cancelByOperator(): Promise<void> {
    if (this.row === undefined) this.learn(await ledger.openMessage(this.input));
    this.learn(await ledger.cancelMessage({ messageId: this.input.id, witness: 'workflow cancelled' }));
  }

  result(): MessageResult {
    const { id, state, idMessage, reason } = this.known;
    return {
      id,
      state,
      ...(idMessage === undefined ? {} : { idMessage }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  private async post(): Promise<MessageSnapshot> {
    const operation = SEND_OPERATION[this.input.request.content.kind];
    const result = await this.sending.run(() => sends[operation]({ messageId: this.input.id }));
    return result.kind === 'recorded' ? result.snapshot : ledger.recordOutcome(result);
  }

  /** Returns when something is decided; a held row is looked at once. */
  private async reconcile(): Promise<MessageSnapshot> {
    return this.sending.run(() => reconciling.reconcileMessage({ messageId: this.input.id }));
  }

  /** Waits until the row asks for something else than it did, or the time has come. A held row is looked at now and then. */
  private async waitForNews(untilMs: number): Promise<void> {
    const isHeld = isHeldHere(this.known);
    const leftMs = untilMs - Date.now();
    const hasNews = (): boolean => this.hasSomethingToDo() || openUntilMs(this.known) !== untilMs;
    const summary = isHeld ? 'held' : wasSent(this.known) ? 'open for edits' : 'waiting for receipts';
    const isNews = await condition(hasNews, isHeld ? Math.min(leftMs, HELD_LOOK_MS) : leftMs, { summary });
    if (isHeld && !isNews && isHeldHere(this.known)) this.learn(await this.reconcile());
  }

  private async postEdit(editId: EditId): Promise<EditResult> {
    const messageId = this.input.id;
    const posted = (await edits.editMessage({ messageId, editId })) as EditStep | UnrecordedEdit;
    const isRecorded = !('kind' in posted);
    const { confirmWithinMs } = this.step(
      isRecorded
        ? posted
        : await ledger.recordPostedEdit({ messageId, editId, idMessageAnswered: posted.idMessageAnswered }),
    );
    const summary = 'waiting for the sign of an edit';
    if (!(await condition(() => this.isSettled(editId), confirmWithinMs, { summary }))) {
      this.step(await edits.confirmEdit({ messageId, editId }));
    }
    return this.editResult(editId);
  }

  private step(step: EditStep): EditStep {
    this.learn(step.message);
    return step;
  }

  private get known(): MessageSnapshot {
    if (this.row === undefined) throw new Error(`The row of ${this.input.id} is read before it is opened.`);
    return this.row;
  }

  private findEdit(editId: EditId): EditSnapshot | undefined {
    return this.row?.edits.find(({ id }) => id === editId);
  }

  private isSettled(editId: EditId): boolean {
    const edit = this.findEdit(editId);
    return edit !== undefined && isSettled(edit);
  }

  private hasTurn(edit: EditSnapshot): boolean {
    return !this.isSettled(edit.id) && wasSent(this.known) && isFirstUnsettled(this.known, edit);
  }

  /** True when no sign of `sent` can be expected any more. */
  private isPastWaiting(): boolean {
    return !wasSent(this.known) && openUntilMs(this.known) <= Date.now();
  }

  private editResult(editId: EditId): EditResult {
    const edit = this.findEdit(editId);
    if (edit === undefined || !isSettled(edit)) throw new Error(`Edit ${editId} is answered before it ended.`);
    const { idMessage } = this.known;
    return {
      editId,
      outcome: edit.state as EditOutcome,
      ...(edit.via === undefined ? {} : { via: edit.via }),
      ...(idMessage === undefined ? {} : { idMessage }),
    };
  }
}
