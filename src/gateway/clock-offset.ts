import type { ClockOffset } from '../contract/index.js';
import type { Responded } from './exchange.js';

/** A Date header drops the fraction of its second. */
const DATE_PRECISION_MS = 1_000;

/**
 * What one response says about the gateway's clock. The gateway wrote the Date header at some moment between the
 * request leaving and the headers arriving. A request that the gateway holds back therefore says less, and never
 * anything wrong.
 * @returns undefined without a Date header, or when our own clock was set back meanwhile
 */
export function clockOffset({ headers, leftAtMs, respondedAtMs }: Responded): ClockOffset | undefined {
  const dateMs = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(dateMs) || respondedAtMs < leftAtMs) return undefined;
  return { lowestMs: dateMs - respondedAtMs, highestMs: dateMs + DATE_PRECISION_MS - leftAtMs };
}
