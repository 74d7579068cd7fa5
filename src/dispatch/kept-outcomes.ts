import type { MessageId } from '../contract/index.js';
import type { Outcome } from '../ledger/index.js';
import type { ActiveShift } from './active-shift.js';

export interface KeptOutcome {
  readonly outcome: Outcome;
  readonly messageId: MessageId;
  /** The shift that waits until the outcome is recorded; absent for a late response. */
  readonly owner?: ActiveShift;
  /** Set after the ledger rejected only this outcome; it is offered again at this time. */
  readonly notBeforeMs?: number;
}

/**
 * How many outcomes other than accepted one tick records: each takes the ledger a dozen statements, and a tick holds up
 * all instances of the worker. Accepted ones share a statement.
 */
const MOST_OTHERS = 16;

/** Outcomes that the ledger does not have yet, oldest first. */
export class KeptOutcomes {
  #kept: KeptOutcome[] = [];

  get size(): number {
    return this.#kept.length;
  }

  /** When the first of them can be recorded; Infinity if there is none. */
  nextAtMs(): number {
    return Math.min(Infinity, ...this.#kept.map(({ notBeforeMs = 0 }) => notBeforeMs));
  }

  add(outcome: KeptOutcome): void {
    this.#kept.push(outcome);
  }

  /** For a tick, which gives them back if it fails. The rest is for the next one. */
  takeDue(nowMs: number): KeptOutcome[] {
    const [due, later] = [[] as KeptOutcome[], [] as KeptOutcome[]];
    let others = 0;
    for (const kept of this.#kept) {
      const isOther = kept.outcome.outcome.kind !== 'accepted';
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

  /** The outcomes that the ledger did not accept, for the result of a shift. */
  removeOf(owner: ActiveShift): Outcome[] {
    const own = this.#kept.filter((kept) => kept.owner === owner);
    this.#kept = this.#kept.filter((kept) => kept.owner !== owner);
    return own.map(({ outcome }) => outcome);
  }
}
