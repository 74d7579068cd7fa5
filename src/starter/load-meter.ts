/**
 * Whether this process has so much to do that work in the background steps back.
 *
 * LOAD-1 A process is busy while more than ten messages and notifications a second pass through it: to start a workflow
 *    for each would take most of a processor core.
 */
export interface LoadMeter {
  /** One message was taken in or sent, or one notification stored. */
  count(times?: number): void;
  isBusy(): boolean;
}

/** Ten a second. */
const MOST_IN_A_WINDOW = 5;
const WINDOW_MS = 500;

export function createLoadMeter(nowMs: () => number = () => performance.now()): LoadMeter {
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
    count(times = 1) {
      turn();
      current += times;
    },
    isBusy() {
      turn();
      return Math.max(current, former) > MOST_IN_A_WINDOW;
    },
  };
}
