/** Ten a second. */
const MOST_IN_A_WINDOW = 5;
const WINDOW_MS = 500;

/**
 * Whether this process is so busy that background work has to wait.
 *
 * LOAD-1 A process is busy while more than ten messages and notifications a second pass through it: to start a workflow
 *    for each would take most of a processor core.
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
    /** One message was taken in or sent, or one notification stored. */
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
