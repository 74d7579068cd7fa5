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
