/** Rounds of work with many requesters. A request during a round starts another round after it. */
export interface Rounds {
  /** Requests a round: it begins at once after a rest, otherwise when the rest is over. */
  ask(): void;
  /** Begins a round without a rest. Resolves when it has ended, whether or not it failed. */
  now(): Promise<void>;
  /** True while the round after a failure has not succeeded yet. */
  isFailing(): boolean;
  /** Starts no more rounds. @returns the one under way */
  close(): Promise<void>;
}

export interface RoundsOptions {
  readonly work: () => Promise<void>;
  /** The longest time between two rounds, since another process may have left work without a request. */
  readonly pollMs: number;
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** Called before a round without a request. */
  readonly onPoll?: () => void;
  readonly onFailed: (error: unknown, failures: number) => void;
}

/**
 * A round costs several statements, for one entry or for hundreds. A round for each receipt of a gateway that pushes
 * one at a time would cost more than storing the receipts.
 */
const REST_MS = 25;

export function createRounds(options: RoundsOptions): Rounds {
  const { work, pollMs, retryFirstMs, retryMaxMs, onPoll, onFailed } = options;
  let isClosed = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isDueAtOnce = false;
  let isDueAfterRest = false;
  let restsUntilMs = -Infinity;

  function now(): Promise<void> {
    isDueAtOnce = true;
    running ??= run();
    return running;
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    try {
      do {
        isDueAtOnce = false;
        isDueAfterRest = false;
        await work();
      } while (isDueAtOnce);
      failures = 0;
    } catch (error) {
      failures += 1;
      isDueAfterRest = false;
      onFailed(error, failures);
    }
    // In the same tick as the last check of isDueAtOnce, so that a later request begins a new round.
    running = undefined;
    restsUntilMs = performance.now() + REST_MS;
    if (failures > 0) beginIn(Math.min(retryFirstMs * 2 ** (failures - 1), retryMaxMs), onPoll);
    else if (isDueAfterRest) beginIn(REST_MS);
    else beginIn(pollMs, onPoll);
  }

  function beginIn(delayMs: number, before?: () => void): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      before?.();
      void now();
    }, delayMs);
    timer.unref();
  }

  return {
    ask() {
      if (isDueAfterRest || isClosed) return;
      const restMs = restsUntilMs - performance.now();
      if (running === undefined && restMs <= 0) {
        void now();
        return;
      }
      isDueAfterRest = true;
      if (running === undefined) beginIn(restMs);
    },

    now,
    isFailing: () => failures > 0,

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
