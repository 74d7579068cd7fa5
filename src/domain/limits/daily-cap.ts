import { MAX_PER_DAY, type InstanceLimits, type WarmUp } from '../../contract/index.js';
import { daysBetween } from '../local-time.js';

/**
 * How many messages may be posted on a date.
 * @param date `YYYY-MM-DD`, of the local day that `localDayAt` gives
 * @returns undefined without a cap
 */
export function dailyCap(
  { perDay, warmUp }: Pick<InstanceLimits, 'perDay' | 'warmUp'>,
  date: string,
): number | undefined {
  if (warmUp === undefined) return perDay;
  return Math.min(perDay ?? MAX_PER_DAY, warmUpCap(warmUp, date));
}

/** perDay × (1 + growth)^(days since the first), rounded down once, not day by day: growth of less than one adds up. */
function warmUpCap({ firstDay, perDay, growthPercent }: WarmUp, date: string): number {
  const days = growthPercent === 0 ? 0 : Math.max(0, daysBetween(firstDay, date));
  const most = BigInt(MAX_PER_DAY);
  // In whole numbers, since 100 × 1.15 is 114.99999999999999.
  let hundredths = BigInt(perDay);
  let scale = 1n;
  for (let day = 0; day < days && hundredths < most * scale; day += 1) {
    hundredths *= BigInt(100 + growthPercent);
    scale *= 100n;
  }
  const cap = hundredths / scale;
  return Number(cap < most ? cap : most);
}
