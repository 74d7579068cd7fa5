/**
 * Determines unknown outcomes of messages, for as long as a shift serves their instance.
 *
 * ASK-1 Each unknown message of a shift is asked about, those of the shifts before it included, until its outcome
 *    is known, or it waits for an operator.
 * ASK-2 A response without a decision says when to ask again; a failure of the ledger is no response.
 */
import { AppError, isInPhase, type MessageId } from '../contract/index.js';
import type { DispatcherDependencies } from './dependencies.js';

const RETRY_MS = 2_000;
/** A question that was decided elsewhere may be asked again at once; not in the same moment. */
const SOONEST_MS = 500;

export type ReconcilerDependencies = Pick<DispatcherDependencies, 'reconcile' | 'timers' | 'log'>;

export class Reconciler {
  readonly #deps: ReconcilerDependencies;
  readonly #decided: (messageId: MessageId) => void;
  /** Cancels the next question about a message; a question under way has nothing to cancel. */
  readonly #asking = new Map<MessageId, () => void>();
  #isClosed = false;

  /** @param decided  called once nothing more is to be asked about a message */
  constructor(deps: ReconcilerDependencies, decided: (messageId: MessageId) => void) {
    this.#deps = deps;
    this.#decided = decided;
  }

  /** Asks about a message from now on. Asked for twice, it is asked about once. */
  watch(messageId: MessageId): void {
    if (this.#isClosed || this.#asking.has(messageId)) return;
    this.#askIn(messageId, 0);
  }

  /** Asks nothing more; the shift after this one does. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#asking.values()) cancel();
    this.#asking.clear();
  }

  #askIn(messageId: MessageId, delayMs: number): void {
    if (this.#isClosed) return;
    const cancel = this.#deps.timers.after(delayMs, () => void this.#ask(messageId));
    this.#asking.set(messageId, cancel);
  }

  async #ask(messageId: MessageId): Promise<void> {
    try {
      const { state } = await this.#deps.reconcile(messageId);
      // Its outcome may be recorded while it is asked for.
      if (isInPhase(state, 'in_flight')) return this.#askIn(messageId, RETRY_MS);
      this.#asking.delete(messageId);
      if (!this.#isClosed) this.#decided(messageId);
    } catch (error) {
      const isUndecided = error instanceof AppError && error.code === 'MESSAGE_OUTCOME_UNKNOWN';
      if (!isUndecided)
        this.#deps.log({ level: 'warn', message: 'an outcome could not be asked for', messageId, error });
      const waitMs = isUndecided ? (error.retryAfterMs ?? 0) : RETRY_MS;
      this.#askIn(messageId, Math.max(SOONEST_MS, waitMs));
    }
  }
}
