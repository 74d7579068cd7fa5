import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  messageWorkflowId,
  postingTimes,
  type CompareInput,
  type EditId,
  type EditSnapshot,
  type MessageId,
  type MessageSnapshot,
  type MessageStart,
  type OpenedMessage,
  type UnrecordedOutcome,
  present,
  QUEUE_CLEARED,
  RECEIPT_WAIT_MS,
} from '../contract/index.js';
import { droppedOutcome } from '../dispatch/index.js';
import type { Receipt } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** The poll interval for a POST under way, which usually ends within a second. */
const POLL_MS = 100;

/** An edit and its message after a step. */
export interface EditStep {
  readonly edit: EditSnapshot;
  readonly message: MessageSnapshot;
}

export interface OfEdit {
  readonly messageId: MessageId;
  readonly editId: EditId;
}

/** The workflow that called an activity. */
export interface RunningIn {
  readonly workflowId: string;
  readonly namespace: string;
}

/** @throws AppError MESSAGE_NOT_FOUND */
export async function existingMessage(
  { messages }: Pick<ActivityDependencies['ledger'], 'messages'>,
  messageId: MessageId,
): Promise<MessageSnapshot> {
  const snapshot = await messages.snapshot(messageId);
  if (snapshot !== undefined) return snapshot;
  throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} is not in the ledger.`);
}

/** The steps of the workflow `message` that are not gateway operations. */
export function messageActivities(deps: ActivityDependencies) {
  const { ledger, clock, inputs, wake } = deps;

  /** The edit without its text, since a step is the result of an activity. */
  async function stepOf(messageId: MessageId, { id, state, via }: EditSnapshot): Promise<EditStep> {
    const edit = { id, state, ...present({ via }) };
    return { edit, message: await existing(messageId) };
  }

  const existing = (messageId: MessageId) => existingMessage(ledger, messageId);

  return {
    /**
     * Parses the workflow's input and writes the row if there is none. A row of the HTTP API or of an earlier run is
     * not checked again.
     */
    async openMessage(start: MessageStart, { workflowId, namespace }: RunningIn): Promise<OpenedMessage> {
      const asked = inputs.message(start, workflowId);
      if (asked.kind === 'existing') return ledger.messages.takeOver(asked.id, namespace);
      const { id, request, requestHash } = asked;
      if ((await ledger.messages.isRequestOf(id, requestHash)) === undefined) await asked.check();
      const { instance, content } = request;
      const snapshot = await ledger.intake.open({
        id,
        requestHash,
        request,
        ...postingTimes(request, Date.parse(start.requestedAt)),
        namespace,
        run: 'started',
        ...(workflowId === messageWorkflowId(id) ? {} : { workflowId }),
        nowMs: clock.nowMs(),
      });
      const sender = snapshot.workflowId ?? messageWorkflowId(id);
      const sentBy = sender === workflowId ? {} : { sentBy: sender };
      return { snapshot, instance, kind: content.kind, ...sentBy };
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

    async readMessage({ messageId }: { messageId: MessageId }): Promise<MessageSnapshot> {
      return existing(messageId);
    },

    /** Also requests signals for receipts after the first one. */
    async awaitReceipts({ messageId }: { messageId: MessageId }): Promise<MessageSnapshot> {
      await ledger.messages.awaitReceipts(messageId);
      return existing(messageId);
    },

    /** Cancels a message. Returns when no POST of it is under way. */
    async cancelMessage({ messageId, witness }: { messageId: MessageId; witness: string }): Promise<MessageSnapshot> {
      let row = await ledger.messages.cancel(messageId, witness, clock.nowMs());
      while (row.state === 'sending') {
        await delay(POLL_MS);
        row = await existing(messageId);
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
      return stepOf(messageId, edit);
    },

    /** The current state of an edit and its message. */
    async readEdit({ messageId, editId }: OfEdit): Promise<EditStep> {
      const edit = await ledger.edits.view(editId);
      if (edit?.messageId === messageId) return stepOf(messageId, edit);
      throw new AppError('EDIT_NOT_FOUND', `Message ${messageId} has no edit ${editId}.`);
    },
  };
}

/** How long a poll waits for its turn of the rate limit. */
const TURN_WITHIN_MS = 5_000;
/** The states of a message by the journal's words. */
const STATES = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  noAccount: 'no_account',
} as const;
/** The status that was applied as a receipt, or why there is none. */
type JournalStatus = (typeof STATES)[keyof typeof STATES] | 'no_status' | `not_readable (${string})`;

/**
 * Looks up a message in the journal once if its receipts are overdue, since notifications may be lost. Failures are
 * ignored: not every instance has a journal, and a missing entry proves nothing.
 * @returns undefined if the receipts are not overdue
 */
export async function pollJournal(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  messageId: MessageId,
): Promise<JournalStatus | undefined> {
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
  const word = statusMessage ?? '';
  if (!isJournalWord(word)) return 'no_status';
  const status = STATES[word];
  const atMs = timestampSeconds === undefined ? clock.nowMs() : timestampSeconds * 1_000;
  const receipt: Receipt = { kind: 'status', idMessage, status, atMs, source: 'journal' };
  await ledger.receipts.apply(instance, receipt, clock.nowMs());
  return status;
}

function isJournalWord(word: string): word is keyof typeof STATES {
  return Object.hasOwn(STATES, word);
}
