import { AppError, SEND_OPERATION, type AttemptOutcome, type MessageId } from '../../contract/index.js';
import { typingMsOf } from '../../domain/index.js';
import type { DueAttempt, Outcome } from '../../ledger/index.js';
import type { ActiveShift } from '../shift/active-shift.js';
import type { DispatcherDependencies } from '../dependencies.js';
import { postAttempt, type AttemptResult } from './post-attempt.js';

export interface KeptOutcome {
  readonly outcome: Outcome;
  readonly messageId: MessageId;
  /** The shift that waits until the outcome is recorded. Absent for a late response. */
  readonly owner?: ActiveShift;
  /** When a tick tries again to record the outcome, after the ledger could not record it. */
  readonly notBeforeMs?: number;
}

/**
 * How many outcomes one tick records that are not `accepted`: each needs a dozen statements, and a tick blocks all
 * instances of the worker. Accepted outcomes share a statement.
 */
const MOST_OTHERS = 16;

/** Outcomes that the ledger does not have yet, oldest first. */
export class KeptOutcomes {
  #kept: KeptOutcome[] = [];

  get size(): number {
    return this.#kept.length;
  }

  /** When the first outcome can be recorded; Infinity if there is none. */
  nextAtMs(): number {
    return Math.min(Infinity, ...this.#kept.map(({ notBeforeMs = 0 }) => notBeforeMs));
  }

  add(outcome: KeptOutcome): void {
    this.#kept.push(outcome);
  }

  /** Takes the outcomes for a tick, which gives them back if it fails. The others wait for the next tick. */
  takeDue(nowMs: number): KeptOutcome[] {
    const [due, later] = [[] as KeptOutcome[], [] as KeptOutcome[]];
    let others = 0;
    for (const kept of this.#kept) {
      const isOther = kept.outcome.outcome.kind !== 'accepted' || kept.outcome.edit !== undefined;
      const isTaken = (kept.notBeforeMs ?? 0) <= nowMs && !(isOther && others >= MOST_OTHERS);
      if (isTaken && isOther) others += 1;
      (isTaken ? due : later).push(kept);
    }
    this.#kept = later;
    return due;
  }

  giveBack(outcomes: readonly KeptOutcome[]): void {
    this.#kept.unshift(...outcomes);
  }

  has(owner: ActiveShift): boolean {
    return this.#kept.some((kept) => kept.owner === owner);
  }

  hasToken(token: string): boolean {
    return this.#kept.some(({ outcome }) => outcome.token === token);
  }

  /** Removes the outcomes of a shift that the ledger could not record, for its result. */
  removeOf(owner: ActiveShift): Outcome[] {
    const own = this.#kept.filter((kept) => kept.owner === owner);
    this.#kept = this.#kept.filter((kept) => kept.owner !== owner);
    return own.map(({ outcome }) => outcome);
  }
}

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
      active.inFlight.add(due, claimedAtMs);
      active.queue.typing(typingMsOf(due.content), nowMs);
      void this.#post(active, due);
      return;
    }
    const retryAfterMs = active.caution.waitFor(SEND_OPERATION[due.content.kind], nowMs);
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
      return await postAttempt(this.#deps, due, late);
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
