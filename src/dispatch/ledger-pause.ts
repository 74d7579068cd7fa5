import type { Log } from '../contract/index.js';
import type { Timers } from './timers.js';

const FIRST_MS = 100;
const MAX_MS = 2_000;

/** Delays the next use of the ledger after a failure. */
export class LedgerPause {
  readonly #timers: Timers;
  readonly #log: Log;
  #pauseMs = 0;
  #endsAtMs = Number.NEGATIVE_INFINITY;

  constructor({ timers, log }: { readonly timers: Timers; readonly log: Log }) {
    this.#timers = timers;
    this.#log = log;
  }

  /** Whether the last use of the ledger failed. */
  get isUnavailable(): boolean {
    return this.#pauseMs > 0;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  failed(error: unknown): void {
    if (!this.isUnavailable) this.#log({ level: 'warn', message: 'the dispatcher waits for the ledger', error });
    this.#pauseMs = Math.min(MAX_MS, Math.max(FIRST_MS, this.#pauseMs * 2));
    this.#endsAtMs = this.#timers.nowMs() + this.#pauseMs;
  }

  succeeded(): void {
    if (this.isUnavailable) this.#log({ level: 'info', message: 'the dispatcher can use the ledger again' });
    this.#pauseMs = 0;
    this.#endsAtMs = Number.NEGATIVE_INFINITY;
  }
}
