import type { Epoch } from './dispatch-ledger.js';

/** More tries than an activity has in the years of a schedule. */
const ATTEMPTS = 1_000_000n;

/** One number that orders epochs: the schedule first, then the attempt. */
export function epochNumber({ scheduledMs, attempt }: Epoch): string {
  return String(BigInt(scheduledMs) * ATTEMPTS + BigInt(attempt));
}
