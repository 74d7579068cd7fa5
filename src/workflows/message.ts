/**
 * One message from request to end state. Any client of Temporal may start it: docs/contract.md is its contract.
 *
 *   check the input, open the row → send: the dispatcher has it until its outcome is known
 *                                 → stay open for receipts, edits and late evidence → end
 *
 * The row in the ledger decides, this run does not: a second run, a reset or a restored Temporal finds the row and goes
 * on from it. What the run knows is a snapshot of the row; the one with the higher version is the truth.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  currentUpdateInfo,
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
  MESSAGE_WAIT_FOR_UPDATE,
  SEND_OPERATION,
  hasArrivedAt,
  hasOutcome,
  hasReached,
  type CancelResult,
  type EditId,
  type EditOutcome,
  type EditRequest,
  type EditResult,
  type EditSnapshot,
  type MessageChanged,
  type MessageId,
  type MessageInput,
  type MessageResult,
  type MessageSnapshot,
  type MessageStatus,
  type OpenedMessage,
  type WaitForRequest,
  type WaitForResult,
} from '../contract/index.js';
import type { EditStep, UnrecordedEdit } from '../activities/index.js';
import { edits, ledger, sends, stopping } from './activity-proxies.js';
import { messageDetails } from './message-details.js';
import { openMessage } from './open-message.js';
import { asOwnFailure, failingAsItself, checkEdit, checkWaitFor, refusal, refuse } from './refusals.js';
import { hasEnded, isAwaited, isFirstUnsettled, isSettled, openUntilMs, wasSent } from './message-lifetime.js';

/** Poll interval of the ledger if no signal came for a row that should have changed. */
const POLL_AGAIN_MS = 10 * 60 * 1000;

export const editUpdate = defineUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE);
export const cancelUpdate = defineUpdate<CancelResult>(MESSAGE_CANCEL_UPDATE);
export const waitForUpdate = defineUpdate<WaitForResult, [WaitForRequest]>(MESSAGE_WAIT_FOR_UPDATE);
export const statusQuery = defineQuery<MessageStatus>(MESSAGE_STATUS_QUERY);
export const messageChangedSignal = defineSignal<[MessageChanged]>(MESSAGE_CHANGED_SIGNAL);

const RECEIPTS: ReadonlySet<string> = new Set(['delivered', 'read', 'end']);

const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');
const kindAttribute = defineSearchAttributeKey('EverpostKind', 'KEYWORD');

export async function message(input: MessageInput): Promise<MessageResult> {
  const run = new MessageRun(input);
  setHandler(statusQuery, () => run.status());
  setHandler(messageChangedSignal, (snapshot) => run.hear(snapshot));
  setHandler(editUpdate, (request) => run.edit(request), { validator: (request) => run.validateEdit(request) });
  setHandler(cancelUpdate, () => run.cancel());
  setHandler(waitForUpdate, (request) => CancellationScope.nonCancellable(() => run.waitFor(request)), {
    validator: (request) => refuse('The wait', checkWaitFor(request)),
  });
  try {
    await run.open();
    await run.send();
    await run.stayOpen();
  } catch (error) {
    // The error's kind does not show it: a try that fails while it is being cancelled ends with its own failure.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => run.cancelByOperator());
    await CancellationScope.nonCancellable(() => run.untilWaitsEnded());
    throw new CancelledFailure('The run was cancelled; its row says what became of the message.');
  }
  return run.result();
}

class MessageRun {
  private readonly input: MessageInput;
  /** Edits under way in this run, by id: a repeated request is the same edit. */
  private readonly editing = new Map<EditId, Promise<EditResult>>();
  private found: OpenedMessage | undefined;
  private row: MessageSnapshot | undefined;
  /** In lists of runs. */
  private shownState: MessageSnapshot['state'] | undefined;
  /** Signals that came before the row was opened. */
  private early: MessageSnapshot | undefined;
  /** Why the run fails without a message. */
  private failure: unknown;
  private waits = 0;
  /** The row knows that this run waits for receipts. */
  private isNotified = false;
  /** True while the run would end but for its handlers: nothing more is to be waited for. */
  private isClosing = false;

  constructor(input: MessageInput) {
    this.input = input;
  }

  status(): MessageStatus {
    if (this.found === undefined) return {};
    const { instance, kind, requestHash } = this.found;
    return { instance, kind, requestHash, snapshot: this.known };
  }

  /**
   * A signal may come before the row is open, and any client may send one: only a notification of this message counts.
   */
  hear(snapshot: MessageChanged): void {
    if (typeof snapshot?.version !== 'number' || !Array.isArray(snapshot.edits)) return;
    if (this.row === undefined) {
      if (snapshot.version > (this.early?.version ?? -1)) this.early = snapshot;
    } else if (snapshot.id === this.row.id) {
      this.learn(snapshot);
    }
  }

  async open(): Promise<void> {
    try {
      const { edits: asked } = await this.openRow();
      // An earlier run that was terminated left them; later edits wait for their turn behind them.
      for (const edit of asked) if (!isSettled(edit)) void this.finishEdit(edit);
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      throw await this.refuseAll(asOwnFailure(error));
    }
  }

  validateEdit(request: EditRequest): void {
    this.refuseOtherKinds();
    refuse('The edit', checkEdit(request));
  }

  async waitFor({ state, timeoutMs }: WaitForRequest): Promise<WaitForResult> {
    this.waits += 1;
    try {
      await this.untilOpen();
      // A run is signalled receipts after the first only while a caller waits for them.
      if (RECEIPTS.has(state) && !this.isNotified) {
        this.learn(await ledger.awaitReceipts({ messageId: this.id }));
        this.isNotified = true;
      }
      const isOver = (): boolean => hasReached(this.known.state, state) || this.isClosing;
      if (timeoutMs === undefined) await condition(isOver);
      else await condition(isOver, timeoutMs, { summary: `until ${state}` });
      return { ...this.status(), reached: hasArrivedAt(this.known.state, state) };
    } finally {
      this.waits -= 1;
    }
  }

  /** Notifies every caller that waits. */
  async untilWaitsEnded(): Promise<void> {
    this.isClosing = true;
    await condition(() => this.waits === 0);
  }

  /** A message that is settled, e.g. by an earlier run, is not sent. */
  async send(): Promise<void> {
    if (hasOutcome(this.known.state)) return;
    this.learn(await sends[SEND_OPERATION[this.kind]]({ messageId: this.id, instance: this.instance }));
  }

  async stayOpen(): Promise<void> {
    for (;;) {
      const untilMs = openUntilMs(this.known);
      if (this.known.state === 'accepted' && isAwaited(this.known)) {
        // Without a timer, which would be one action more: receipts are signalled, and so is that none came in time.
        await this.waitForChange(untilMs);
      } else if (untilMs > Date.now()) {
        await this.waitForChange(untilMs, untilMs - Date.now());
      } else if (isAwaited(this.known) && this.known.state !== 'unresolved') {
        // Its end is recorded by now; the signal is late or lost.
        await this.pollAgain(untilMs);
      } else if (await this.hasClosed()) {
        return;
      }
    }
  }

  /** Waits for the edits and waits under way. @returns false when something came meanwhile that keeps the run open */
  private async hasClosed(): Promise<boolean> {
    this.isClosing = true;
    await condition(() => allHandlersFinished() && this.editing.size === 0);
    this.isClosing = openUntilMs(this.known) <= Date.now();
    return this.isClosing;
  }

  private async pollAgain(untilMs: number): Promise<void> {
    this.learn(await ledger.readMessage({ messageId: this.id }));
    if (openUntilMs(this.known) === untilMs && isAwaited(this.known)) await this.waitForChange(untilMs, POLL_AGAIN_MS);
  }

  async edit({ text, key }: EditRequest): Promise<EditResult> {
    const updateId = currentUpdateInfo()?.id ?? '';
    await this.untilOpen();
    this.refuseOtherKinds();
    const asked = { messageId: this.id, text, updateId, ...(key === undefined ? {} : { key }) };
    const { edit } = this.step(await failingAsItself(() => ledger.openEdit(asked)));
    return this.finishEdit(edit);
  }

  private finishEdit(edit: EditSnapshot): Promise<EditResult> {
    const underWay = this.editing.get(edit.id) ?? this.takeTurn(edit).finally(() => this.editing.delete(edit.id));
    this.editing.set(edit.id, underWay);
    return underWay;
  }

  private async takeTurn(edit: EditSnapshot): Promise<EditResult> {
    const [messageId, editId] = [this.id, edit.id];
    await condition(() => this.isSettled(editId) || this.hasTurn(edit) || hasEnded(this.known) || this.isPastWaiting());
    if (this.hasTurn(edit)) return this.postEdit(editId);
    if (!this.isSettled(editId)) {
      const reason = hasEnded(this.known) ? 'message_ended_unsent' : 'never_seen_sent';
      this.step(await ledger.settleEdit({ messageId, editId, outcome: 'not_possible', reason }));
    }
    return this.editResult(editId);
  }

  async cancel(): Promise<CancelResult> {
    await this.untilOpen();
    // A POST under way cannot be called back: the activity returns when the response is true.
    this.learn(await stopping.cancelMessage({ messageId: this.id, witness: 'request' }));
    return { cancelled: this.known.state === 'cancelled', state: this.known.state };
  }

  async cancelByOperator(): Promise<void> {
    if (this.row === undefined) await this.open();
    this.learn(await stopping.cancelMessage({ messageId: this.id, witness: 'workflow cancelled' }));
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

  /** Waits until the row is open for another time, or, if `ms` is given, that long. */
  private async waitForChange(untilMs: number, ms?: number): Promise<void> {
    const { state } = this.known;
    const summary = state === 'unresolved' ? state : wasSent(this.known) ? 'open for edits' : 'waiting for receipts';
    const isOver = (): boolean => openUntilMs(this.known) !== untilMs || hasEnded(this.known);
    if (ms === undefined) await condition(isOver);
    else await condition(isOver, ms, { summary });
  }

  private async postEdit(editId: EditId): Promise<EditResult> {
    const messageId = this.id;
    const posted = (await edits.editMessage({ messageId, editId })) as EditStep | UnrecordedEdit;
    const isRecorded = !('kind' in posted);
    const { confirmWithinMs } = this.step(
      isRecorded
        ? posted
        : await ledger.recordPostedEdit({ messageId, editId, idMessageReturned: posted.idMessageReturned }),
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

  /** The row is the truth of the moment it was read; what comes late or twice changes nothing. */
  private learn(snapshot: MessageSnapshot): MessageSnapshot {
    if (this.row !== undefined && snapshot.version <= this.row.version) return this.row;
    this.row = snapshot;
    this.showState();
    setCurrentDetails(messageDetails(this.instance, this.kind, snapshot));
    return snapshot;
  }

  /** Of lists: where it began, that it needs an operator, and how it ended. Each change costs an action. */
  private showState(): void {
    const { state } = this.known;
    const isWorthIt = this.shownState === undefined || state === 'unresolved' || hasEnded(this.known);
    if (!isWorthIt || state === this.shownState) return;
    const isFirst = this.shownState === undefined;
    this.shownState = state;
    const known = { key: stateAttribute, value: state };
    // A start through Temporal alone need not name any.
    if (!isFirst) upsertSearchAttributes([known]);
    else if (!('id' in this.input)) {
      upsertSearchAttributes([
        { key: instanceAttribute, value: this.instance },
        known,
        { key: kindAttribute, value: this.kind },
      ]);
    }
  }

  private async openRow(): Promise<MessageSnapshot> {
    this.found = await openMessage(this.input);
    const row = this.learn(this.found.snapshot);
    return this.early?.id === row.id ? this.learn(this.early) : row;
  }

  /** The updates that came meanwhile fail for the same reason, before the run does. */
  private async refuseAll(failure: unknown): Promise<unknown> {
    this.failure = failure;
    await condition(allHandlersFinished);
    return failure;
  }

  private async untilOpen(): Promise<void> {
    await condition(() => this.row !== undefined || this.failure !== undefined);
    if (this.failure !== undefined) throw this.failure;
  }

  private refuseOtherKinds(): void {
    if (this.found === undefined || this.kind === 'text') return;
    throw refusal(
      'EDIT_NOT_TEXT',
      `Message ${this.id} is a ${this.kind}. Only the text of a text message can be edited.`,
    );
  }

  private get known(): MessageSnapshot {
    if (this.row === undefined) throw new Error('A row is read before it is opened.');
    return this.row;
  }

  private get id(): MessageId {
    return this.known.id;
  }

  private get instance(): string {
    return this.opened.instance;
  }

  private get kind(): OpenedMessage['kind'] {
    return this.opened.kind;
  }

  private get opened(): OpenedMessage {
    if (this.found === undefined) throw new Error('A message is read before it is opened.');
    return this.found;
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
