import { setTimeout as delay } from 'node:timers/promises';

/** Longer than any wait of the product in a test, on a machine ten times slower than a quiet one. */
const PATIENCE_MS = 150_000;
/** A check often reads the ledger, on the shared thread: a long wait checks less and less often. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until `check` no longer throws, and returns its result. The only wait of the tests: they do not measure how
 * long a state takes, so none sets its own time.
 */
export async function eventually<Seen>(check: () => Seen | Promise<Seen>): Promise<Seen> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > untilMs) throw error;
    }
    await delay(pauseMs);
  }
}
