/**
 * Whose turn it is to feed an instance. Pure rules, FEED-2 and FEED-3 of {@link FeedingLedger}. Times are milliseconds
 * since the epoch.
 */
import type { CampaignId, Priority } from '../../contract/index.js';

export const PRIORITY_RANK: Readonly<Record<Priority, number>> = { urgent: 3, high: 2, normal: 1, low: 0 };

/** A running campaign of the instance. */
export interface Feeder {
  readonly id: CampaignId;
  readonly priority: Priority;
  readonly highWater: number;
  readonly lowWater: number;
  /** Absent: never. */
  readonly fedAtMs?: number;
  /** Until then it counts among those that wait. */
  readonly hungryUntilMs?: number;
}

/** The turn as it was left. */
export interface TurnHeld {
  readonly campaignId?: CampaignId;
  readonly heldUntilMs?: number;
  /** Until then the item that was kept for those below is in the queue. */
  readonly keptUntilMs?: number;
}

export type TurnDecision =
  | {
      readonly granted: true;
      readonly ceiling: number;
      readonly floor: number;
      readonly most: number;
      readonly isKeptItem: boolean;
    }
  | { readonly granted: false; readonly retryAfterMs: number };

/** A campaign needs the turn for as long as a few posts take. */
const HOLDER_NEEDS_MS = 500;
/** An equal whose turn it is comes within about so long of the time it named. */
const EQUAL_COMES_MS = 1_000;

/** @param others  the other running campaigns of the instance */
export function decideTurn(me: Feeder, others: readonly Feeder[], held: TurnHeld, nowMs: number): TurnDecision {
  const { campaignId, heldUntilMs = 0, keptUntilMs = 0 } = held;
  if (campaignId !== undefined && campaignId !== me.id && heldUntilMs > nowMs) {
    return { granted: false, retryAfterMs: Math.min(HOLDER_NEEDS_MS, heldUntilMs - nowMs) };
  }
  const hungry = others.filter(({ hungryUntilMs = 0 }) => hungryUntilMs > nowMs);
  const above = hungry.filter((one) => rank(one) > rank(me));
  if (above.length > 0) return keptItem(me, hungry, above, keptUntilMs, nowMs);
  if (hungry.some((one) => rank(one) === rank(me) && wasFedBefore(one, me))) {
    return { granted: false, retryAfterMs: EQUAL_COMES_MS };
  }
  const mustKeepOne = keptUntilMs <= nowMs && hungry.some((one) => rank(one) < rank(me));
  const ceiling = Math.max(1, me.highWater - (mustKeepOne ? 1 : 0));
  return { granted: true, ceiling, floor: Math.min(me.lowWater, ceiling - 1), most: ceiling, isKeptItem: false };
}

/** FEED-3: those below share one item, no matter who was fed longest ago first. */
function keptItem(
  me: Feeder,
  hungry: readonly Feeder[],
  above: readonly Feeder[],
  keptUntilMs: number,
  nowMs: number,
): TurnDecision {
  if (keptUntilMs > nowMs) return { granted: false, retryAfterMs: keptUntilMs - nowMs };
  const top = Math.max(...above.map(rank));
  if (hungry.some((one) => rank(one) < top && wasFedBefore(one, me))) {
    return { granted: false, retryAfterMs: EQUAL_COMES_MS };
  }
  const ceiling = Math.max(...above.filter((one) => rank(one) === top).map(({ highWater }) => highWater));
  return { granted: true, ceiling, floor: ceiling - 1, most: 1, isKeptItem: true };
}

function rank({ priority }: Feeder): number {
  return PRIORITY_RANK[priority];
}

/** Longer ago; never is longest. Two that were never fed are told apart by their names. */
function wasFedBefore(one: Feeder, other: Feeder): boolean {
  const [a, b] = [one.fedAtMs ?? -Infinity, other.fedAtMs ?? -Infinity];
  return a === b ? one.id < other.id : a < b;
}
