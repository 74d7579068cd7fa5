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

/** Outcomes that are not recorded in the ledger yet, oldest first. */
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

  /** Takes outcomes for a tick, which returns them if it fails. */
  takeDue(nowMs: number): KeptOutcome[] {
    const [due, later] = [[] as KeptOutcome[], [] as KeptOutcome[]];
    for (const kept of this.#kept) ((kept.notBeforeMs ?? 0) <= nowMs ? due : later).push(kept);
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
