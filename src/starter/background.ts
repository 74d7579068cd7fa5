/**
 * Background work that no caller awaits. The connection to Temporal is closed only after it: the SDK retries requests
 * by a timer, and a retry on a closed connection would end the process.
 */
export function createBackground() {
  const underWay = new Set<Promise<void>>();
  return {
    /** The same function; `ended` waits for its calls. */
    track:
      <Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) =>
      (...args: Args): Promise<void> => {
        const working = work(...args).finally(() => underWay.delete(working));
        underWay.add(working);
        return working;
      },

    /** Resolves when no call is running. */
    async ended(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;

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
