import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../src/contract/index.js';
import { calendarRanges, cronProblem, sameLocalTime } from '../../src/domain/index.js';
import { specOf } from '../../src/starter/schedules/temporal-schedules.js';

describe('a cron expression', () => {
  it.each([
    '0 9 * * MON',
    '*/15 8-18 * * 1-5',
    '0 0 1,15 JAN-JUN/2 *',
    '30 4 * * sun',
    ' 0  9 * * 7 ',
    '5/10 * * * *',
    '59 23 31 12 6',
  ])('%s is valid', (cron) => {
    expect(cronProblem(cron)).toBeUndefined();
  });

  it.each([
    ['0 9 * *', /has 4 fields, not 5/],
    ['0 0 9 * * MON', /has 6 fields, not 5/],
    ['@daily', /has 1 fields/],
    ['60 9 * * *', /the minute "60", which is no list of numbers from 0 to 59/],
    ['0 24 * * *', /the hour "24"/],
    ['0 9 0 * *', /the dayOfMonth "0"/],
    ['0 9 * 13 *', /the month "13", which is no list of numbers from 1 to 12 or JAN to DEC/],
    ['0 9 * * MONDAY', /the dayOfWeek "MONDAY"/],
    ['0 9 * * 5-1', /the dayOfWeek "5-1"/],
    ['0 9 * * ,', /the dayOfWeek ","/],
    ['*/0 9 * * *', /the minute "\*\/0"/],
    ['*-5 9 * * *', /the minute "\*-5"/],
    ['-1 9 * * *', /the minute "-1"/],
    [`${'1,'.repeat(150)}1 9 * * *`, /more than 200 characters/],
  ])('%s is invalid', (cron, problem) => {
    expect(cronProblem(cron)).toMatch(problem);
  });
});

describe('a calendar', () => {
  it('is minute 0 of hour 0 of every day, except for the fields that it sets', () => {
    expect(calendarRanges({ hour: 9, dayOfWeek: 'MON-FRI' })).toEqual({
      minute: [{ start: 0, end: 0, step: 1 }],
      hour: [{ start: 9, end: 9, step: 1 }],
      dayOfMonth: [{ start: 1, end: 31, step: 1 }],
      month: [{ start: 1, end: 12, step: 1 }],
      dayOfWeek: [{ start: 1, end: 5, step: 1 }],
      year: [{ start: 2000, end: 2100, step: 1 }],
    });
  });

  it('names an invalid field', () => {
    expect(calendarRanges({ hour: '9', month: 'MAI' })).toMatchObject({ field: 'month' });
    expect(calendarRanges({ hour: -1 })).toMatchObject({ field: 'hour' });
    expect(calendarRanges({ year: 99 })).toMatchObject({ field: 'year' });
  });

  it('is passed to Temporal with its names for months and days, and with Sunday once', () => {
    const campaign = { instance: 'main', content: { kind: 'text', text: 'Hello' } } as const;
    const spec = specOf({
      campaign,
      recipients: { group: '1@g.us' },
      cron: ['0 9 * * MON'],
      calendars: [{ dayOfWeek: '0,6,7', month: '1-5/2', hour: '8-10' }],
      timezone: 'Europe/Lisbon',
      jitter: '10m',
      startAt: '2030-01-01T00:00:00.000Z',
    });
    expect(spec).toEqual({
      cronExpressions: ['0 9 * * MON'],
      timezone: 'Europe/Lisbon',
      startAt: new Date('2030-01-01T00:00:00.000Z'),
      calendars: [
        {
          minute: [{ start: 0, end: 0, step: 1 }],
          hour: [{ start: 8, end: 10, step: 1 }],
          dayOfMonth: [{ start: 1, end: 31, step: 1 }],
          month: ['JANUARY', 'MARCH', 'MAY'],
          dayOfWeek: ['SUNDAY', 'SATURDAY', 'SUNDAY'],
        },
      ],
    });
  });
});

describe('a timezone', () => {
  it.each(['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata'])('%s is known', (name) => {
    expect(isTimezone(name)).toBe(true);
  });
  it.each(['', 'Mars/Phobos', '+02:00', 'CET+1', 'Europe'])('%s is unknown', (name) => {
    expect(isTimezone(name)).toBe(false);
  });
});

describe('the same local time after a clock is set back', () => {
  const at = (time: string): number => Date.parse(time);

  it('is one occurrence, in two zones', () => {
    const newYork = { cron: ['30 1 * * *'], timezone: 'America/New_York' };
    expect(sameLocalTime(newYork, at('2027-11-07T06:30:00Z'), [at('2027-11-07T05:30:00Z')])).toBe(
      at('2027-11-07T05:30:00Z'),
    );
    const lisbon = { calendars: [{ hour: '1', minute: '30' }], timezone: 'Europe/Lisbon' };
    expect(sameLocalTime(lisbon, at('2027-10-31T01:30:00Z'), [at('2027-10-31T00:30:00Z')])).toBe(
      at('2027-10-31T00:30:00Z'),
    );
  });

  it('is two occurrences when the schedule covers every hour, or a range of hours', () => {
    for (const cron of ['30 * * * *', '30 0-5 * * *', '*/30 */1 * * *']) {
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
