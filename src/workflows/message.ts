/**
 * One message from request to end state. Any client of Temporal may start it: docs/contract.md is its contract.
 *
 *   check the input, open the row → send: the dispatcher has it until its outcome is known
 *                                 → stay open for receipts, edits and late evidence → end
 *
 * The row in the ledger decides, this run does not: a second run, a reset or a restored Temporal finds the row and
 * continues from it.
 */
import {
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
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
  type EditRequest,
  type EditResult,
  type MessageChanged,
  type MessageInput,
  type MessageResult,
  type MessageStatus,
  type WaitForRequest,
  type WaitForResult,
  type MessageStart,
  type OpenedMessage,
} from '../contract/index.js';
import { ledger, sends, stopping, opening } from './activity-proxies.js';
import { MessageEdits } from './message-edits.js';
import { hasEnded, isAwaited, openUntilMs, wasSent, MessageRow } from './message-row.js';
import { asOwnFailure, checkWaitFor, refuse, checkDepth, refusal } from './refusals.js';

/** How often the ledger is asked while a change that should have come by then has not been signalled. */
const POLL_AGAIN_MS = 10 * 60 * 1000;

const RECEIPTS: ReadonlySet<string> = new Set(['delivered', 'read', 'end']);

export const editUpdate = defineUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE);
export const cancelUpdate = defineUpdate<CancelResult>(MESSAGE_CANCEL_UPDATE);
export const waitForUpdate = defineUpdate<WaitForResult, [WaitForRequest]>(MESSAGE_WAIT_FOR_UPDATE);
export const statusQuery = defineQuery<MessageStatus>(MESSAGE_STATUS_QUERY);
export const messageChangedSignal = defineSignal<[MessageChanged]>(MESSAGE_CHANGED_SIGNAL);

export async function message(input: MessageInput): Promise<MessageResult> {
  const run = new MessageRun(input);
  setHandler(statusQuery, () => run.row.status());
  setHandler(messageChangedSignal, (snapshot) => run.receive(snapshot));
  setHandler(editUpdate, (request) => run.edit(request), { validator: (request) => run.edits.validate(request) });
  setHandler(cancelUpdate, () => run.cancel());
  setHandler(waitForUpdate, (request) => CancellationScope.nonCancellable(() => run.waitFor(request)), {
    validator: (request) => refuse('The wait', checkWaitFor(request)),
  });
  try {
    await run.open();
    await run.send();
    await run.stayOpen();
  } catch (error) {
    // The kind of error does not tell: a try that fails while it is being cancelled ends with its own failure.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => run.cancelByOperator());
    throw new CancelledFailure('The run was cancelled; its row says what became of the message.');
  }
  return run.row.result();
}

class MessageRun {
  readonly row: MessageRow;
  readonly edits: MessageEdits;
  readonly #input: MessageInput;
  /** Why the run fails without a message. */
  #failure: unknown;
  #waits = 0;
  /** The row says that this run waits for receipts. */
  #isNotified = false;
  /** The run ends as soon as its handlers have: nothing more is waited for. */
  #isClosing = false;

  constructor(input: MessageInput) {
    this.#input = input;
    this.row = new MessageRow(input);
    this.edits = new MessageEdits(this.row);
  }

  async open(): Promise<void> {
    try {
      this.row.open(await openMessage(this.#input));
      this.edits.resume();
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      // The updates that came meanwhile fail for the same reason, before the run does.
      this.#failure = asOwnFailure(error);
      await condition(allHandlersFinished);
      throw this.#failure;
    }
  }

  receive(snapshot: MessageChanged): void {
    this.row.receive(snapshot);
    this.edits.resume();
  }

  async send(): Promise<void> {
    // An earlier run has sent it, or it ended unsent.
    if (hasOutcome(this.row.known.state)) return;
    const { id: messageId, instance, kind } = this.row;
    this.row.learn(await sends[SEND_OPERATION[kind]]({ messageId, instance }));
  }

  async stayOpen(): Promise<void> {
    for (;;) {
      const { known } = this.row;
      const untilMs = openUntilMs(known);
      if (known.state === 'accepted' && isAwaited(known)) {
        // Without a timer, which would be one action more: receipts are signalled, and so is that none came in time.
        await this.#waitForChange(untilMs);
      } else if (untilMs > Date.now()) {
        await this.#waitForChange(untilMs, untilMs - Date.now());
      } else if (isAwaited(known) && known.state !== 'unresolved') {
        // The row has ended by now; the signal is late or lost.
        await this.#pollAgain(untilMs);
      } else if (await this.#hasClosed()) {
        return;
      }
    }
  }

  async edit(request: EditRequest): Promise<EditResult> {
    const updateId = currentUpdateInfo()?.id ?? '';
    await this.#untilOpen();
    return this.edits.edit(request, updateId);
  }

  async cancel(): Promise<CancelResult> {
    await this.#untilOpen();
    // A POST under way cannot be called back: the activity returns when its outcome is known.
    this.row.learn(await stopping.cancelMessage({ messageId: this.row.id, witness: 'request' }));
    const { state } = this.row.known;
    return { cancelled: state === 'cancelled', state };
  }

  async waitFor({ state, timeoutMs }: WaitForRequest): Promise<WaitForResult> {
    this.#waits += 1;
    try {
      await this.#untilOpen();
      // A run is signalled receipts after the first only while a caller waits for them.
      if (RECEIPTS.has(state) && !this.#isNotified) {
        this.row.learn(await ledger.awaitReceipts({ messageId: this.row.id }));
        this.#isNotified = true;
      }
      const isOver = (): boolean => hasReached(this.row.known.state, state) || this.#isClosing;
      if (timeoutMs === undefined) await condition(isOver);
      else await condition(isOver, timeoutMs, { summary: `until ${state}` });
      return { ...this.row.status(), reached: hasArrivedAt(this.row.known.state, state) };
    } finally {
      this.#waits -= 1;
    }
  }

  /** Every caller that waits still gets the message's state. */
  async cancelByOperator(): Promise<void> {
    if (!this.row.isOpen) await this.open();
    this.row.learn(await stopping.cancelMessage({ messageId: this.row.id, witness: 'workflow cancelled' }));
    this.#isClosing = true;
    await condition(() => this.#waits === 0);
  }

  /** Waits until the row says that the run stays open for another time, or for `ms` where it is given. */
  async #waitForChange(untilMs: number, ms?: number): Promise<void> {
    const { row } = this;
    const isUnresolved = row.known.state === 'unresolved';
    const summary = isUnresolved ? 'unresolved' : wasSent(row.known) ? 'open for edits' : 'waiting for receipts';
    const isOver = (): boolean => openUntilMs(row.known) !== untilMs || hasEnded(row.known);
    if (ms === undefined) await condition(isOver);
    else await condition(isOver, ms, { summary });
  }

  async #pollAgain(untilMs: number): Promise<void> {
    this.row.learn(await ledger.readMessage({ messageId: this.row.id }));
    const { known } = this.row;
    if (openUntilMs(known) === untilMs && isAwaited(known)) await this.#waitForChange(untilMs, POLL_AGAIN_MS);
  }

  /** Waits for the edits and waits under way. @returns false when something came meanwhile that keeps the run open */
  async #hasClosed(): Promise<boolean> {
    this.#isClosing = true;
    await condition(() => allHandlersFinished() && this.edits.areDone);
    this.#isClosing = openUntilMs(this.row.known) <= Date.now();
    return this.#isClosing;
  }

  async #untilOpen(): Promise<void> {
    await condition(() => this.row.isOpen || this.#failure !== undefined);
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/**
 * Has the input checked and the row written, or found.
 * @throws ApplicationFailure or ActivityFailure with INPUT_INVALID, IDEMPOTENCY_MISMATCH, MESSAGE_NOT_FOUND or
 *   MESSAGE_ALREADY_STARTED
 */
async function openMessage(input: MessageInput): Promise<OpenedMessage> {
  refuse('The message', checkDepth(input));
  const { startTime, firstExecutionRunId: firstRunId } = workflowInfo();
  const start: MessageStart = { input, requestedAt: startTime.toISOString(), firstRunId };
  const opened = await opening.openMessage(start);
  refuseSecondRun(opened);
  return opened;
}

/** Two workflows with the same key are one message: one run sends it, and the receipts go to that run. */
function refuseSecondRun({ snapshot, sentBy }: OpenedMessage): void {
  if (sentBy === undefined || openUntilMs(snapshot) <= Date.now()) return;
  const { id: messageId } = snapshot;
  const ask = `temporal workflow update execute --workflow-id ${sentBy} --name waitFor --input '{"state":"delivered"}'`;
  throw refusal(
    'MESSAGE_ALREADY_STARTED',
    `Message ${messageId} was started before with the same key, by the workflow ${sentBy}, which sends it. Ask that one: ${ask}`,
    { messageId, workflowId: sentBy },
  );
}
