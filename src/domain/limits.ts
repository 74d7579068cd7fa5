/** The number of messages per day, and the pause between them. */
import { MAX_PER_DAY, type InstanceLimits, type Jitter, type WarmUp } from '../contract/index.js';
import { daysBetween } from './local-time.js';

/**
 * How many messages may be posted on a date.
 * @param date  the local day from `localDayAt`, as `YYYY-MM-DD`
 * @returns undefined without a cap
 */
export function dailyCap(
  { perDay, warmUp }: Pick<InstanceLimits, 'perDay' | 'warmUp'>,
  date: string,
): number | undefined {
  if (warmUp === undefined) return perDay;
  return Math.min(perDay ?? MAX_PER_DAY, warmUpCap(warmUp, date));
}

/**
 * perDay × (1 + growth)^(days since the first day). It is rounded down once and not per day, so that a growth of less
 * than one message adds up.
 */
function warmUpCap({ firstDay, perDay, growthPercent }: WarmUp, date: string): number {
  const days = growthPercent === 0 ? 0 : Math.max(0, daysBetween(firstDay, date));
  const most = BigInt(MAX_PER_DAY);
  // Computed in integers, since 100 × 1.15 is 114.99999999999999.
  let hundredths = BigInt(perDay);
  let scale = 1n;
  for (let day = 0; day < days && hundredths < most * scale; day += 1) {
    hundredths *= BigInt(100 + growthPercent);
    scale *= 100n;
  }
  const cap = hundredths / scale;
  return Number(cap < most ? cap : most);
}

/**
 * The pause after the message of a line. All whole milliseconds from `minMs` to `maxMs` are equally likely. The same
 * seed and line give the same pause, so that a plan matches the campaign.
 */
export function jitterMs(seed: string, line: number, { minMs, maxMs }: Pick<Jitter, 'minMs' | 'maxMs'>): number {
  return minMs + Math.floor((mixed(hashOf(seed), line) / 2 ** 32) * (maxMs - minMs + 1));
}

/** The FNV-1a hash of the UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** The finisher of MurmurHash3, applied twice, so that adjacent lines give unrelated values. */
function mixed(seed: number, line: number): number {
  return finished(finished(seed) + Math.imul(line, 0x9e3779b9)) >>> 0;
}

function finished(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
