import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTimeAt, timeBuckets } from '../../src/domain/index.js';
import { runs } from '../support/runs.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kathmandu'];
const fromMs = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });
/** As many short spans as long ones. */
const spanMs = fc.double({ min: 0, max: 26, noNaN: true }).map((power) => Math.floor(MINUTE * 2 ** power) - MINUTE);

describe('the buckets of a span', () => {
  it('are 20 to 80, follow each other and cover the span, in every timezone (BUCKET-1, BUCKET-2)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fromMs, spanMs, (zone, from, span) => {
        const { startsMs, endMs, widthMs } = timeBuckets(zone, from, from + span);
        expect(startsMs.length).toBeGreaterThanOrEqual(20);
        expect(startsMs.length).toBeLessThanOrEqual(80);
        expect(startsMs[0]).toBeLessThanOrEqual(from);
        expect(startsMs[1]).toBeGreaterThan(from);
        expect(endMs).toBeGreaterThan(from + span);
        const lengths = startsMs.map((start, at) => (startsMs[at + 1] ?? endMs) - start);
        expect(Math.min(...lengths)).toBeGreaterThan(0);
        // A day has up to 25 hours.
        expect(Math.max(...lengths)).toBeLessThanOrEqual(widthMs + HOUR);
      }),
      { numRuns: runs(200) },
    );
  });

  it('of whole days begin at each local midnight, also when the clocks change', () => {
    const { startsMs, widthMs } = timeBuckets('Europe/Berlin', Date.UTC(2026, 2, 10), Date.UTC(2026, 3, 20));
    expect(widthMs).toBe(DAY);
    const starts = startsMs.map((ms) => localTimeAt('Europe/Berlin', ms).dateTime.slice(0, 16));
    expect(starts.slice(18, 22)).toEqual([
      '2026-03-28T00:00',
      '2026-03-29T00:00',
      '2026-03-30T00:00',
      '2026-03-31T00:00',
    ]);
    expect((startsMs[20] ?? 0) - (startsMs[19] ?? 0)).toBe(23 * HOUR);
    const autumn = timeBuckets('Europe/Berlin', Date.UTC(2026, 9, 10), Date.UTC(2026, 10, 20)).startsMs;
    expect(autumn.map((ms) => localTimeAt('Europe/Berlin', ms).dateTime.slice(11))).toEqual(
      autumn.map(() => '00:00:00.000'),
    );
  });

  it('of hours count from each midnight: the day of a change has another number, the next one the usual (BUCKET-3)', () => {
    const { startsMs, widthMs } = timeBuckets('Europe/Berlin', Date.UTC(2026, 9, 23), Date.UTC(2026, 9, 29));
    expect(widthMs).toBe(3 * HOUR);
    const of = (day: string) =>
      startsMs
        .map((ms) => localTimeAt('Europe/Berlin', ms).dateTime)
        .filter((at) => at.startsWith(day))
        .map((at) => at.slice(11, 16));
    expect(of('2026-10-25')).toEqual(['00:00', '02:00', '05:00', '08:00', '11:00', '14:00', '17:00', '20:00', '23:00']);
    expect(of('2026-10-26')).toEqual(['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00']);
  });

  it.each([
    [0, MINUTE],
    [80 * MINUTE, 2 * MINUTE],
    [10 * HOUR, 15 * MINUTE],
    [60 * DAY, DAY],
    [300 * DAY, 7 * DAY],
    [20 * 365 * DAY, 112 * DAY],
  ])('a span of %i ms has buckets of %i ms', (span, width) => {
    expect(timeBuckets('UTC', Date.UTC(2026, 0), Date.UTC(2026, 0) + span).widthMs).toBe(width);
  });

  it('are not shorter than asked', () => {
    expect(timeBuckets('UTC', Date.UTC(2026, 0), Date.UTC(2026, 0) + HOUR, 15 * MINUTE)).toMatchObject({
      widthMs: 15 * MINUTE,
      startsMs: { length: 20 },
    });
  });
});
