const ONE_DAY_MS = 24 * 60 * 60 * 1000;

/**
 * How long the gateway asks us to wait, in milliseconds: `Retry-After` in seconds or as a date, the latter measured by
 * the gateway's own clock where it showed one. A day at most, since a wrong clock must not stop an instance for good.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  nowMs: number,
): number | undefined {
  const value = header?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1000), ONE_DAY_MS);
  const untilMs = Date.parse(value);
  if (Number.isNaN(untilMs)) return undefined;
  const theirNowMs = Date.parse(dateHeader ?? '');
  const waitMs = untilMs - (Number.isNaN(theirNowMs) ? nowMs : theirNowMs);
  return Math.min(Math.max(waitMs, 0), ONE_DAY_MS);
}
