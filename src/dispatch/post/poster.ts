import { AppError, type AttemptOutcome } from '../../contract/index.js';
import type { DueAttempt } from '../../ledger/index.js';
import type { ActiveShift } from '../shift/active-shift.js';
import type { DispatcherDependencies } from '../dependencies.js';
import type { KeptOutcomes } from './kept-outcomes.js';
import { postAttempt, type AttemptResult } from './post-attempt.js';

export interface EndedAttempt {
  readonly due: DueAttempt;
  readonly outcome: AttemptOutcome;
  /** Whether the shift that posted the attempt has ended or counts the outcome as unknown. */
  readonly isLate: boolean;
}

/** Posts claimed attempts and keeps their outcomes for the next tick. */
export class Poster {
  readonly #deps: DispatcherDependencies;
  readonly #outcomes: KeptOutcomes;
  readonly #ended: (ended: EndedAttempt) => void;

  /** @param ended  called after each outcome */
  constructor(deps: DispatcherDependencies, outcomes: KeptOutcomes, ended: (ended: EndedAttempt) => void) {
    this.#deps = deps;
    this.#outcomes = outcomes;
    this.#ended = ended;
  }

  /** Posts a durable claim, or returns it if it may no longer be posted (TICKER-2). */
  postOrReturn(active: ActiveShift, due: DueAttempt, claimedAtMs: number): void {
    const nowMs = this.#deps.timers.nowMs();
    if (active.canPost(due, nowMs)) {
      active.posting(due, claimedAtMs);
      void this.#post(active, due);
      return;
    }
    const retryAfterMs = active.returned(due, nowMs);
    this.#keep(active, due, { kind: 'not_accepted', code: 'MESSAGE_NOT_ADMITTED', retryAfterMs });
  }

  async #post(active: ActiveShift, due: DueAttempt): Promise<void> {
    const { outcome, askedMs } = await this.#resultOf(active, due);
    active.posted(due, outcome, this.#deps.timers.nowMs(), askedMs);
    if (active.inFlight.size > 0) this.#deps.reached?.('rows.between');
    this.#keep(active, due, outcome);
  }

  async #resultOf(active: ActiveShift, due: DueAttempt): Promise<AttemptResult> {
    try {
      const late = (outcome: AttemptOutcome) => {
        this.#late(active, due, outcome);
      };
      return await postAttempt(this.#deps, due, due.tries, late);
    } catch (error) {
      this.#deps.log({ level: 'error', message: 'send failed unexpectedly', messageId: due.messageId, error });
      return { outcome: { kind: 'unknown', code: error instanceof AppError ? error.code : 'INTERNAL' } };
    }
  }

  /**
   * Keeps the outcome of a response that came after the timeout. The shift has counted it as unknown, or has ended.
   */
  #late(active: ActiveShift, due: DueAttempt, outcome: AttemptOutcome): void {
    if (outcome.kind === 'accepted') active.queue.accepted(due.content.kind, this.#deps.timers.nowMs());
    this.#keep(undefined, due, outcome);
  }

  #keep(owner: ActiveShift | undefined, due: DueAttempt, outcome: AttemptOutcome): void {
    const { token, messageId } = due;
    const kept = { messageId, outcome: { token, outcome, atMs: this.#deps.clock.nowMs() } };
    this.#outcomes.add(owner === undefined ? kept : { ...kept, owner });
    const isLate = outcome.kind !== 'unknown' && (owner === undefined || owner.end !== undefined);
    this.#ended({ due, outcome, isLate });
  }
}
