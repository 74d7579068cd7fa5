import type { Log } from '../../contract/index.js';

/** Time for scheduling. A change of the system clock does not affect it, and tests can advance it. */
export interface Timers {
  /** Monotonic milliseconds since any origin. */
  nowMs(): number;
  /** Runs once after a delay. @returns a function that cancels it */
  after(delayMs: number, run: () => void): () => void;
}

const LONGEST_MS = 2 ** 31 - 1;

export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(LONGEST_MS, Math.max(0, delayMs)));
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * The least gap between two rounds, so that outcomes and claims close together share a transaction. Without it, the
 * first outcome of a fast gateway would start its own round. A single message does not wait.
 */
const GAP_MS = 10;
/**
 * The gap before a round that can wait: room in queues that are refilled, and outcomes that free nothing. A tick for 50
 * instances costs little more than one for a single instance.
 */
export const SOON_GAP_MS = 400;

/** Runs rounds in sequence: on request, or at the time that the last round returned. */
export class RoundTimer {
  readonly #timers: Timers;
  readonly #run: () => Promise<number>;
  readonly #isFull: () => boolean;
  #endedMs = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  /** What was asked for during the round that runs. */
  #asked: 'now' | 'soon' | undefined;
  #timer: { readonly atMs: number; cancel(): void } | undefined;
  /** When the round that runs began. */
  #beganMs = 0;

  /**
   * @param run  runs one round and returns when the next one is due; Infinity if none is
   * @param isFull  whether enough outcomes wait to start a round without the gap
   */
  constructor(timers: Timers, run: () => Promise<number>, isFull: () => boolean) {
    this.#timers = timers;
    this.#run = run;
    this.#isFull = isFull;
  }

  /** For how long a round has been running, or should have begun; 0 if none is due. */
  get lateMs(): number {
    const dueMs = this.#isRunning ? this.#beganMs : (this.#timer?.atMs ?? Infinity);
    return Math.max(0, this.#timers.nowMs() - dueMs);
  }

  /** Requests a round after a change. */
  ask(): void {
    if (this.#isRunning) this.#asked = 'now';
    else this.#schedule(this.#timers.nowMs());
  }

  /** Requests a round after a change that can wait for others. */
  askSoon(): void {
    if (this.#isRunning) this.#asked ??= 'soon';
    else this.#schedule(Math.max(this.#timers.nowMs(), this.#endedMs + SOON_GAP_MS));
  }

  #schedule(wishMs: number): void {
    const atMs = this.#isFull() ? wishMs : Math.max(wishMs, this.#endedMs + GAP_MS);
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (atMs === Infinity) return;
    const cancel = this.#timers.after(atMs - this.#timers.nowMs(), () => {
      this.#timer = undefined;
      void this.#round();
    });
    this.#timer = { atMs, cancel };
  }

  async #round(): Promise<void> {
    this.#isRunning = true;
    this.#beganMs = this.#timers.nowMs();
    this.#asked = undefined;
    const nextAtMs = await this.#run();
    this.#isRunning = false;
    this.#endedMs = this.#timers.nowMs();
    const askedMs = { now: this.#endedMs, soon: this.#endedMs + SOON_GAP_MS };
    this.#schedule(this.#asked === undefined ? nextAtMs : Math.min(nextAtMs, askedMs[this.#asked]));
  }
}

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
