import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PER_DAY } from '../../src/contract/index.js';
import { dailyCap, jitterMs } from '../../src/domain/index.js';

describe('the daily cap', () => {
  const warmUp = { firstDay: '2026-11-23', perDay: 100, growthPercent: 15 };

  it.each([
    ['2026-11-20', 100],
    ['2026-11-23', 100],
    ['2026-11-24', 115],
    ['2026-11-25', 132],
    ['2026-11-26', 152],
    ['2027-11-23', MAX_PER_DAY],
  ])('on %s of a ramp is %i', (date, cap) => {
    expect(dailyCap({ warmUp }, date)).toBe(cap);
  });

  it('is the lower one of the ramp and perDay', () => {
    expect(dailyCap({ perDay: 120, warmUp }, '2026-11-24')).toBe(115);
    expect(dailyCap({ perDay: 120, warmUp }, '2026-11-25')).toBe(120);
    expect(dailyCap({ perDay: 120 }, '2026-11-25')).toBe(120);
    expect(dailyCap({}, '2026-11-25')).toBeUndefined();
  });

  it('grows from small numbers too, and is constant without a growth', () => {
    const slow = { firstDay: '2026-01-01', perDay: 3, growthPercent: 10 };
    expect(['2026-01-04', '2026-01-05', '2026-01-11'].map((date) => dailyCap({ warmUp: slow }, date))).toEqual([
      3, 4, 7,
    ]);
    expect(dailyCap({ warmUp: { ...slow, growthPercent: 0 } }, '9999-12-31')).toBe(3);
  });
});

describe('jitter', () => {
  it('is the same for the same seed and line, and differs for others', () => {
    const limits = { minMs: 0, maxMs: 1_000_000 };
    expect(jitterMs('sale', 2, limits)).toBe(jitterMs('sale', 2, limits));
    expect(jitterMs('sale', 2, limits)).not.toBe(jitterMs('sale', 3, limits));
    expect(jitterMs('sale', 2, limits)).not.toBe(jitterMs('salf', 2, limits));
  });

  it('stays within its bounds', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(3_600_000), fc.nat(3_600_000), (seed, line, one, other) => {
        const limits = { minMs: Math.min(one, other), maxMs: Math.max(one, other) };
        const pause = jitterMs(seed, line, limits);
        expect(Number.isInteger(pause) && limits.minMs <= pause && pause <= limits.maxMs).toBe(true);
      }),
    );
  });

  it.each(['a', 'sale', 'camp-0123456789'])('spreads evenly over neighbouring lines: seed %s', (seed) => {
    const CELLS = 20;
    const counts = Array.from({ length: CELLS }, () => 0);
    const LINES = 40_000;
    const pairs = Array.from({ length: CELLS * CELLS }, () => 0);
    let before = 0;
    for (let line = 0; line < LINES; line += 1) {
      const cell = jitterMs(seed, line, { minMs: 0, maxMs: CELLS - 1 });
      counts[cell] = (counts[cell] ?? 0) + 1;
      pairs[before * CELLS + cell] = (pairs[before * CELLS + cell] ?? 0) + 1;
      before = cell;
    }
    // Chi-square with 19 and 399 degrees of freedom: one in a million exceeds these bounds.
    expect(chiSquare(counts, LINES / CELLS)).toBeLessThan(64);
    expect(chiSquare(pairs, LINES / CELLS / CELLS)).toBeLessThan(550);
  });
});

function chiSquare(counts: readonly number[], expected: number): number {
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
