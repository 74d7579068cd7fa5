import { driftOf } from './gateway-clocks.js';

const EDIT_WINDOW_MS = 15 * 60 * 1000;
/** For the way there, and for what the gateway itself rounds. */
const WINDOW_MARGIN_MS = 10_000;

/** How far the gateway's clock is ahead of ours at most, as it was measured. */
export interface MeasuredClock {
  readonly highestMs: number;
  readonly measuredAt: Date;
}

/**
 * Until when, by our own clock, an edit can still be posted.
 *
 * The window runs by the gateway's clock from `sentAt`. The question is "is it surely still open there?", so the upper
 * end of the offset is the safe one: the further ahead the gateway's clock may be, the sooner its window closes on
 * ours. In any case the window has closed its own length after we first saw the message sent: nothing is seen before it
 * happens.
 */
export function editableUntil(sentAt: Date | null, sentSeenAt: Date | null, gateway?: MeasuredClock): Date | undefined {
  if (sentAt === null || sentSeenAt === null) return undefined;
  const latestMs = sentSeenAt.getTime();
  const sentMs = gateway === undefined ? latestMs : Math.min(latestMs, sentAt.getTime() - aheadAt(sentSeenAt, gateway));
  return new Date(sentMs + EDIT_WINDOW_MS - WINDOW_MARGIN_MS);
}

function aheadAt(at: Date, { highestMs, measuredAt }: MeasuredClock): number {
  return highestMs + driftOf(Math.max(0, at.getTime() - measuredAt.getTime()));
}
