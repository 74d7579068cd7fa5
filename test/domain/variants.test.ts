/** Proves VARIANT-1 to VARIANT-3, COMPARE-1 and COMPARE-2. */
import { describe, expect, it } from 'vitest';
import type { CampaignVariant } from '../../src/contract/index.js';
import { chanceOf, comparisonOf, isHeldOut, variantFor, wilson } from '../../src/domain/index.js';

const content = (text: string) => ({ kind: 'text', text }) as const;
const split = (...shares: readonly [string, string][]): CampaignVariant[] =>
  shares.map(([name, share]) => ({ name, share, content: content(name) }));
const sent = (variants: readonly CampaignVariant[], winner: string | null = null) => ({
  content: content('first'),
  variants,
  winner,
});
const KEYS = Array.from({ length: 20_000 }, (_, at) => `${15550000000 + at}@c.us`);
const shareOf = (isIn: (key: string) => boolean, keys = KEYS) => keys.filter(isIn).length / keys.length;

describe('a split', () => {
  const variants = split(['A', '60%'], ['B', '30 %'], ['C', '10%']);
  const nameFor = (key: string, of = variants) => variantFor(sent(of), key)?.name;

  it('gives each variant its share of the recipients, and a recipient always the same one (VARIANT-1)', () => {
    for (const [name, share] of [
      ['A', 0.6],
      ['B', 0.3],
      ['C', 0.1],
    ] as const) {
      expect(shareOf((key) => nameFor(key) === name)).toBeCloseTo(share, 1.5);
    }
    const again = split(['A', '60%'], ['B', '30.0%'], ['C', '10%']);
    expect(KEYS.filter((key) => nameFor(key, again) !== nameFor(key))).toEqual([]);
  });

  it('of other names or shares is another one', () => {
    const others = split(['A', '60%'], ['B', '30%'], ['D', '10%']);
    const inBoth = KEYS.filter((key) => nameFor(key) === 'A' && nameFor(key, others) === 'A').length;
    expect(inBoth / KEYS.length).toBeCloseTo(0.36, 1.5);
  });

  it('gives every recipient a variant if the shares are rounded', () => {
    const thirds = split(['A', '33.33%'], ['B', '33.33%'], ['C', '33.33%']);
    expect(KEYS.every((key) => nameFor(key, thirds) !== undefined)).toBe(true);
  });

  it('ends with a winner (VARIANT-3)', () => {
    expect(new Set(KEYS.map((key) => variantFor(sent(variants, 'C'), key)?.name))).toEqual(new Set(['C']));
  });
});

describe('a hold-out', () => {
  it('is taken first, is part of a larger one, and says nothing about the variant (VARIANT-2)', () => {
    const heldOut = KEYS.filter((key) => isHeldOut('10%', key));
    expect(heldOut.length / KEYS.length).toBeCloseTo(0.1, 1.5);
    expect(heldOut.every((key) => isHeldOut('25%', key))).toBe(true);
    const halves = split(['A', '50%'], ['B', '50%']);
    expect(shareOf((key) => variantFor(sent(halves), key)?.name === 'A', heldOut)).toBeCloseTo(0.5, 1);
    expect(KEYS.some((key) => isHeldOut(undefined, key))).toBe(false);
  });
});

describe('results', () => {
  it("have Wilson's interval for 95 % (COMPARE-1)", () => {
    const { count, share, low, high } = wilson(10, 100);
    expect({ count, share }).toEqual({ count: 10, share: 0.1 });
    expect([low, high]).toEqual([expect.closeTo(0.0552, 4), expect.closeTo(0.1744, 4)]);
    expect(wilson(0, 20)).toMatchObject({ share: 0, low: 0, high: expect.closeTo(0.1611, 4) as number });
    expect(wilson(20, 20)).toMatchObject({ share: 1, high: 1, low: expect.closeTo(0.8389, 4) as number });
    expect(wilson(0, 0)).toEqual({ count: 0, share: 0, low: 0, high: 1 });
  });

  it('are compared by the chi-square test, for two and for more variants (COMPARE-2)', () => {
    const of100 = (...counts: readonly number[]) => chanceOf(counts.map((count) => ({ count, of: 100 })));
    expect(of100(30, 45)).toBeCloseTo(0.0285, 4);
    expect(of100(30, 30)).toBeCloseTo(1, 6);
    expect(of100(20, 30, 40)).toBeCloseTo(0.00855, 4);
    expect(of100(20, 30, 40, 30)).toBeCloseTo(0.0231, 4);
    expect(of100(3, 4)).toBeUndefined();
    expect(chanceOf([{ count: 0, of: 0 }])).toBeUndefined();
  });

  it('are told in a sentence each, if there are any', () => {
    const results = (name: string, replied: number, read: number) => {
      const none = wilson(0, 100);
      const figures = { delivered: none, optedOut: none, failed: none };
      return { name, posted: 100, ...figures, replied: wilson(replied, 100), read: wilson(read, 100) };
    };
    expect(comparisonOf([results('A', 10, 30), results('B', 12, 60)])).toEqual([
      'Read: A 30.0 % of 100, B 60.0 % of 100. The difference is unlikely to be chance (p < 0.001).',
      'Replied: A 10.0 % of 100, B 12.0 % of 100. The difference can be chance (p = 0.651).',
    ]);
    expect(comparisonOf([results('A', 1, 0), results('B', 0, 0)])).toEqual([
      'Replied: A 1.0 % of 100, B 0.0 % of 100. These are too few recipients to say whether the difference is chance.',
    ]);
  });
});
