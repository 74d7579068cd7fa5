/**
 * Work that nothing waits for while its process runs. A connection to Temporal is closed only after it: the SDK repeats
 * a request by a timer, and on a closed connection that ends the process.
 */
export interface Background {
  /** The same function, known to {@link Background.ended} while it works. */
  track<Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>): (...args: Args) => Promise<void>;
  /** Resolves when nothing is under way. */
  ended(): Promise<void>;
}

export function createBackground(): Background {
  const underWay = new Set<Promise<void>>();
  return {
    track:
      (work) =>
      (...args) => {
        const working = work(...args).finally(() => underWay.delete(working));
        underWay.add(working);
        return working;
      },

    async ended() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
