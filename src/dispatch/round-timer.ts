import type { Timers } from './timers.js';

/**
 * Minimum gap between two rounds, so that outcomes and claims that arrive close together share a transaction. With a
 * fast gateway the first outcome would otherwise start a round of its own. A single message does not wait.
 */
const GAP_MS = 10;

/** Runs rounds one after the other: at once on request, later at a given time, and never without a reason. */
export class RoundTimer {
  readonly #timers: Timers;
  readonly #run: () => Promise<number>;
  readonly #isFull: () => boolean;
  #endedMs = Number.NEGATIVE_INFINITY;
  #isRunning = false;
  #isAskedFor = false;
  #timer: { readonly atMs: number; cancel(): void } | undefined;

  /**
   * @param run  one round. @returns when the next one is due; Infinity: none
   * @param isFull  whether enough outcomes wait to start a round without the gap
   */
  constructor(timers: Timers, run: () => Promise<number>, isFull: () => boolean) {
    this.#timers = timers;
    this.#run = run;
    this.#isFull = isFull;
  }

  /** Something changed: a round is due. */
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
