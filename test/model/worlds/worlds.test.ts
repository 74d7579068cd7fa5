import { describe, expect, test } from 'vitest';
import { PROFILES, type Rates } from './generate.js';
import { PRECEDE, PRESUME, verdictsOf, type Variant } from './verdicts.js';
import { play } from './play.js';
import { BROKEN, STORIES } from './stories.js';
import { tally } from './tally.js';
import { truthOf, type World } from './world.js';
import { ABSENCE_WITHOUT, PRESUMPTION_WITHOUT } from './without.js';
import { runs } from '../../support/runs.js';

/** Proves ABSENT-1 to ABSENT-7 and PRECEDE-1 to PRECEDE-4. `npm run worlds` plays a million. */
describe('the conclusions in random worlds', () => {
  test.each([
    ['storm', runs(4_000)],
    ['restarts', runs(1_500)],
    ['takeovers', runs(1_500)],
  ] as const)('with %s contain no false proof of absence', (profile, worlds) => {
    const [precede] = tally(PROFILES[profile], [PRECEDE], { worlds }).rows;
    expect(precede).toMatchObject({ doubled: 0, harmless: 0 });
    expect(precede?.concluded).toBeGreaterThan(worlds / 50);
  });

  /** Proves PRESUME-1 to PRESUME-9. */
  test('with notifications as documented contain no presumption that doubles a message', () => {
    const [presume] = tally(PROFILES.notified, [PRESUME], { worlds: 500 }).rows;
    expect(presume).toMatchObject({ doubled: 0 });
    expect(presume?.concluded).toBeGreaterThan(100);
  });

  /** Proves ADOPT-4. */
  test('contain fewer adoptions of foreign ids when readings are remembered', () => {
    const [with_, without] = [true, false].map((remembersReadings) =>
      tally(PROFILES.storm, [], { worlds: 300, remembersReadings }),
    );
    expect(with_!.adoptedWrongly).toBeLessThan(without!.adoptedWrongly);
  });
});

type Profile = keyof typeof PROFILES;
const UNORDERED = { ...PROFILES.notified, ordered: 0, noticeLate: 0.05, noticeRetry: 0.1 };
const IN_BURSTS = { ...PROFILES.notified, noticeLossBurst: 0.5 };
const FILES_QUIET = { ...PROFILES.notified, filesNotNotified: 0.5 };
/** The kind and number of worlds that show why a condition is necessary. The others have a story. */
const FOUND: Readonly<Record<string, readonly [Profile | Rates, number]>> = {
  'ABSENT-1': ['storm', 100],
  'ABSENT-2': ['storm', 20],
  'ABSENT-4': ['takeovers', 40],
  'ABSENT-4 whatever its body': ['takeovers', 20],
  'ABSENT-4 a kind that we cannot read': ['takeovers', 40],
  'ABSENT-4 another form of chat': ['takeovers', 150],
  'ABSENT-7': ['takeovers', 20],
  'PRECEDE-1 before the claim': ['storm', 20],
  'PRECEDE-2 up to the first possible item': ['storm', 20],
  'PRECEDE-3': ['storm', 20],
  'PRECEDE-4 and ABSENT-5': ['restarts', 260],
  'PRESUME-1': ['notified', 40],
  'PRESUME-1 claimed after the attempt was settled': ['notified', 100],
  'PRESUME-2': [IN_BURSTS, 50],
  'PRESUME-4': ['notified', 60],
  'PRESUME-7': [IN_BURSTS, 50],
  'PRESUME-8': [UNORDERED, 200],
  'PRESUME-9': [FILES_QUIET, 60],
};

describe('without a condition', () => {
  const both: readonly (readonly [Variant, Variant])[] = [
    ...ABSENCE_WITHOUT.map((variant) => [variant, PRECEDE] as const),
    ...PRESUMPTION_WITHOUT.map((variant) => [variant, PRESUME] as const),
  ];

  test.each(both.filter(([{ name }]) => FOUND[name] !== undefined).map(([variant, rule]) => ({ variant, rule })))(
    'random worlds contain a false conclusion: $variant.name',
    ({ variant, rule }) => {
      const [profile, worlds] = FOUND[variant.name]!;
      const rates = typeof profile === 'string' ? PROFILES[profile] : profile;
      const [whole, less] = tally(rates, [rule, variant], { worlds }).rows;
      expect(less!.doubled).toBeGreaterThan(whole!.doubled);
    },
  );

  test('every condition has worlds or a story', () => {
    const told = new Set(STORIES.flatMap(({ without }) => without.map(({ name }) => name)));
    const missing = both.filter(([{ name }]) => FOUND[name] === undefined && !told.has(name));
    expect(missing.map(([{ name }]) => name)).toEqual([]);
  });
});

function inDoubt(world: World, variants: readonly Variant[]) {
  const [verdict] = verdictsOf(play(world), variants);
  expect(verdict?.adopted).toBeNull();
  return verdict!;
}

describe('a minimal world', () => {
  test.each(STORIES)('shows why a condition is necessary: $title', ({ rule, without, world }) => {
    const { attempt, concludedAt } = inDoubt(world(), [rule, ...without]);
    const [whole, ...less] = concludedAt;
    expect(truthOf(attempt)).toBe('doubled');
    expect(whole).toBe(0);
    for (const at of less) expect(at).toBeGreaterThan(0);
  });

  test.each(BROKEN)('breaks an assumption, and no rule helps: $title', ({ world }) => {
    const { attempt, concludedAt } = inDoubt(world(), [PRECEDE]);
    expect(truthOf(attempt)).toBe('doubled');
    expect(concludedAt[0]).toBeGreaterThan(0);
  });
});
