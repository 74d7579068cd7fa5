import { vi } from 'vitest';

/** Longer than any wait of the product that a test sits out, on a machine ten times slower than a quiet one. */
const PATIENCE_MS = 150_000;

/**
 * Waits until `check` no longer throws, and returns what it returns. The only wait of the tests: how long a state takes
 * to come is not what they are about, so none sets a time of its own.
 */
export function eventually<Seen>(check: () => Seen | Promise<Seen>): Promise<Seen> {
  // oxlint-disable-next-line no-restricted-properties -- the one place that waits
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 20 });
}
