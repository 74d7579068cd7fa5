import type { Timers } from '../../src/dispatch/index.js';

/** Real time that can be advanced: timers that are due by then run at once. */
export class AdvancedTimers implements Timers {
  #aheadMs = 0;
  readonly #pending = new Map<() => void, { readonly atMs: number; timeout: NodeJS.Timeout }>();

  nowMs(): number {
    return performance.now() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const once = (): void => {
      this.#pending.delete(once);
      run();
    };
    this.#pending.set(once, { atMs: this.nowMs() + delayMs, timeout: setTimeout(once, delayMs) });
    return () => {
      clearTimeout(this.#pending.get(once)?.timeout);
      this.#pending.delete(once);
    };
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
    for (const [once, pending] of this.#pending) {
      clearTimeout(pending.timeout);
      pending.timeout = setTimeout(once, pending.atMs - this.nowMs());
    }
  }
}
