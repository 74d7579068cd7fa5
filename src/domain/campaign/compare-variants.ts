/**
 * How variants compare. Pure.
 *
 * COMPARE-1 Shares are of the recipients whose message was posted. The interval is Wilson's for 95 %: it also holds for
 *    few recipients and for shares near 0 and 1.
 * COMPARE-2 Whether all variants may have the same share is decided by the chi-square test. It says nothing while one of
 *    its expected counts is below 5.
 */
import type { VariantFigure, VariantResults } from '../../contract/index.js';

/** Of the normal distribution, for 95 %. */
const Z = 1.959_964;
/** A difference this rare is called real. */
const RARE = 0.05;
const LEAST_EXPECTED = 5;

export function wilson(count: number, of: number): VariantFigure {
  if (of === 0) return { count, share: 0, low: 0, high: 1 };
  const share = count / of;
  const square = Z * Z;
  const centre = (share + square / (2 * of)) / (1 + square / of);
  const reach = (Z / (1 + square / of)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of));
  const [low, high] = [count === 0 ? 0 : Math.max(0, centre - reach), count === of ? 1 : Math.min(1, centre + reach)];
  return { count, share, low, high };
}

/** The figures of variants that are compared, in words. */
const COMPARED = {
  delivered: 'Delivered',
  read: 'Read',
  replied: 'Replied',
  optedOut: 'Opted out',
  failed: 'Failed',
} as const;
type Compared = keyof typeof COMPARED;
export const FIGURES = Object.entries(COMPARED) as readonly (readonly [Compared, string])[];

type Compare = Pick<VariantResults, 'posted' | Compared> & { readonly name: string };

/** One sentence for each figure that some recipient of some variant has. */
export function comparisonOf(variants: readonly Compare[]): string[] {
  return FIGURES.flatMap(([figure, words]) => {
    if (variants.every((variant) => variant[figure].count === 0)) return [];
    const shares = variants.map((one) => `${one.name} ${percent(one[figure].share)} of ${one.posted}`).join(', ');
    const chance = chanceOf(variants.map((one) => ({ count: one[figure].count, of: one.posted })));
    if (chance === undefined) {
      return [`${words}: ${shares}. These are too few recipients to say whether the difference is chance.`];
    }
    const p = chance < 0.001 ? '< 0.001' : `= ${chance.toFixed(3)}`;
    return [`${words}: ${shares}. The difference ${chance >= RARE ? 'can' : 'is unlikely to'} be chance (p ${p}).`];
  });
}

/** How likely shares that differ as much are if all variants are alike; undefined if there are too few recipients. */
export function chanceOf(groups: readonly { readonly count: number; readonly of: number }[]): number | undefined {
  const total = groups.reduce((sum, { of }) => sum + of, 0);
  const share = groups.reduce((sum, { count }) => sum + count, 0) / total;
  const expected = groups.flatMap(({ of }) => [of * share, of * (1 - share)]);
  if (total === 0 || expected.some((count) => count < LEAST_EXPECTED)) return undefined;
  const distance = groups.reduce(
    (sum, { count, of }) => sum + (count - of * share) ** 2 / (of * share * (1 - share)),
    0,
  );
  return chiSquareAbove(distance, groups.length - 1);
}

/** The probability of a larger value of the chi-square distribution. */
function chiSquareAbove(value: number, freedom: number): number {
  const half = value / 2;
  const isOdd = freedom % 2 === 1;
  let above = isOdd ? complementaryError(Math.sqrt(half)) : Math.exp(-half);
  let term = isOdd ? Math.sqrt(half / Math.PI) * 2 * Math.exp(-half) : half * Math.exp(-half);
  for (let degrees = isOdd ? 1 : 2; degrees < freedom; degrees += 2) {
    above += term;
    term *= half / (degrees / 2 + 1);
  }
  return above;
}

/** Abramowitz and Stegun, 7.1.26: exact to 1.5e-7. For values from 0 on. */
function complementaryError(value: number): number {
  const t = 1 / (1 + 0.3275911 * value);
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sum * Math.exp(-value * value);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
