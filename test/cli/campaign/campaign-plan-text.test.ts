import { describe, expect, it } from 'vitest';
import { planChart, forecastText, type Forecast } from '../../../src/cli/commands/campaign/forecast.js';

const hour = (at: string) => `2026-11-23T${at}:00.000Z`;

const FORECAST: Forecast = {
  recipients: 25,
  depth: 0,
  depthFrom: 'read',
  depthReadAt: hour('08:00'),
  releaseIntervalMs: 15_000,
  intervalFrom: 'settings',
  startsAt: hour('08:00'),
  finishesAt: hour('14:03'),
  accounts: [{ instance: 'main', recipients: 20, releaseIntervalMs: 15_000, intervalFrom: 'settings' }],
  durationSeconds: 6 * 3_600 + 3 * 60,
  notPosted: 5,
  timezone: 'Asia/Kolkata',
  by: 'hour',
  rows: [
    { from: hour('08:30'), until: hour('09:30'), posted: 12, left: 11 },
    { from: hour('13:30'), until: hour('14:30'), posted: 8, left: 9 },
  ],
  waits: [
    { from: hour('09:00'), until: hour('13:30'), reason: 'SENDING_WINDOW_CLOSED' },
    { from: hour('13:45'), until: hour('14:00'), reason: 'OFFLINE' },
  ],
};

describe('a forecast as text', () => {
  it("has a row for each hour by the plan's clock, with the reason for the wait until the next one", () => {
    expect(forecastText(FORECAST, undefined)).toEqual([
      'Queue: 0 items (read, 2026-11-23T08:00:00.000Z); one message leaves every 15 s (settings)',
      'Takes about 6 h 3 min for 20 recipients',
      'From 2026-11-23 13:30 until 2026-11-23 19:33 (Asia/Kolkata)',
      '',
      'FROM              POSTED  LEFT QUEUE  TOTAL  WAITS',
      '2026-11-23 14:00      12          11     12  closed 4 h 30 min',
      '2026-11-23 19:00       8           9     20  offline 15 min',
    ]);
  });

  it('has only dates when rows are days, and no table when nothing is posted', () => {
    const days = { ...FORECAST, by: 'day' as const };
    expect(forecastText(days, undefined).at(-1)).toMatch(/^2026-11-23 {2}/);
    const { finishesAt: _, ...rest } = FORECAST;
    const nothing = { ...rest, rows: [], waits: [], durationSeconds: 0, notPosted: 25 };
    expect(forecastText(nothing, undefined).slice(1)).toEqual([
      'Takes about 0 s for 0 recipients',
      'From 2026-11-23 13:30',
    ]);
  });
});

describe('a forecast as a chart', () => {
  const chart = planChart('a <b> & "c"', FORECAST);

  it('has a named bar for each row, and a named shade for each wait', () => {
    expect(chart.match(/<title>/g)).toHaveLength(FORECAST.rows.length);
    expect(chart).toContain('<title>2026-11-23 14:00: 12</title>');
    for (const word of ['sending window closed', 'offline', 'messages per hour', 'Asia/Kolkata']) {
      expect(chart).toContain(word);
    }
    expect(chart).not.toContain('quiet hours');
  });

  it('is well-formed, whatever its title', () => {
    expect(chart).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
    const open: string[] = [];
    for (const [, end, name = '', , alone] of chart.matchAll(/<(\/?)(\w+)([^<>]*?)(\/?)>/g)) {
      if (end === '/') expect(open.pop()).toBe(name);
      else if (alone !== '/') open.push(name);
    }
    expect(open).toEqual([]);
    expect(chart).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('of a short campaign has its minutes, and ends where the campaign ends', () => {
    const minute = (at: string) => `2026-11-23T08:${at}.000Z`;
    const rows = [
      { from: minute('29:00'), until: minute('30:00'), posted: 12, left: 1 },
      { from: minute('30:00'), until: minute('31:00'), posted: 3, left: 4 },
    ];
    const times = { startsAt: minute('29:40'), finishesAt: minute('33:10'), by: 'minute', rows, waits: [] } as const;
    const short = planChart('short', { ...FORECAST, ...times });
    expect(short).toContain(
      'messages per minute, and total in percent; 2026-11-23 13:59 to 2026-11-23 14:03, Asia/Kolkata',
    );
    expect([...short.matchAll(/>(\d\d:\d\d)<\/text>/g)].map(([, at]) => at)).toEqual([
      '14:00',
      '14:01',
      '14:02',
      '14:03',
    ]);
    expect(short.match(/<title>/g)).toHaveLength(2);
    // The axis is 832 pixels wide and has 210 seconds: the first bar has the 20 seconds after the start.
    expect(short).toContain('width="71.3"');
  });

  it('can be drawn for an empty forecast', () => {
    expect(planChart('nothing', { ...FORECAST, rows: [], waits: [] })).not.toMatch(/NaN|Infinity/);
  });
});
