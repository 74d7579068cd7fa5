/** How much a turn may put into the queue, and when the next is worth while. Pure rules; a test plays a day by them. */
import type { FeedingTurn } from '../../ledger/index.js';

type Marks = Pick<FeedingTurn, 'ceiling' | 'floor' | 'most'>;

/** While the pace is not known, the queue is looked at often, to learn it. */
export const UNKNOWN_PACE_POLL_MS = 1_000;

/** While the queue cannot be read, half of what is worked out is risked. */
export function roomFor({ most, ceiling }: Marks, depth: number, isReadable: boolean): number {
  const room = Math.max(0, Math.min(most, ceiling - depth));
  return isReadable ? room : Math.ceil(room / 2);
}

/** Until the queue is down to where it is fed again, and half a release more, so as not to come a moment too early. */
export function untilFloorMs({ floor }: Pick<Marks, 'floor'>, depth: number, intervalMs: number | undefined): number {
  if (intervalMs === undefined) return UNKNOWN_PACE_POLL_MS;
  return Math.max(0, depth - floor + 0.5) * intervalMs;
}
