import {
  AppError,
  ErrorNext,
  type AttemptOutcome,
  type EditId,
  type EditOutcome,
  type EditSnapshot,
  type ErrorCode,
  type MessageId,
  type MessageInput,
  type MessageSnapshot,
} from '../contract/index.js';
import type { EditView, MessageView } from '../ledger/index.js';
import { askJournal } from './ask-journal.js';
import type { ActivityDependencies } from './dependencies.js';

const DEFAULT_EXPIRY_MS = 24 * 60 * 60 * 1000;
const JOURNAL_PATIENCE_MS = 60 * 60 * 1000;

/** An edit and the row it belongs to, as they stand after a step. */
export interface EditStep {
  readonly edit: EditSnapshot;
  readonly message: MessageSnapshot;
  /** How long to wait for the sign that a posted edit took effect. */
  readonly confirmWithinMs: number;
}

/** The steps of the workflow `message` that are no gateway operation of their own. */
export function messageActivities(deps: ActivityDependencies) {
  const { ledger, clock, times } = deps;

  async function stepOf(messageId: MessageId, edit: EditSnapshot): Promise<EditStep> {
    return { edit, message: await existing(messageId), confirmWithinMs: times.editConfirmMs };
  }

  async function existing(messageId: MessageId): Promise<MessageSnapshot> {
    const snapshot = await ledger.messages.snapshot(messageId);
    if (snapshot === undefined) throw messageUnknown(messageId);
    return snapshot;
  }

  async function existingEdit(editId: EditId): Promise<EditView> {
    const edit = await ledger.edits.view(editId);
    if (edit === undefined) throw new AppError('EDIT_UNKNOWN', `Edit ${editId} is not in the ledger.`);
    return edit;
  }

  return {
    /** Writes the row if nobody has; a second run finds it and goes on from it. */
    async openMessage(input: MessageInput, namespace: string): Promise<MessageSnapshot> {
      const { id, requestHash, request, requestedAt } = input;
      const expiresAtMs =
        request.expiresAt === undefined ? Date.parse(requestedAt) + DEFAULT_EXPIRY_MS : Date.parse(request.expiresAt);
      return ledger.messages.open({ id, requestHash, request, expiresAtMs, namespace, nowMs: clock.nowMs() });
    },

    /** Writes an outcome that the ledger could not take when the POST ended. */
    async recordOutcome(input: { token: string; outcome: AttemptOutcome }): Promise<MessageSnapshot> {
      return ledger.messages.recordOutcome(input.token, input.outcome, clock.nowMs());
    },

    async cancelMessage(input: { messageId: MessageId; witness: string }): Promise<MessageSnapshot> {
      return ledger.messages.cancel(input.messageId, input.witness, clock.nowMs());
    },

    /** Ends what time has ended, and says so in the evidence. */
    async expireMessage(input: { messageId: MessageId }): Promise<MessageSnapshot> {
      const journal = await askJournal(deps, input.messageId);
      return ledger.messages.expire(input.messageId, clock.nowMs(), journal);
    },

    /** Writes the edit; before the claim it takes effect at once. */
    async openEdit(input: { messageId: MessageId; editId: EditId; text: string }): Promise<EditStep> {
      const { edit } = await ledger.edits.open({ ...input, nowMs: clock.nowMs() });
      return stepOf(input.messageId, edit);
    },

    async settleEdit(input: {
      messageId: MessageId;
      editId: EditId;
      outcome: EditOutcome;
      reason: string;
    }): Promise<EditStep> {
      const { messageId, editId, outcome, reason } = input;
      return stepOf(
        messageId,
        await ledger.edits.settle(editId, outcome, { witness: 'workflow', reason }, clock.nowMs()),
      );
    },

    /** Records an edit that the gateway answered 200 to, and that the ledger could not take then. */
    async recordPostedEdit(input: {
      messageId: MessageId;
      editId: EditId;
      idMessageAnswered: string;
    }): Promise<EditStep> {
      const { messageId, editId, idMessageAnswered } = input;
      return stepOf(messageId, await ledger.edits.recordPosted(editId, idMessageAnswered, clock.nowMs()));
    },

    /** Where an edit and its message stand. */
    async readEdit(input: { messageId: MessageId; editId: EditId }): Promise<EditStep> {
      return stepOf(input.messageId, await existingEdit(input.editId));
    },

    /**
     * Asks the gateway's journal whether an edit took effect whose request left; without a positive sign it is unconfirmed.
     * A journal that cannot be asked is asked again for an hour at most.
     */
    async confirmEdit(input: { messageId: MessageId; editId: EditId }): Promise<EditStep> {
      const { messageId, editId } = input;
      const edit = await ledger.edits.view(editId);
      const message = await ledger.messages.view(messageId);
      if (edit === undefined || message === undefined)
        throw new AppError('EDIT_UNKNOWN', `Edit ${editId} is not in the ledger.`);
      if (edit.state !== 'posted' && edit.state !== 'posting') return stepOf(messageId, edit);
      const since = edit.postedAt ?? message.editableUntil ?? edit.requestedAt;
      const isLastTime = clock.nowMs() >= Date.parse(since) + JOURNAL_PATIENCE_MS;
      const seen = await journalText(message, isLastTime);
      const settled =
        seen.kind === 'text' && seen.text === edit.text
          ? await ledger.edits.settle(editId, 'edited', { witness: 'getMessage' }, clock.nowMs())
          : await ledger.edits.settle(
              editId,
              'unconfirmed',
              { witness: 'getMessage', reason: seen.kind, ...('detail' in seen && { detail: seen.detail }) },
              clock.nowMs(),
            );
      return stepOf(messageId, settled);
    },
  };

  async function journalText(
    { instance, chatId, idMessage }: MessageView,
    isLastTime: boolean,
  ): Promise<
    | { kind: 'text'; text: string }
    | { kind: 'no_journal_entry' }
    | { kind: 'journal_unreadable'; detail: { code: ErrorCode; httpStatus?: number } }
  > {
    if (chatId === undefined || idMessage === undefined) return { kind: 'no_journal_entry' };
    try {
      const { answer } = await deps.gateway.call(instance, 'getMessage', { chatId, idMessage });
      const text = answer?.textMessage ?? answer?.extendedTextMessage?.text;
      return typeof text !== 'string' ? { kind: 'no_journal_entry' } : { kind: 'text', text };
    } catch (error) {
      // The journal is optional: an instance without one answers with an error, and silence is no refusal.
      if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE' || error.next === ErrorNext.bug)
        throw error;
      const mayAnswerLater = error.next === ErrorNext.wait || error.next === ErrorNext.human;
      if (mayAnswerLater && !isLastTime) throw error;
      const { code, httpStatus } = error;
      return { kind: 'journal_unreadable', detail: { code, ...(httpStatus === undefined ? {} : { httpStatus }) } };
    }
  }
}

function messageUnknown(messageId: MessageId): AppError {
  return new AppError('MESSAGE_UNKNOWN', `Message ${messageId} is not in the ledger.`);
}
