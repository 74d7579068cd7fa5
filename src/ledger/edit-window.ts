const EDIT_WINDOW_MS = 15 * 60 * 1000;
/** For the way there, for seconds that the gateway rounds away, and for what clocks drift between two Date headers. */
const WINDOW_MARGIN_MS = 10_000;

/**
 * Until when, by our own clock, an edit can still be posted.
 *
 * The window runs by the gateway's clock from `sentAt`; the offset (gateway's clock minus ours) as last measured translates
 * it. In any case it has closed a window's length after we first saw the message sent: nobody sees before it happens.
 */
export function editableUntil(
  sentAt: Date | null,
  sentSeenAt: Date | null,
  gatewayOffsetMs: number | undefined,
): Date | undefined {
  if (sentAt === null || sentSeenAt === null) return undefined;
  const latest = sentSeenAt.getTime();
  const sent = gatewayOffsetMs === undefined ? latest : Math.min(latest, sentAt.getTime() - gatewayOffsetMs);
  return new Date(sent + EDIT_WINDOW_MS - WINDOW_MARGIN_MS);
}
