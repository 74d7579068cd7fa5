/** Rounds of work that many ask for. One asked for during another comes after it. */
export interface Rounds {
  /** Asks for a round: it begins at once after a rest, and otherwise when the rest is over. */
  ask(): void;
  /** Begins a round without a rest. Resolves when it has ended, whether or not it failed. */
  now(): Promise<void>;
  /** The round that is due after a failure has not succeeded yet. */
  isFailing(): boolean;
  /** Begins no other round. @returns the one under way */
  close(): Promise<void>;
}

export interface RoundsOptions {
  readonly work: () => Promise<void>;
  /** The longest time between two rounds: another process may have left work that no one asks for. */
  readonly pollMs: number;
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** Called before a round without a request. */
  readonly onPoll?: () => void;
  readonly onFailed: (error: unknown, failures: number) => void;
}

/**
 * A round costs the ledger several statements, whether it finds one entry or hundreds. One for each receipt of a serial
 * pusher takes more time than storing the receipts.
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
    // In the same breath as the last check of isDueAtOnce: who asks from here on begins again.
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
