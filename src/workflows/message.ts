/**
 * The workflow of one message, from request to end state. Any Temporal client may start it, see docs/contract.md.
 *
 *   commit the row → `sendMessage`, or another send operation: until it is sent, has ended or is unresolved
 *                  → open for edits → end with the state of the row
 *
 * RUN-1 The row in the ledger is authoritative, and the dispatcher moves it without a run. A run waits for its row by
 *    activities, so a second run, a reset or a restored Temporal shows the same.
 * RUN-2 After `unresolved` the run shows it and waits again, with the same activity.
 * RUN-3 The row's state is the run's result. A run fails only if it has no message; a cancelled one ends as cancelled.
 * RUN-4 The run stays open for edits and updates until the edit window has closed. Each update is one activity.
 */
import {
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  currentUpdateInfo,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_EDIT_UPDATE,
  MESSAGE_WAIT_FOR_UPDATE,
  MOST_WAITS,
  SEND_ACTIVITY_ID,
  SEND_OPERATION,
  editActivityId,
  hasArrivedAt,
  isEditOutcome,
  present,
  type CancelResult,
  type EditId,
  type EditOutcome,
  type EditRequest,
  type EditResult,
  type EditSnapshot,
  type MessageInput,
  type MessageResult,
  type OpenedMessage,
  type ShownMessage,
  type TraceContext,
  type WaitForRequest,
  type WaitForResult,
} from '../contract/index.js';
import type { EditStep } from '../activities/index.js';
import { opening, stopping, waiting } from './activity-proxies.js';
import { editableUntilMs, isOver, isSentOrOver, wasSent } from './message-row.js';
import { Opening, checkDepth, checkEdit, checkWaitFor, failingAsItself, refusal, refuse } from './refusals.js';
import { messageDetails, messageOfStart, minuteOf, sendSummary, showInLists, type MessageSubject } from './web-ui.js';

const editUpdate = defineUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE);
const cancelUpdate = defineUpdate<CancelResult>(MESSAGE_CANCEL_UPDATE);
const waitForUpdate = defineUpdate<WaitForResult, [WaitForRequest]>(MESSAGE_WAIT_FOR_UPDATE);

/** @param trace  of the caller: see trace-header.ts */
export async function message(input: MessageInput, trace?: TraceContext): Promise<MessageResult> {
  const run = new MessageRun(input, trace);
  setHandler(editUpdate, (request) => run.edit(request), { validator: (request) => run.validateEdit(request) });
  setHandler(cancelUpdate, () => run.cancel());
  setHandler(waitForUpdate, (request) => CancellationScope.nonCancellable(() => run.waitFor(request)), {
    validator: (request) => run.validateWait(request),
  });
  try {
    await run.open();
    await run.send();
    await run.stayOpen();
    return await run.end();
  } catch (error) {
    // The error alone does not show a cancellation: if an activity fails while it is cancelled, the error is the
    // activity's.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => run.cancelWithRun());
    throw new CancelledFailure("The run was cancelled; its row has the message's state.");
  }
}

/** How much the estimate of when the edit window closes may change before another timer is needed. */
const ESTIMATE_MS = 5_000;

class MessageRun {
  readonly #input: MessageInput;
  readonly #trace: TraceContext | undefined;
  readonly #opening = new Opening();
  /** The edits that this run waits for. A repeated request does not add another one. */
  readonly #edits = new Map<EditId, Promise<EditStep>>();
  #asked: MessageSubject | undefined;
  #row: ShownMessage | undefined;
  #newestEdit: EditSnapshot | undefined;
  /** How many callers wait for a state. */
  #waits = 0;
  /** Whether every wait ends now, because the run does. */
  #isClosing = false;

  constructor(input: MessageInput, trace: TraceContext | undefined) {
    this.#input = input;
    this.#trace = trace;
  }

  /** A run that everpost starts names its row; any other run commits it, or finds it. */
  async open(): Promise<void> {
    this.#asked = messageOfStart(this.#input);
    if (this.#asked !== undefined) {
      this.#show();
      return;
    }
    try {
      refuse('The message', checkDepth(this.#input));
      const { startTime, firstExecutionRunId: firstRunId } = workflowInfo();
      const trace = present({ trace: this.#trace });
      const start = { input: this.#input, requestedAt: startTime.toISOString(), firstRunId, ...trace };
      const opened = await opening.openMessage(start);
      refuseSecondRun(opened);
      const { message: row, instance, kind } = opened;
      this.#asked = { id: row.id, instance, kind, expiresAt: row.expiresAt };
      this.#learn(row);
      showInLists({ EverpostInstance: [instance], EverpostKind: kind, EverpostState: row.state });
    } catch (error) {
      // A cancelled run opens its row again to cancel the message.
      if (CancellationScope.current().consideredCancelled) throw error;
      throw await this.#opening.failed(error);
    }
  }

  /** RUN-2. */
  async send(): Promise<void> {
    const { id: messageId, instance, kind } = this.#message;
    let after: 'unresolved' | undefined;
    let row: ShownMessage;
    do {
      const summary = sendSummary(this.#message, after);
      const send = waiting({ activityId: SEND_ACTIVITY_ID, summary })[SEND_OPERATION[kind]];
      const input = { messageId, instance, ...present({ after }) };
      row = await failingAsItself(() => send(input));
      this.#learn(row);
      showInLists({ EverpostState: row.state });
      after = row.state === 'unresolved' ? 'unresolved' : undefined;
    } while (!isSentOrOver(row));
  }

  /** RUN-4. Another estimate of when the window closes needs no other timer: the ledger refuses an edit that is late. */
  async stayOpen(): Promise<void> {
    const what = this.#message.kind === 'text' ? 'open for edits' : 'open for receipts';
    for (let untilMs = this.#editableUntilMs(); untilMs > Date.now(); untilMs = this.#editableUntilMs()) {
      const isClosed = () => this.#editableUntilMs() < untilMs - ESTIMATE_MS;
      const summary = `${what} until ${minuteOf(untilMs)}`;
      await condition(isClosed, untilMs + ESTIMATE_MS - Date.now(), { summary });
    }
    await condition(() => this.#edits.size === 0);
  }

  /** RUN-3. */
  async end(): Promise<MessageResult> {
    const { id: messageId } = this.#message;
    if (this.#row === undefined || wasSent(this.#row)) this.#learn(await opening.readMessage({ messageId }));
    this.#isClosing = true;
    await condition(allHandlersFinished);
    const row = this.#known;
    showInLists({ EverpostState: row.state });
    return resultOf(row);
  }

  validateEdit(request: EditRequest): void {
    this.#refuseOtherKinds();
    refuse('The edit', checkEdit(request));
  }

  validateWait(request: WaitForRequest): void {
    refuse('The wait', checkWaitFor(request));
    if (this.#waits < MOST_WAITS) return;
    throw refusal(
      'TOO_MANY_WAITS',
      `${MOST_WAITS} callers wait for this message already. Ask again when one has its response, or wait for the result of the workflow.`,
      { next: 'wait' },
    );
  }

  async edit(request: EditRequest): Promise<EditResult> {
    const updateId = currentUpdateInfo()?.id ?? '';
    await this.#untilOpen();
    this.#refuseOtherKinds();
    const { edit, message: row } = await failingAsItself(() => this.#edit(request, updateId));
    // One that a newer one replaced may end after it.
    if (edit.id === this.#newestEdit?.id) this.#newestEdit = edit;
    this.#learn(row);
    const { idMessage } = row;
    return { editId: edit.id, outcome: edit.state as EditOutcome, ...present({ via: edit.via, idMessage }) };
  }

  async cancel(): Promise<CancelResult> {
    await this.#untilOpen();
    const { state } = await this.#stop('request');
    return { cancelled: state === 'cancelled', state };
  }

  async waitFor(request: WaitForRequest): Promise<WaitForResult> {
    this.#waits += 1;
    try {
      await this.#untilOpen();
      const messageId = this.#message.id;
      const { waitForState } = waiting({ summary: `until ${request.state}` });
      const reached = waitForState({ ...request, messageId });
      // The run does not stay open for a wait.
      const closed = condition(() => this.#isClosing).then(() => this.#known);
      const row = await failingAsItself(() => Promise.race([reached, closed]));
      return { ...resultOf(row), reached: hasArrivedAt(row.state, request.state) };
    } finally {
      this.#waits -= 1;
    }
  }

  /** Cancels the message when its run is cancelled. Every caller that waits still gets its state. */
  async cancelWithRun(): Promise<void> {
    if (this.#asked === undefined) await this.open();
    const { state } = await this.#stop('workflow cancelled');
    showInLists({ EverpostState: state });
    this.#isClosing = true;
    await condition(() => this.#waits === 0);
  }

  get #message(): MessageSubject {
    if (this.#asked === undefined) throw new Error('A message is read before it is opened.');
    return this.#asked;
  }

  get #known(): ShownMessage {
    if (this.#row === undefined) throw new Error('A row is shown before it is known.');
    return this.#row;
  }

  #learn(row: ShownMessage): void {
    this.#row = row;
    this.#show();
  }

  #show(): void {
    setCurrentDetails(messageDetails(this.#message, this.#row, this.#newestEdit));
  }

  #editableUntilMs(): number {
    return this.#row === undefined ? 0 : editableUntilMs(this.#row);
  }

  #untilOpen(): Promise<void> {
    return this.#opening.until(() => this.#asked !== undefined);
  }

  /** Stops the message. A POST under way cannot be recalled, so the activity returns when its outcome is known. */
  async #stop(witness: string): Promise<ShownMessage> {
    const row = await stopping.cancelMessage({ messageId: this.#message.id, witness });
    this.#learn(row);
    return row;
  }

  async #edit(request: EditRequest, updateId: string): Promise<EditStep> {
    const messageId = this.#message.id;
    if ('id' in request) return this.#untilEdited({ id: request.id, state: 'pending' });
    // A local activity: its input, the text, does not enter the history again.
    const { text, key } = request;
    const opened = await opening.openEdit({ messageId, text, updateId, ...present({ key }) });
    if (!isEditOutcome(opened.edit.state)) return this.#untilEdited(opened.edit);
    this.#newestEdit = opened.edit;
    return opened;
  }

  #untilEdited(edit: EditSnapshot): Promise<EditStep> {
    const { id: editId } = edit;
    const known = this.#edits.get(editId);
    if (known !== undefined) return known;
    this.#newestEdit = edit;
    this.#show();
    const activityId = editActivityId(editId);
    const { editMessage } = waiting({ activityId, summary: 'until the phone shows the new text' });
    const edited = editMessage({ messageId: this.#message.id, editId }) as Promise<EditStep>;
    const ended = edited.finally(() => this.#edits.delete(editId));
    this.#edits.set(editId, ended);
    return ended;
  }

  #refuseOtherKinds(): void {
    if (this.#asked === undefined || this.#asked.kind === 'text') return;
    const { id, kind } = this.#asked;
    const text = `Message ${id} is a ${kind}. Only the text of a text message can be edited.`;
    throw refusal('EDIT_NOT_TEXT', text);
  }
}

function resultOf({ id, state, idMessage, reason }: ShownMessage): MessageResult {
  return { id, state, ...present({ idMessage, reason }) };
}

/** Two workflows with the same key are one message, which only one of them shows. */
function refuseSecondRun({ message: row, sentBy }: OpenedMessage): void {
  if (sentBy === undefined || isOver(row, Date.now())) return;
  const { id: messageId } = row;
  const ask = `temporal workflow update execute --workflow-id ${sentBy} --name waitFor --input '{"state":"delivered"}'`;
  throw refusal(
    'MESSAGE_ALREADY_STARTED',
    `Message ${messageId} was started before with the same key, by the workflow ${sentBy}, which sends it. Ask that one: ${ask}`,
    { messageId, workflowId: sentBy },
  );
}
