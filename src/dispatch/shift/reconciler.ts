/**
 * Determines the unknown outcomes of messages while a shift serves their instance.
 *
 * ASK-1 Each unknown message of this shift and of earlier shifts is polled until its outcome is known or it waits for
 *    an operator. A message that the ledger does not have needs no polls, nor one whose instance was removed.
 * ASK-2 A poll without a decision gives the time of the next poll. A failure of the ledger does not count as a poll.
 */
import { AppError, type ErrorCode, isInPhase, type MessageId } from '../../contract/index.js';
import type { DispatcherDependencies } from './dependencies.js';

const RETRY_MS = 2_000;
/** The least time until the next poll, also for a message that was decided elsewhere. */
const SOONEST_MS = 500;

const WITHOUT_POLLS = new Set<ErrorCode>([
  // The ledger was restored from an older copy, which does not have the message.
  'MESSAGE_NOT_FOUND',
  // The instance was removed from the configuration: its shift ends, and the ledger decides by time (RECONCILE-7).
  'INSTANCE_NOT_FOUND',
]);

export type ReconcilerDependencies = Pick<DispatcherDependencies, 'reconcile' | 'timers' | 'log'>;

export class Reconciler {
  readonly #deps: ReconcilerDependencies;
  readonly #decided: (messageId: MessageId) => void;
  /** Functions that cancel the next poll of a message. A poll under way cannot be cancelled. */
  readonly #polls = new Map<MessageId, () => void>();
  #isClosed = false;

  /** @param decided  called when a message needs no more polls */
  constructor(deps: ReconcilerDependencies, decided: (messageId: MessageId) => void) {
    this.#deps = deps;
    this.#decided = decided;
  }

  /** Starts to poll a message. A second call for the same message has no effect. */
  watch(messageId: MessageId): void {
    if (this.#isClosed || this.#polls.has(messageId)) return;
    this.#pollIn(messageId, 0);
  }

  /** Stops all polls. The next shift continues them. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#polls.values()) cancel();
    this.#polls.clear();
  }

  #pollIn(messageId: MessageId, delayMs: number): void {
    if (this.#isClosed) return;
    const cancel = this.#deps.timers.after(delayMs, () => void this.#poll(messageId));
    this.#polls.set(messageId, cancel);
  }

  async #poll(messageId: MessageId): Promise<void> {
    try {
      const { state } = await this.#deps.reconcile(messageId);
      // The outcome may be recorded during the poll.
      if (isInPhase(state, 'in_flight')) return this.#pollIn(messageId, RETRY_MS);
      this.#isDecided(messageId);
    } catch (error) {
      if (error instanceof AppError && WITHOUT_POLLS.has(error.code)) return this.#isDecided(messageId);
      const isUndecided = error instanceof AppError && error.code === 'MESSAGE_OUTCOME_UNKNOWN';
      if (!isUndecided)
        this.#deps.log({ level: 'warn', message: 'the witnesses of a message could not be polled', messageId, error });
      const waitMs = isUndecided ? (error.retryAfterMs ?? 0) : RETRY_MS;
      this.#pollIn(messageId, Math.max(SOONEST_MS, waitMs));
    }
  }

  #isDecided(messageId: MessageId): void {
    this.#polls.delete(messageId);
    if (!this.#isClosed) this.#decided(messageId);
  }
}
