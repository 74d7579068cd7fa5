import { type Clock, type ClockOffset, type Log } from '../contract/index.js';
import { commonOffset, widenedOffset, type Ledger } from '../ledger/index.js';

/** A response is recorded only if it moves an end of the interval by at least this much. */
const WORTH_SAVING_MS = 50;
/** A measured interval widens with its age, so it is renewed after this time. */
const MEASURE_AGAIN_MS = 10 * 60_000;

interface Known {
  readonly offset: ClockOffset;
  readonly atMs: number;
}

/**
 * Records the offset of each gateway's clock from ours in the ledger, for all processes. Every response is a
 * measurement. It is recorded only if it narrows, contradicts or renews the interval.
 * @returns the observer that the gateway client calls after each response
 */
export function saveGatewayClocks(
  gatewayClocks: Ledger['gatewayClocks'],
  clock: Clock,
  log: Log,
): (instance: string, sample: ClockOffset) => void {
  const known = new Map<string, Known>();
  const saving = new Set<string>();
  /** The newest measurement that arrived during a write. */
  const next = new Map<string, ClockOffset>();

  function report(instance: string, sample: ClockOffset): void {
    if (saving.has(instance)) {
      next.set(instance, sample);
      return;
    }
    if (!isWorthSaving(known.get(instance), sample, clock.nowMs())) return;
    saving.add(instance);
    void save(instance, sample);
  }

  async function save(instance: string, sample: ClockOffset): Promise<void> {
    const atMs = clock.nowMs();
    try {
      known.set(instance, { offset: await gatewayClocks.narrow(instance, sample, atMs), atMs });
    } catch (error) {
      log({ level: 'warn', message: "the gateway's clock could not be saved", instance, error });
    } finally {
      saving.delete(instance);
      const newest = next.get(instance);
      next.delete(instance);
      if (newest !== undefined) report(instance, newest);
    }
  }

  return report;
}

function isWorthSaving(known: Known | undefined, sample: ClockOffset, nowMs: number): boolean {
  if (known === undefined || nowMs - known.atMs > MEASURE_AGAIN_MS) return true;
  const before = widenedOffset(known.offset, nowMs - known.atMs);
  const after = commonOffset(before, sample);
  if (after === undefined) return true;
  return Math.max(after.lowestMs - before.lowestMs, before.highestMs - after.highestMs) >= WORTH_SAVING_MS;
}
