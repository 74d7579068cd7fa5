import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEEKDAYS, type DailyWindow, type LocalHours } from '../../src/contract/index.js';
import {
  ALWAYS_OPEN,
  HORIZON_MS,
  bothOpen,
  outsideQuietHours,
  sendingHours,
  type OpenHours,
} from '../../src/domain/index.js';
import { isHoliday, isInWindow, wallClock } from './wall-clock.js';
import { runs, sampleOf } from '../support/runs.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONES = Intl.supportedValuesOf('timeZone');

const at = (iso: string) => Date.parse(iso);

/** The open times between two instants, as ISO times without seconds. */
function spans(open: OpenHours, from: string, until: string): string[] {
  const found: string[] = [];
  for (let next = open(at(from)); next !== undefined && next.openAtMs < at(until); next = open(next.closesAtMs)) {
    found.push([next.openAtMs, next.closesAtMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join('/'));
  }
  return found;
}

const utc = (windows: DailyWindow[], holidays: string[] = []): LocalHours => ({ timezone: 'UTC', windows, holidays });

describe('sending hours', () => {
  it('open several times a day, on their weekdays', () => {
    // 2026-11-23 is a Monday.
    const hours = utc([
      { days: ['mon', 'tue'], from: '09:00', until: '12:30' },
      { days: ['mon'], from: '14:00', until: '18:00' },
    ]);
    expect(spans(sendingHours(hours), '2026-11-23T10:00Z', '2026-11-30T12:00Z')).toEqual([
      '2026-11-23T10:00/2026-11-23T12:30',
      '2026-11-23T14:00/2026-11-23T18:00',
      '2026-11-24T09:00/2026-11-24T12:30',
      '2026-11-30T09:00/2026-11-30T12:30',
    ]);
  });

  it('join windows that touch or overlap', () => {
    const hours = utc([
      { from: '12:00', until: '15:00' },
      { from: '09:00', until: '12:00' },
      { from: '10:00', until: '11:00' },
    ]);
    expect(spans(sendingHours(hours), '2026-11-23T00:00Z', '2026-11-24T00:00Z')).toEqual([
      '2026-11-23T09:00/2026-11-23T15:00',
    ]);
  });

  it('cross midnight, and belong to the day on which they begin', () => {
    const hours = utc([{ days: ['fri'], from: '22:00', until: '02:00' }]);
    expect(spans(sendingHours(hours), '2026-11-23T00:00Z', '2026-11-30T00:00Z')).toEqual([
      '2026-11-27T22:00/2026-11-28T02:00',
    ]);
    expect(spans(sendingHours(hours), '2026-11-28T01:00Z', '2026-11-30T00:00Z')).toEqual([
      '2026-11-28T01:00/2026-11-28T02:00',
    ]);
  });

  it('close on a holiday from midnight to midnight: a window that crosses it is cut', () => {
    const hours = utc([{ from: '22:00', until: '02:00' }], ['2026-12-25']);
    expect(spans(sendingHours(hours), '2026-12-24T12:00Z', '2026-12-26T12:00Z')).toEqual([
      '2026-12-24T22:00/2026-12-25T00:00',
      '2026-12-26T00:00/2026-12-26T02:00',
    ]);
  });

  it('are open all day when a window ends at its beginning', () => {
    const hours = sendingHours(utc([{ from: '00:00', until: '00:00' }]));
    expect(hours(at('2026-11-23T10:00Z'))).toEqual({
      openAtMs: at('2026-11-23T10:00Z'),
      closesAtMs: at('2026-11-23T10:00Z') + HORIZON_MS,
    });
  });

  it('never open when every day is a holiday', () => {
    const holidays = Array.from({ length: 401 }, (_, day) =>
      new Date(at('2026-11-23') + day * DAY).toISOString().slice(0, 10),
    );
    expect(sendingHours(utc([{ from: '09:00', until: '10:00' }], holidays))(at('2026-11-23'))).toBeUndefined();
  });

  describe.each([
    {
      zone: 'Europe/Lisbon',
      skipped: '2026-03-29', // 01:00 → 02:00, at 01:00 UTC
      skippedOpen: ['2026-03-29T01:00/2026-03-29T03:00'],
      twice: '2026-10-25', // 02:00 → 01:00, at 01:00 UTC
      twiceOpen: ['2026-10-25T00:30/2026-10-25T01:00', '2026-10-25T01:30/2026-10-25T04:00'],
    },
    {
      zone: 'America/New_York',
      skipped: '2026-03-08', // 02:00 → 03:00, at 07:00 UTC
      skippedOpen: ['2026-03-08T06:30/2026-03-08T08:00'],
      twice: '2026-11-01', // 02:00 → 01:00, at 06:00 UTC
      twiceOpen: ['2026-11-01T05:30/2026-11-01T06:00', '2026-11-01T06:30/2026-11-01T09:00'],
    },
  ])('sending hours in $zone', ({ zone, skipped, skippedOpen, twice, twiceOpen }) => {
    const hours = sendingHours({ timezone: zone, windows: [{ from: '01:30', until: '04:00' }] });

    it('open only at times that the clock shows, in the night that skips an hour', () => {
      expect(spans(hours, `${skipped}T00:00Z`, `${skipped}T20:00Z`)).toEqual(skippedOpen);
    });

    it('open each time that the clock shows, in the night that repeats an hour', () => {
      expect(spans(hours, `${twice}T00:00Z`, `${twice}T20:00Z`)).toEqual(twiceOpen);
    });
  });

  it('omit a date that the clock skips', () => {
    // Samoa went from 29 to 31 December 2011.
    const hours = sendingHours({ timezone: 'Pacific/Apia', windows: [{ from: '09:00', until: '10:00' }] });
    expect(spans(hours, '2011-12-29T12:00Z', '2011-12-31T12:00Z')).toEqual([
      '2011-12-29T19:00/2011-12-29T20:00',
      '2011-12-30T19:00/2011-12-30T20:00',
    ]);
  });
});

describe('quiet hours', () => {
  it('block only their own windows, and no holiday', () => {
    const hours = outsideQuietHours(utc([{ from: '21:00', until: '08:00' }], ['2026-12-25']));
    expect(spans(hours, '2026-12-24T00:00Z', '2026-12-27T00:00Z')).toEqual([
      '2026-12-24T08:00/2026-12-24T21:00',
      '2026-12-26T08:00/2026-12-26T21:00',
    ]);
  });

  it('never open when they last all day', () => {
    expect(outsideQuietHours(utc([{ from: '00:00', until: '00:00' }]))(0)).toBeUndefined();
  });
});

describe('the hours of a campaign and its instance', () => {
  it('are open while both are open', () => {
    const campaign = sendingHours(utc([{ from: '09:00', until: '18:00' }]));
    const instance = outsideQuietHours({ timezone: 'Asia/Kolkata', windows: [{ from: '21:00', until: '08:00' }] });
    expect(spans(bothOpen(campaign, instance), '2026-11-23T00:00Z', '2026-11-24T00:00Z')).toEqual([
      '2026-11-23T09:00/2026-11-23T15:30',
    ]);
    expect(spans(bothOpen(campaign, ALWAYS_OPEN), '2026-11-23T00:00Z', '2026-11-24T00:00Z')).toEqual([
      '2026-11-23T09:00/2026-11-23T18:00',
    ]);
  });

  it('never open when the two never overlap', () => {
    const morning = sendingHours(utc([{ from: '06:00', until: '09:00' }]));
    const evening = sendingHours(utc([{ from: '18:00', until: '21:00' }]));
    expect(bothOpen(morning, evening)(at('2026-11-23'))).toBeUndefined();
  });
});

const timeOfDay = fc
  .oneof(fc.integer({ min: 0, max: 5 * 60 }), fc.integer({ min: 0, max: 24 * 60 - 1 }))
  .map((minute) => new Date(minute * MINUTE).toISOString().slice(11, 16));
const windowOf = fc.record(
  { days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), from: timeOfDay, until: timeOfDay },
  { requiredKeys: ['from', 'until'] },
);
const windowsOf = fc.array(windowOf, { minLength: 1, maxLength: 4 });
const dateIn = (year: number) =>
  fc.integer({ min: 0, max: 364 }).map((day) => new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10));

const isOpenByClock = (hours: LocalHours) => (ms: number) => isInWindow(hours, ms) && !isHoliday(hours, ms);
const isAwakeByClock = (hours: LocalHours) => (ms: number) => !isInWindow(hours, ms) && !isHoliday(hours, ms);

/** Every minute of the interval is open by the rules if and only if it is open by the local clock. */
function compare(open: OpenHours, isOpen: (ms: number) => boolean, fromMs: number, untilMs: number) {
  let span = open(fromMs);
  for (let ms = fromMs; ms < untilMs; ms += MINUTE) {
    if (span !== undefined && span.closesAtMs <= ms) {
      const closesAtMs = span.closesAtMs;
      span = open(closesAtMs);
      if (span !== undefined && span.openAtMs <= closesAtMs) throw new Error(`closes, and is open, at ${closesAtMs}`);
    }
    const byRules = span !== undefined && span.openAtMs <= ms;
    if (byRules !== isOpen(ms)) throw new Error(`${new Date(ms).toISOString()} is ${byRules ? 'open' : 'closed'}`);
  }
}

describe('sending hours compared with a local clock', () => {
  const worlds = fc.record({ zone: fc.constantFrom(...ZONES), windows: windowsOf, holidays: fc.array(dateIn(2026)) });

  it('are open in the same minutes, on any two days of the year', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: 364 * 24 }), ({ zone, windows, holidays }, hour) => {
        const hours = { timezone: zone, windows, holidays };
        const fromMs = Date.UTC(2026, 0, 1, hour);
        compare(sendingHours(hours), isOpenByClock(hours), fromMs, fromMs + 2 * DAY);
        compare(outsideQuietHours(hours), isAwakeByClock(hours), fromMs, fromMs + 2 * DAY);
      }),
      { numRuns: runs(60) },
    );
  });

  const changing = ZONES.flatMap((zone) => changesOf(zone, 2026).map((ms) => ({ zone, ms })));

  it('are open in the same minutes around every kind of clock change', () => {
    expect(changing.length).toBeGreaterThan(200);
    fc.assert(
      fc.property(fc.constantFrom(...changing), windowsOf, fc.array(dateIn(2026)), ({ zone, ms }, windows, some) => {
        const holidays = [...some, ...(some.length % 3 === 0 ? [wallClock(zone, ms).date] : [])];
        const hours = { timezone: zone, windows, holidays };
        compare(sendingHours(hours), isOpenByClock(hours), ms - DAY, ms + DAY);
        compare(outsideQuietHours(hours), isAwakeByClock(hours), ms - DAY, ms + DAY);
      }),
      { numRuns: runs(60) },
    );
  });

  it('open and close at the local times, in every zone for a whole year', () => {
    const zones = sampleOf(ZONES);
    const samples = fc.sample(fc.tuple(windowsOf, fc.array(dateIn(2026), { maxLength: 5 })), {
      numRuns: zones.length,
      seed: 1,
    });
    const endMs = Date.UTC(2027, 0, 1);
    for (const [index, timezone] of zones.entries()) {
      const [windows = [], holidays = []] = samples[index] ?? [];
      const hours = { timezone, windows, holidays };
      const open = sendingHours(hours);
      const isOpen = isOpenByClock(hours);
      let ms = Date.UTC(2026, 0, 1);
      while (ms < endMs) {
        const span = open(ms);
        const { openAtMs, closesAtMs } = span ?? { openAtMs: endMs, closesAtMs: endMs };
        const shown = [
          ...(openAtMs > ms ? [isOpen(ms), isOpen(openAtMs - MINUTE), isOpen((ms + openAtMs) / 2)] : []),
          ...(openAtMs < closesAtMs ? [isOpen(openAtMs), isOpen(closesAtMs - MINUTE)].map((value) => !value) : []),
        ];
        if (shown.includes(true)) throw new Error(`${timezone} from ${new Date(ms).toISOString()}: ${String(shown)}`);
        expect(closesAtMs).toBeGreaterThan(ms);
        ms = closesAtMs;
      }
    }
  }, 60_000);

  it('open when a campaign and its instance are both open', () => {
    fc.assert(
      fc.property(worlds, worlds, fc.integer({ min: 0, max: 364 * 24 }), (one, other, hour) => {
        const campaign = { timezone: one.zone, ...one };
        const quiet = { timezone: other.zone, ...other };
        const isOpen = (ms: number) => isOpenByClock(campaign)(ms) && isAwakeByClock(quiet)(ms);
        const fromMs = Date.UTC(2026, 0, 1, hour);
        compare(bothOpen(sendingHours(campaign), outsideQuietHours(quiet)), isOpen, fromMs, fromMs + DAY);
      }),
      { numRuns: runs(60) },
    );
  });
});

/** When the offset of a zone changes, to the minute. */
function changesOf(zone: string, year: number): number[] {
  const offset = (ms: number) => {
    const { date, time } = wallClock(zone, ms);
    return Date.parse(`${date}T${time}:00Z`) - ms;
  };
  const changes: number[] = [];
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += 5 * DAY) {
    let [early, late] = [ms, ms + 5 * DAY];
    if (offset(early) === offset(late)) continue;
    while (late - early > MINUTE) {
      const middle = early + Math.floor((late - early) / MINUTE / 2) * MINUTE;
      if (offset(middle) === offset(early)) early = middle;
      else late = middle;
    }
    changes.push(late);
  }
  return changes;
}
