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
