import { describe, expect, it } from 'vitest';
import { countryTimezone, daysBetween, localDayAt, offsetAt } from '../../src/domain/index.js';
import { wallClock } from './wall-clock.js';
import { sampleOf } from '../support/runs.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);

describe('the local time of a zone', () => {
  it("has the runtime's offset in every zone, every six hours of a year, in any order", () => {
    for (const zone of sampleOf(Intl.supportedValuesOf('timeZone'))) {
      const steps = Array.from({ length: 366 * 4 }, (_, step) => NOW + ((step * 601) % (366 * 4)) * 6 * HOUR);
      const wrong = steps.filter((ms) => {
        const { date, time } = wallClock(zone, ms);
        return Date.parse(`${date}T${time}:00Z`) !== ms + offsetAt(zone, ms).offsetMs;
      });
      expect(wrong, zone).toEqual([]);
    }
  }, 60_000);

  it.each([
    ['Europe/Lisbon', '2026-03-29T12:00Z', '2026-03-29', 23],
    ['Europe/Lisbon', '2026-10-25T12:00Z', '2026-10-25', 25],
    ['America/New_York', '2026-11-02T03:00Z', '2026-11-01', 25],
    // The clock skips midnight: the day begins at 01:00.
    ['Africa/Cairo', '2026-04-24T12:00Z', '2026-04-24', 23],
    ['Asia/Kolkata', '2026-11-23T18:29Z', '2026-11-23', 24],
  ])('%s at %s: %s has %i hours', (zone, at, date, hours) => {
    const day = localDayAt(zone, Date.parse(at));
    expect(day.date).toBe(date);
    expect((day.endMs - day.startMs) / HOUR).toBe(hours);
    expect(wallClock(zone, day.startMs).date).toBe(date);
    expect(wallClock(zone, day.startMs - 1).date).not.toBe(date);
    expect(localDayAt(zone, day.endMs).startMs).toBe(day.endMs);
  });

  it('counts days across a change of the clock and a leap day', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysBetween('2026-11-23', '2026-11-22')).toBe(-1);
  });
});

describe('the timezone of a country', () => {
  it.each(['FR', 'IN', 'JP', 'NG', 'GB'])('is known for %s, which has one', (country) => {
    expect(countryTimezone(country, NOW)).toBeDefined();
  });

  it('is known when several names stand for one time', () => {
    expect(countryTimezone('DE', NOW)).toBe('Europe/Berlin');
  });

  it.each(['US', 'PT', 'BR', 'AU', 'RU'])('is undefined for %s, which has several', (country) => {
    expect(countryTimezone(country, NOW)).toBeUndefined();
  });

  it('is undefined for a code that is no country', () => {
    expect(countryTimezone('ZZ', NOW)).toBeUndefined();
  });
});
