import type { Clock } from '../contract/index.js';
import type { GatewayClockLedger } from '../ledger/index.js';
import type { Log } from './temporal-runtime.js';

/** A Date header counts whole seconds, so smaller differences say nothing. */
const WORTH_SAVING_MS = 1_500;

/**
 * Keeps in the ledger how far each gateway's clock is from ours, since the edit window runs by the gateway's. Every answer
 * tells it; only a change is written.
 * @returns what the gateway client calls after each answer
 */
export function saveGatewayClocks(
  gatewayClocks: GatewayClockLedger,
  clock: Clock,
  log: Log,
): (instance: string, offsetMs: number) => void {
  const saved = new Map<string, number>();
  return (instance, offsetMs) => {
    const last = saved.get(instance);
    if (last !== undefined && Math.abs(last - offsetMs) < WORTH_SAVING_MS) return;
    saved.set(instance, offsetMs);
    gatewayClocks.save(instance, offsetMs, clock.nowMs()).catch((error: unknown) => {
      // The next answer tells it again.
      saved.delete(instance);
      log({ level: 'warn', message: "the gateway's clock could not be saved", instance, error });
    });
  };
}
