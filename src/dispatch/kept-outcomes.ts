import type { Outcome } from '../ledger/index.js';
import type { ActiveShift } from './active-shift.js';

export interface KeptOutcome {
  readonly outcome: Outcome;
  /** The shift that waits for it to be recorded; none waits for a response that came late. */
  readonly owner?: ActiveShift;
}

/** Outcomes that the ledger does not have yet, oldest first. */
export class KeptOutcomes {
  #kept: KeptOutcome[] = [];

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  add(outcome: KeptOutcome): void {
    this.#kept.push(outcome);
  }

  /** For a tick, which gives them back if it fails. */
  takeAll(): KeptOutcome[] {
    return this.#kept.splice(0);
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

  /** For the result of a shift that the ledger cannot take them from. */
  removeOf(owner: ActiveShift): Outcome[] {
    const own = this.#kept.filter((kept) => kept.owner === owner);
    this.#kept = this.#kept.filter((kept) => kept.owner !== owner);
    return own.map(({ outcome }) => outcome);
  }
}
