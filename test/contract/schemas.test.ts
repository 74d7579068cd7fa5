import { expect, it, describe } from 'vitest';
import type { CampaignLimits, InstanceLimits, LocalHours } from '../../src/contract/index.js';
import {
  campaignDefinitionSchema,
  campaignLimitsSchema,
  instanceLimitsSchema,
  localHoursSchema,
  sendingWindowsSchema,
} from '../../src/contract/schemas.js';

const CAMPAIGN = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
const problemsOf = (autoPause: unknown) =>
  campaignDefinitionSchema.safeParse({ ...CAMPAIGN, autoPause }).error?.issues.map(({ path }) => path.join('.'));

it.each([
  'off',
  {},
  { failureRate: 1 },
  { failureRate: 0.05, sampleSize: 200, minSamples: 100 },
  { minSamples: 50 },
  { sampleSize: 20 },
])('a campaign’s autoPause may be %j', (autoPause) => {
  expect(problemsOf(autoPause)).toBeUndefined();
});

it.each([
  ['on', ['autoPause']],
  [{ failureRate: 0 }, ['autoPause.failureRate']],
  [{ failureRate: 30 }, ['autoPause.failureRate']],
  [{ shares: 0.3 }, ['autoPause']],
  [{ minSamples: 51 }, ['autoPause.minSamples']],
  [{ sampleSize: 19 }, ['autoPause.minSamples']],
])('a campaign’s autoPause may not be %j', (autoPause, problems) => {
  expect(problemsOf(autoPause)).toEqual(problems);
});

const windows = [{ days: ['mon' as const], from: '09:00', until: '12:30' }];
const hours: LocalHours = { timezone: 'Europe/Lisbon', windows, holidays: ['2026-12-25'] };

describe('sending windows', () => {
  it('accept a timezone, or the one of each recipient', () => {
    expect(sendingWindowsSchema.parse(hours)).toEqual(hours);
    expect(sendingWindowsSchema.parse({ timezone: 'recipient', windows })).toEqual({ timezone: 'recipient', windows });
    expect(localHoursSchema.safeParse({ timezone: 'recipient', windows }).success).toBe(false);
  });

  it.each([
    ['an unknown timezone', { timezone: 'Europe/Lissabon' }, 'timezone'],
    ['an offset', { timezone: '+02:00' }, 'timezone'],
    ['no window', { windows: [] }, 'windows'],
    ['an hour that does not exist', { windows: [{ from: '24:00', until: '02:00' }] }, 'windows.0.from'],
    ['a time without its leading zero', { windows: [{ from: '9:00', until: '12:00' }] }, 'windows.0.from'],
    ['an unknown day', { windows: [{ days: ['monday'], from: '09:00', until: '12:00' }] }, 'windows.0.days.0'],
    ['no day', { windows: [{ days: [], from: '09:00', until: '12:00' }] }, 'windows.0.days'],
    ['a date that does not exist', { holidays: ['2026-02-29'] }, 'holidays.0'],
  ])('refuse %s', (_, change, path) => {
    for (const schema of [sendingWindowsSchema, localHoursSchema]) {
      expect(schema.safeParse({ ...hours, ...change }).error?.issues.map((issue) => issue.path.join('.'))).toEqual([
        path,
      ]);
    }
  });
});

describe('limits', () => {
  it('accept a ramp, caps and a pause', () => {
    const instance: InstanceLimits = {
      timezone: 'Asia/Kolkata',
      perDay: 1_000,
      warmUp: { firstDay: '2026-11-23', perDay: 50, growthPercent: 20 },
      frequencyCap: { messages: 2, days: 7 },
    };
    const campaign: CampaignLimits = { perDay: 500, jitter: { minMs: 0, maxMs: 5_000, seed: 'a' } };
    expect(instanceLimitsSchema.parse(instance)).toEqual(instance);
    expect(campaignLimitsSchema.parse(campaign)).toEqual(campaign);
  });

  it('refuse a pause whose bounds are reversed', () => {
    const refused = campaignLimitsSchema.safeParse({ jitter: { minMs: 2, maxMs: 1 } });
    expect(refused.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['jitter.maxMs', 'must be at least minMs'],
    ]);
  });
});
