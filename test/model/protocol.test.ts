import { describe, expect, test } from 'vitest';
import { exploreAll } from './explore.js';
import { ASSUMPTIONS, RULES, type Assumption, type Rule } from './rules.js';
import { BROKEN_TRUST, SCENARIOS } from './scenarios.js';

/** Proves PROTOCOL-1, PROTOCOL-2 and PROTOCOL-4. */
describe.each(SCENARIOS)('$name', (scenario) => {
  test('loses nothing, doubles nothing and reports nothing false, in any order of events', () => {
    const { wrong, ends } = exploreAll(scenario);
    expect(wrong).toBeUndefined();
    expect(ends).toBeGreaterThan(0);
  });

  for (const rule of scenario.needs) {
    test(`has a violation without ${rule}: ${RULES[rule]}`, () => {
      const { wrong } = exploreAll(scenario, { without: rule });
      expect(wrong?.what).toMatch(
        /sent twice|lost|unresolved although|called accepted|claim|cancelled|text that no one|receipts/,
      );
      expect(wrong?.trace.length).toBeGreaterThan(0);
    });
  }

  for (const assumption of scenario.trusts ?? []) {
    test(`has a violation when this does not hold: ${ASSUMPTIONS[assumption]}`, () => {
      expect(exploreAll(scenario, { unless: assumption }).wrong?.what).toMatch(/sent twice/);
    });
  }
});

describe('a world that breaks an assumption', () => {
  test.each(BROKEN_TRUST)('defeats all rules: $name', (scenario) => {
    expect(exploreAll(scenario).wrong?.what).toMatch(/sent twice|called accepted/);
  });
});

describe('the list of rules', () => {
  test('contains only rules that a scenario needs', () => {
    const needed = new Set<Rule>(SCENARIOS.flatMap(({ needs }) => needs));
    expect(Object.keys(RULES).filter((rule) => !needed.has(rule as Rule))).toEqual([]);
  });

  test('contains only assumptions that a scenario depends on', () => {
    const trusted = new Set<Assumption>([
      ...SCENARIOS.flatMap(({ trusts }) => trusts ?? []),
      ...BROKEN_TRUST.map(({ breaks }) => breaks),
    ]);
    expect(Object.keys(ASSUMPTIONS).filter((one) => !trusted.has(one as Assumption))).toEqual([]);
  });
});
