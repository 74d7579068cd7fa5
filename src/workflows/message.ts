/**
 * The workflow of one message, from request to end state. Any Temporal client may start it, see docs/contract.md.
 *
 *   check the input, open the row → send: the dispatcher has it until its outcome is known
 *                                 → stay open for receipts, edits and late evidence → end
 *
 * The row in the ledger is authoritative: a second run, a reset or a restored Temporal continues from the row.
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
} from '../contract/index.js';
import { ledger, sends, stopping } from './activity-proxies.js';
import { MessageEdits } from './message-edits.js';
import { MessageRow, hasEnded, isAwaited, openUntilMs, wasSent } from './message-row.js';
import { checkWaitFor, refuse } from './refusals.js';

/** How often the ledger is polled while an expected signal is missing. */
const POLL_AGAIN_MS = 10 * 60 * 1000;

const editUpdate = defineUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE);
const cancelUpdate = defineUpdate<CancelResult>(MESSAGE_CANCEL_UPDATE);
const waitForUpdate = defineUpdate<WaitForResult, [WaitForRequest]>(MESSAGE_WAIT_FOR_UPDATE);
const statusQuery = defineQuery<MessageStatus>(MESSAGE_STATUS_QUERY);
const messageChangedSignal = defineSignal<[MessageChanged]>(MESSAGE_CHANGED_SIGNAL);

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
    // The error alone does not show a cancellation: if an activity fails while it is cancelled, the error is the
    // activity's.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => run.cancelWithRun());
    throw new CancelledFailure("The run was cancelled; its row has the message's state.");
  }
  return run.row.result();
}

const RECEIPTS: ReadonlySet<string> = new Set(['delivered', 'read', 'end']);

class MessageRun {
  readonly row: MessageRow;
  readonly edits: MessageEdits;
  /** Whether the run accepts no more waits, because it ends when its handlers have ended. */
  #isClosing = false;
  /** How many callers wait for a state. */
  #waits = 0;
  /** Whether the row says that this run waits for receipts. */
  #isNotified = false;

  constructor(input: MessageInput) {
    this.row = new MessageRow(input);
    this.edits = new MessageEdits(this.row);
  }

  async open(): Promise<void> {
    await this.row.open();
    this.edits.resume();
  }

  receive(snapshot: MessageChanged): void {
    this.row.receive(snapshot);
    this.edits.resume();
  }

  async send(): Promise<void> {
    // An earlier run sent it, or it ended unsent.
    if (hasOutcome(this.row.known.state)) return;
    const { id: messageId, opened } = this.row;
    const { instance, kind } = opened;
    this.row.learn(await sends[SEND_OPERATION[kind]]({ messageId, instance }));
  }

  async stayOpen(): Promise<void> {
    for (;;) {
      const { known } = this.row;
      const untilMs = openUntilMs(known);
      if (known.state === 'accepted' && isAwaited(known)) {
        // No timer, which would cost an action: receipts come as signals, and so does the end of the wait for them.
        await this.#waitForChange(untilMs);
      } else if (untilMs > Date.now()) {
        await this.#waitForChange(untilMs, untilMs - Date.now());
      } else if (isAwaited(known) && known.state !== 'unresolved') {
        // The row must have ended now, so the signal is late or lost.
        await this.#pollAgain(untilMs);
      } else if (await this.#hasClosed()) {
        return;
      }
    }
  }

  async waitFor({ state, timeoutMs }: WaitForRequest): Promise<WaitForResult> {
    const { row } = this;
    this.#waits += 1;
    try {
      await row.untilOpen();
      // The run gets signals for receipts after the first one only if a caller waits for them.
      if (RECEIPTS.has(state) && !this.#isNotified) {
        row.learn(await ledger.awaitReceipts({ messageId: row.id }));
        this.#isNotified = true;
      }
      const isOver = (): boolean => hasReached(row.known.state, state) || this.#isClosing;
      if (timeoutMs === undefined) await condition(isOver);
      else await condition(isOver, timeoutMs, { summary: `until ${state}` });
      return { ...row.status(), reached: hasArrivedAt(row.known.state, state) };
    } finally {
      this.#waits -= 1;
    }
  }

  async edit(request: EditRequest): Promise<EditResult> {
    const updateId = currentUpdateInfo()?.id ?? '';
    await this.row.untilOpen();
    return this.edits.edit(request, updateId);
  }

  async cancel(): Promise<CancelResult> {
    await this.row.untilOpen();
    await this.#stop('request');
    const { state } = this.row.known;
    return { cancelled: state === 'cancelled', state };
  }

  /** Cancels the message when its run is cancelled. Every caller that waits still gets its state. */
  async cancelWithRun(): Promise<void> {
    if (!this.row.isOpen) await this.open();
    await this.#stop('workflow cancelled');
    this.#isClosing = true;
    await condition(() => this.#waits === 0);
  }

  /** Stops the message. A POST under way cannot be recalled, so the activity returns when its outcome is known. */
  async #stop(witness: string): Promise<void> {
    this.row.learn(await stopping.cancelMessage({ messageId: this.row.id, witness }));
  }

  /** Waits until `openUntilMs` changes, or for `ms` if given. */
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

  /** Waits until edits and waiting callers have ended. @returns false if a change meanwhile keeps the run open */
  async #hasClosed(): Promise<boolean> {
    this.#isClosing = true;
    await condition(() => allHandlersFinished() && this.edits.areDone);
    this.#isClosing = openUntilMs(this.row.known) <= Date.now();
    return this.#isClosing;
  }
}
