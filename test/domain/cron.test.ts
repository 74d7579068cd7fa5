import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../src/contract/index.js';
import { canonicalTimezone, cronForTemporal, cronProblem, hasTimeAfter, clockChange } from '../../src/domain/index.js';

describe('a cron expression', () => {
  it.each([
    '0 9 * * MON',
    '*/15 8-18 * * 1-5',
    '0 0 1,15 JAN-JUN/2 *',
    '30 4 * * sun',
    ' 0  9 * * 7 ',
    '59 23 31 12 6',
    '@daily',
    '@Hourly',
  ])('%s is valid', (cron) => {
    expect(cronProblem(cron)).toBeUndefined();
  });

  it.each([
    ['0 9 * *', /has 4 fields, not 5/],
    ['0 0 9 * * MON', /has 6 fields, not 5/],
    ['@reboot', /has 1 fields/],
    ['@every 1h', /has 2 fields/],
    ['CRON_TZ=Europe/Lisbon 0 9 * * *', /has 6 fields/],
    ['0 9 * * FRI#2', /has "FRI#2", which is no list of numbers, ranges and names in cron/],
    ['0 9 L * *', /has "L"/],
    ['0 9 15W * *', /has "15W"/],
    ['0 9 ? * 1', /has "\?"/],
    ['0 9 * * MONDAY', /has "MONDAY"/],
    ['0 9 * * ,', /has ","/],
    ['*-5 9 * * *', /has "\*-5"/],
    ['-1 9 * * *', /has "-1"/],
    ['60 9 * * *', /is not valid: .*minute/],
    ['0 24 * * *', /is not valid: .*hour/],
    ['0 9 0 * *', /is not valid: .*day/],
    ['0 9 * 13 *', /is not valid: .*month/],
    ['0 9 * * 5-1', /is not valid: .*5-1/],
    ['*/0 9 * * *', /is not valid/],
    ['5/10 9 * * *', /is not valid: .*5\/10/],
    [`${'1,'.repeat(150)}1 9 * * *`, /more than 200 characters/],
  ])('%s is invalid', (cron, problem) => {
    expect(cronProblem(cron)).toMatch(problem);
  });
});

describe('what Temporal gets', () => {
  it('is two expressions when both fields for days are restricted, since it would require both', () => {
    expect(cronForTemporal('0 9 13 * FRI')).toEqual(['0 9 13 * *', '0 9 * * FRI']);
    for (const cron of ['0 9 * * FRI', '0 9 13 * *', '@daily']) expect(cronForTemporal(cron)).toEqual([cron]);
  });
});

describe('the next time', () => {
  const now = Date.parse('2027-01-01T00:00:00Z');
  it.each([
    [{ cron: ['0 9 30 2 *'] }, false],
    [{ cron: ['0 9 31 4,6 *'] }, false],
    [{ cron: ['0 9 29 2 *'] }, true],
    [{ cron: ['0 9 30 2 MON'] }, true],
    [{ cron: ['0 9 30 2 *', '@hourly'] }, true],
    [{ cron: ['0 9 1 6 *'], endAt: '2027-05-01T00:00:00Z' }, false],
    [{ cron: ['0 9 1 6 *'], startAt: '2027-06-02T00:00:00Z', endAt: '2028-05-01T00:00:00Z' }, false],
    [{ cron: ['0 9 1 6 *'], startAt: '2027-06-01T09:00:00Z', endAt: '2027-06-01T09:00:00Z' }, true],
  ])('of %j exists: %s', (times, exists) => {
    expect(hasTimeAfter(times, now)).toBe(exists);
  });
});

describe('a timezone', () => {
  it.each(['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata'])('%s is known', (name) => {
    expect(isTimezone(name)).toBe(true);
  });
  it.each(['', 'Mars/Phobos', '+02:00', 'CET+1', 'Europe'])('%s is unknown', (name) => {
    expect(isTimezone(name)).toBe(false);
    expect(canonicalTimezone(name)).toBeUndefined();
  });
  it.each(['Europe/Lisbon', 'Asia/Kolkata', 'America/Port-au-Prince', 'UTC'])('%s is found in any case', (name) => {
    expect(canonicalTimezone(name.toLowerCase())).toBe(name);
  });
});

/** Proves SCHEDULE-6, with the times at which Temporal 1.32 starts these schedules. */
describe('on the day of a clock change', () => {
  const at = (time: string): number => Date.parse(time);
  const change = (cron: string, timezone: string, time: string, ...others: readonly string[]) =>
    clockChange({ cron: [cron], timezone }, at(time), others.map(at));

  it.each([
    [
      '30 0 * * *',
      'Europe/Lisbon',
      '2026-10-25T00:30:00Z',
      /^its local time is 2026-10-25T01:30:00.000, which is no time/,
    ],
    ['30 1 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', /2026-10-25T02:30/],
    ['0 2 * * *', 'Australia/Lord_Howe', '2026-10-03T15:30:00Z', /2026-10-04T02:30/],
  ] as const)('%s in %s does not run an hour late', (cron, timezone, time, text) => {
    expect(change(cron, timezone, time)).toMatch(text);
  });

  it.each([
    ['30 1 * * *', 'America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T05:30:00Z'],
    ['@daily', 'America/Havana', '2026-11-01T05:00:00Z', '2026-11-01T04:00:00Z'],
  ] as const)('%s in %s runs once, in either order', (cron, timezone, second, first) => {
    expect(change(cron, timezone, first)).toBeUndefined();
    expect(change(cron, timezone, second)).toBeUndefined();
    expect(change(cron, timezone, second, first)).toBe(`the same local time ran at ${new Date(first).toISOString()}`);
    expect(change(cron, timezone, first, second)).toBe(`the same local time ran at ${new Date(second).toISOString()}`);
  });

  it.each(['30 * * * *', '30 0-5 * * *', '*/30 */1 * * *', '@hourly'])('%s runs in both hours', (cron) => {
    const minute = cron === '@hourly' ? '00' : '30';
    const [first, second] = ['05', '06'].map((hour) => `2026-11-01T${hour}:${minute}:00Z`);
    expect(change(cron, 'America/New_York', second ?? '', first ?? '')).toBeUndefined();
  });

  it('a time of another day is another occurrence, and one with seconds was triggered', () => {
    expect(change('30 1 * * *', 'America/New_York', '2026-11-02T06:30:00Z', '2026-11-01T06:30:00Z')).toBeUndefined();
    expect(change('30 1 * * *', 'America/New_York', '2026-11-02T12:34:56Z')).toBeUndefined();
  });

  it('no other day is one: what an operator triggers in Temporal in the first second of a minute runs', () => {
    expect(change('30 1 * * *', 'America/New_York', '2026-11-20T12:34:00Z')).toBeUndefined();
    expect(change('0 0 1 1 *', 'UTC', '2026-11-29T18:09:00Z')).toBeUndefined();
  });
});
