import type { Epoch } from '../ledger/index.js';

export function isLater(one: Epoch, other: Epoch): boolean {
  return one.scheduledMs === other.scheduledMs ? one.attempt > other.attempt : one.scheduledMs > other.scheduledMs;
}
