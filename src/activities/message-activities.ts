import { setTimeout as delay } from 'node:timers/promises';
import { CompleteAsyncError } from '@temporalio/activity';
import {
  AppError,
  messageWorkflowId,
  postingTimes,
  type CompareInput,
  type EditId,
  type EditSnapshot,
  type MessageId,
  MESSAGE_STATES,
  type MessageSnapshot,
  type MessageStart,
  type OpenedMessage,
  type SendInput,
  SENT_OR_OVER,
  type ShownMessage,
  statesFrom,
  type UnrecordedOutcome,
  type WaitForRequest,
  present,
  QUEUE_CLEARED,
  RECEIPT_WAIT_MS,
  editUnknown,
  messageUnknown,
} from '../contract/index.js';
import { droppedOutcome } from '../dispatch/index.js';
import type { Receipt, WaitingActivity } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** The poll interval for a POST under way, which usually ends within a second. */
const POLL_MS = 100;

/** An edit and its message, once it has ended. */
export interface EditStep {
  readonly edit: EditSnapshot;
  readonly message: ShownMessage;
}

export interface OfEdit {
  readonly messageId: MessageId;
  readonly editId: EditId;
}

/** The activity of a workflow, as it runs. */
export interface RunningActivity extends WaitingActivity {
  readonly namespace: string;
  /** When the workflow scheduled it, also if this is a later try. */
  readonly scheduledMs: number;
}

/** @throws AppError MESSAGE_NOT_FOUND */
export async function existingSnapshot(
  { messages }: Pick<ActivityDependencies['ledger'], 'messages'>,
  messageId: MessageId,
): Promise<MessageSnapshot> {
  const snapshot = await messages.snapshot(messageId);
  if (snapshot === undefined) throw messageUnknown(messageId);
  return snapshot;
}

/** The steps of the workflow `message` that are not gateway operations. */
export function messageActivities(deps: ActivityDependencies) {
  const { ledger, clock, inputs, wake, tracing } = deps;

  const shown = (id: MessageId): Promise<ShownMessage> => ledger.outbox.shown(id);

  return {
    /**
     * Parses the workflow's input and writes the row if there is none. A row of the HTTP API or of an earlier run is
     * not checked again.
     */
    async openMessage(start: MessageStart, { workflowId, namespace }: RunningActivity): Promise<OpenedMessage> {
      const asked = inputs.message(start, workflowId);
      if (asked.kind === 'existing') {
        const { instance, kind } = await ledger.messages.takeOver(asked.id, namespace);
        return { message: await shown(asked.id), instance, kind };
      }
      const { id, request, requestHash } = asked;
      if ((await ledger.messages.isRequestOf(id, requestHash)) === undefined) await asked.check();
      const { instance, content } = request;
      const span = tracing?.begin('open', { instance, messageId: id }, { parent: start.trace });
      const snapshot = await ledger.intake.open({
        id,
        requestHash,
        request,
        ...postingTimes(request, Date.parse(start.requestedAt)),
        namespace,
        run: 'started',
        ...(workflowId === messageWorkflowId(id) ? {} : { workflowId }),
        ...present({ trace: span?.context }),
        nowMs: clock.nowMs(),
      });
      span?.end();
      const sender = snapshot.workflowId ?? messageWorkflowId(id);
      const sentBy = sender === workflowId ? {} : { sentBy: sender };
      return { message: await shown(id), instance, kind: content.kind, ...sentBy };
    },

    /**
     * Waits until the dispatcher has posted the message and its outcome is known. The row was committed before; the
     * activity posts nothing.
     */
    async sendMessage({ messageId, instance, after }: SendInput, activity: RunningActivity): Promise<ShownMessage> {
      wake(instance);
      const { namespace } = activity;
      const until = after === undefined ? SENT_OR_OVER : MESSAGE_STATES.filter((state) => state !== after);
      const message = await ledger.outbox.awaitState({ messageId, activity, until, namespace, nowMs: clock.nowMs() });
      return message ?? completedLater();
    },

    async waitForState(
      { messageId, state, timeoutMs }: WaitForRequest & { readonly messageId: MessageId },
      activity: RunningActivity,
    ): Promise<ShownMessage> {
      const { namespace, scheduledMs } = activity;
      const deadline = timeoutMs === undefined ? {} : { deadlineMs: scheduledMs + timeoutMs };
      const wait = { messageId, activity, until: statesFrom(state), ...deadline, namespace, nowMs: clock.nowMs() };
      return (await ledger.outbox.awaitState(wait)) ?? completedLater();
    },

    /** Waits for the end of an edit, which the dispatcher posts and confirms. */
    async editMessage({ messageId, editId }: OfEdit, activity: RunningActivity): Promise<EditStep> {
      const step = await ledger.outbox.awaitEdit({ messageId, editId, activity, nowMs: clock.nowMs() });
      if (step !== 'unknown') return step ?? completedLater();
      throw editUnknown(`${editId} of message ${messageId}`);
    },

    /** Compares a request with the row that has the same key. The row may come from the HTTP API. */
    async compareRequest({ id, requestHash }: CompareInput): Promise<boolean> {
      return (await ledger.messages.isRequestOf(id, requestHash)) === true;
    },

    /**
     * Records outcomes that the ledger could not record when the POSTs ended, each by itself. One whose attempt the
     * ledger does not have is dropped (TICKER-6).
     */
    async recordOutcomes({ outcomes }: { outcomes: readonly UnrecordedOutcome[] }): Promise<void> {
      const failures: unknown[] = [];
      for (const unrecorded of outcomes) {
        try {
          await ledger.dispatch.recordOutcomes([unrecorded]);
        } catch (error) {
          if (error instanceof AppError && error.code === 'MESSAGE_NOT_FOUND') deps.log(droppedOutcome(unrecorded));
          else failures.push(error);
        }
      }
      // Temporal retries all: an outcome that is recorded already changes nothing.
      if (failures.length > 0) throw failures[0];
    },

    readMessage: ({ messageId }: { messageId: MessageId }): Promise<ShownMessage> => shown(messageId),

    /** Cancels a message. Returns when no POST of it is under way. */
    async cancelMessage({ messageId, witness }: { messageId: MessageId; witness: string }): Promise<ShownMessage> {
      await ledger.messages.cancel(messageId, witness, clock.nowMs());
      let row = await shown(messageId);
      while (row.state === 'sending') {
        await delay(POLL_MS);
        row = await shown(messageId);
      }
      return row;
    },

    /** Writes the edit, which the dispatcher posts. Before the message is claimed, the edit takes effect at once. */
    async openEdit(input: { messageId: MessageId; text: string; key?: string; updateId: string }): Promise<EditStep> {
      const { messageId, text } = input;
      const editId = inputs.editId(messageId, input);
      const { edit } = await ledger.edits.open({ messageId, editId, text, nowMs: clock.nowMs() });
      const instance = (await ledger.views.message(messageId, clock.nowMs()))?.instance;
      if (instance !== undefined) wake(instance);
      // The result of an activity contains no text.
      const { id, state, via } = edit;
      return { edit: { id, state, ...present({ via }) }, message: await shown(messageId) };
    },
  };
}

/** What the ledger records completes the activity, in any worker (AWAIT-1). */
export function completedLater(): never {
  throw new CompleteAsyncError();
}

/** How long a poll waits for its turn of the rate limit. */
const TURN_WITHIN_MS = 5_000;
/** The statuses of a receipt by the journal's words. */
const STATUSES = new Map<string, Extract<Receipt, { kind: 'status' }>['status']>(
  Object.entries({ sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed', noAccount: 'no_account' }),
);

/**
 * Looks up a message in the journal once if its receipts are overdue, since notifications may be lost. Failures are
 * ignored: not every instance has a journal, and a missing entry proves nothing.
 * @returns the status that was applied as a receipt, or why there is none; undefined if the receipts are not overdue
 */
export async function pollJournal(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  messageId: MessageId,
): Promise<string | undefined> {
  const message = await ledger.views.message(messageId, clock.nowMs());
  if (message?.acceptedAt === undefined || message.endedAt !== undefined) return undefined;
  const isOverdue = Date.parse(message.acceptedAt) + RECEIPT_WAIT_MS <= clock.nowMs();
  const isCleared = message.state === 'unresolved' && message.reason === QUEUE_CLEARED;
  if (!isCleared && !(message.state === 'accepted' && isOverdue)) return undefined;
  const { instance, chatId, idMessage } = message;
  if (chatId === undefined || idMessage === undefined) return undefined;
  const deadlineMs = clock.nowMs() + TURN_WITHIN_MS;
  const asked = gateway.call(instance, 'getMessage', { chatId, idMessage }, { deadlineMs });
  const read = await asked.catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    return error;
  });
  if (read instanceof AppError) return `not_readable (${read.code})`;
  const { statusMessage, timestampSeconds } = read.response;
  const status = STATUSES.get(statusMessage ?? '');
  if (status === undefined) return 'no_status';
  const atMs = timestampSeconds === undefined ? clock.nowMs() : timestampSeconds * 1_000;
  const receipt: Receipt = { kind: 'status', idMessage, status, atMs, source: 'journal' };
  await ledger.receipts.apply(instance, receipt, clock.nowMs());
  return status;
}
