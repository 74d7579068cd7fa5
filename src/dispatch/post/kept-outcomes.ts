import type { MessageId } from '../../contract/index.js';
import type { Outcome } from '../../ledger/index.js';
import type { ActiveShift } from '../shift/active-shift.js';

export interface KeptOutcome {
  readonly outcome: Outcome;
  readonly messageId: MessageId;
  /** The shift that waits until the outcome is recorded. Absent for a late response. */
  readonly owner?: ActiveShift;
  /** When a tick tries again to record the outcome, after the ledger could not record it. */
  readonly notBeforeMs?: number;
}

/**
 * How many outcomes of edits one tick records: each needs a dozen statements, and a tick blocks all instances of the
 * worker. Those of messages share their statements.
 */
const MOST_OF_EDITS = 16;

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
    let ofEdits = 0;
    for (const kept of this.#kept) {
      const isOfEdit = kept.outcome.edit !== undefined;
      const isTaken = (kept.notBeforeMs ?? 0) <= nowMs && !(isOfEdit && ofEdits >= MOST_OF_EDITS);
      if (isTaken && isOfEdit) ofEdits += 1;
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
