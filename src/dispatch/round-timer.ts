import type { Timers } from './timers.js';

/**
 * The least gap between two rounds, so that outcomes and claims close together share a transaction. Without it, the
 * first outcome of a fast gateway would start its own round. A single message does not wait.
 */
const GAP_MS = 10;

/** Runs rounds in sequence: on request, or at the time that the last round returned. */
export class RoundTimer {
  readonly #timers: Timers;
  readonly #run: () => Promise<number>;
  readonly #isFull: () => boolean;
  #endedMs = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  #isAskedFor = false;
  #timer: { readonly atMs: number; cancel(): void } | undefined;

  /**
   * @param run  runs one round and returns when the next one is due; Infinity if none is
   * @param isFull  whether enough outcomes wait to start a round without the gap
   */
  constructor(timers: Timers, run: () => Promise<number>, isFull: () => boolean) {
    this.#timers = timers;
    this.#run = run;
    this.#isFull = isFull;
  }

  /** Requests a round after a change. */
  ask(): void {
    if (this.#isRunning) this.#isAskedFor = true;
    else this.#schedule(this.#timers.nowMs());
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
    this.#isAskedFor = false;
    const nextAtMs = await this.#run();
    this.#isRunning = false;
    this.#endedMs = this.#timers.nowMs();
    this.#schedule(this.#isAskedFor ? this.#endedMs : nextAtMs);
  }
}
