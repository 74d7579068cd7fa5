interface RoundsOptions {
  /** One batch. Returns whether more work may be left, which belongs to the same round. */
  readonly work: () => Promise<boolean>;
  /** The longest time between two rounds. A poll finds work of other processes, for which no request comes. */
  readonly pollMs: number;
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** Called before a round without a request. */
  readonly onPoll?: () => void;
  readonly onFailed: (error: unknown, failures: number) => void;
}

/**
 * The rest between two rounds. A round costs the same few statements for one entry or for hundreds, so a round for each
 * single receipt would cost more than storing the receipts.
 */
const REST_MS = 25;

/** Rounds of work for many callers. A request during a round starts another round after it. */
export function createRounds({ work, pollMs, retryFirstMs, retryMaxMs, onPoll, onFailed }: RoundsOptions) {
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
      } while ((await work()) || isDueAtOnce);
      failures = 0;
    } catch (error) {
      failures += 1;
      isDueAfterRest = false;
      onFailed(error, failures);
    }
    // No await comes between the last check of isDueAtOnce and this line, so that a later request begins a new round.
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
    /** Requests a round, which begins when the rest since the last one is over. */
    ask(): void {
      if (isDueAfterRest || isClosed) return;
      const restMs = restsUntilMs - performance.now();
      if (running === undefined && restMs <= 0) {
        void now();
        return;
      }
      isDueAfterRest = true;
      if (running === undefined) beginIn(restMs);
    },

    /** Begins a round without a rest. Resolves when it has ended or failed. */
    now,

    /** Starts no more rounds. Resolves when the round under way has ended. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}
