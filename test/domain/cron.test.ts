import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../src/contract/index.js';
import {
  canonicalTimezone,
  cronForTemporal,
  cronProblem,
  hasTimeAfter,
  sameLocalTime,
} from '../../src/domain/index.js';

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

describe('the same local time after a clock is set back', () => {
  const at = (time: string): number => Date.parse(time);

  it('is one occurrence, in two zones', () => {
    const newYork = { cron: ['30 1 * * *'], timezone: 'America/New_York' };
    expect(sameLocalTime(newYork, at('2027-11-07T06:30:00Z'), [at('2027-11-07T05:30:00Z')])).toBe(
      at('2027-11-07T05:30:00Z'),
    );
    const lisbon = { cron: ['30 1 * * *'], timezone: 'Europe/Lisbon' };
    expect(sameLocalTime(lisbon, at('2027-10-31T01:30:00Z'), [at('2027-10-31T00:30:00Z')])).toBe(
      at('2027-10-31T00:30:00Z'),
    );
  });

  it('is two occurrences when the schedule covers every hour, or a range of hours', () => {
    for (const cron of ['30 * * * *', '30 0-5 * * *', '*/30 */1 * * *', '@hourly']) {
      const schedule = { cron: [cron], timezone: 'America/New_York' };
      expect(sameLocalTime(schedule, at('2027-11-07T06:30:00Z'), [at('2027-11-07T05:30:00Z')])).toBeUndefined();
    }
  });

  it('is a different one on another day, and in a zone without a change', () => {
    const daily = { cron: ['30 1 * * *'], timezone: 'America/New_York' };
    expect(sameLocalTime(daily, at('2027-11-08T06:30:00Z'), [at('2027-11-07T06:30:00Z')])).toBeUndefined();
    const twice = { cron: ['30 1,2 * * *'] };
    expect(sameLocalTime(twice, at('2027-11-07T02:30:00Z'), [at('2027-11-07T01:30:00Z')])).toBeUndefined();
  });
});
