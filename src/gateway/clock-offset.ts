import type { ClockOffset } from '../contract/index.js';
import type { Responded } from './exchange.js';

/** A Date header drops the fraction of its second. */
const DATE_PRECISION_MS = 1_000;

/**
 * The gateway's clock by one response. The gateway wrote the Date header between the moment the request left and the
 * moment the headers arrived. A long poll therefore gives a wide interval, never a wrong one.
 * @returns undefined without a Date header, or when our own clock was set back meanwhile
 */
export function clockOffset({ headers, leftAtMs, respondedAtMs }: Responded): ClockOffset | undefined {
  const dateMs = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(dateMs) || respondedAtMs < leftAtMs) return undefined;
  return { lowestMs: dateMs - respondedAtMs, highestMs: dateMs + DATE_PRECISION_MS - leftAtMs };
}
