/** Ten per second. */
const MOST_IN_A_WINDOW = 5;
const WINDOW_MS = 500;

/**
 * Whether this process is too busy for background work.
 *
 * LOAD-1 A process is busy while it handles more than ten messages and notifications a second: starting a workflow for
 *    each would use most of a processor core.
 */
export function createLoadMeter(nowMs: () => number = () => performance.now()) {
  let window = 0;
  let current = 0;
  let former = 0;

  function turn(): void {
    const now = Math.floor(nowMs() / WINDOW_MS);
    if (now === window) return;
    former = now === window + 1 ? current : 0;
    current = 0;
    window = now;
  }

  return {
    /** A message was accepted or sent, or a notification stored. */
    count(times = 1): void {
      turn();
      current += times;
    },
    isBusy(): boolean {
      turn();
      return Math.max(current, former) > MOST_IN_A_WINDOW;
    },
  };
}

export type LoadMeter = ReturnType<typeof createLoadMeter>;
