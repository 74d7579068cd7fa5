/** The times in a plan: rows, waits and the end, by the campaign's definition and its instance's settings. */
import { describe, expect, it } from 'vitest';
import type { CampaignPlan } from '../../../src/api/index.js';
import { aDirectory, anInstance, useApi } from '../api-parts.js';

/** A Monday; 05:30 in India. */
const NOW = '2026-11-23T00:00:00.000Z';

const quietHours = { timezone: 'Asia/Kolkata', windows: [{ from: '21:00', until: '08:00' }] };
const warmUp = { firstDay: '2026-11-23', perDay: 4, growthPercent: 50 };
const instances = aDirectory(
  anInstance(),
  anInstance({ name: 'quiet', idInstance: '2', quietHours, limits: { timezone: 'Asia/Kolkata', warmUp } }),
);
const parts = useApi({ instances, clock: { nowMs: () => Date.parse(NOW) } });

const TEXT = { kind: 'text', text: 'Hello' };
let made = 0;

async function planOf(
  definition: object,
  recipients: readonly string[],
  query = '',
): Promise<CampaignPlan['forecast']> {
  const path = `/v1/campaigns/p-${++made}`;
  const defined = await parts.call('PUT', path, { instance: 'main', content: TEXT, ...definition });
  expect(defined).toMatchObject({ status: 201 });
  const csv = `phone\n${recipients.join('\n')}\n`;
  const imported = await parts.call('PUT', `${path}/recipients`, csv, { 'content-type': 'text/csv' });
  expect(imported).toMatchObject({ body: { verdicts: { accepted: recipients.length } } });
  const { status, body } = await parts.call('GET', `${path}/plan?${query}`);
  expect(status).toBe(200);
  return (body as CampaignPlan).forecast;
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `1555000${String(1_000 + at)}`);
const counts = ({ rows }: CampaignPlan['forecast']) =>
  rows.map(({ from, posted, left }) => [from.slice(0, 16), posted, left]);

describe('a plan with too many rows', () => {
  it('is refused, naming longer periods', async () => {
    const limits = { jitter: { minMs: 60_000, maxMs: 60_000 } };
    const path = `/v1/campaigns/p-${++made}`;
    await parts.call('PUT', path, { instance: 'main', content: TEXT, limits, deadline: '2027-02-01T00:00:00Z' });
    const many = Array.from({ length: 10_400 }, (_, at) => `1555${String(1_000_000 + at)}`);
    const csv = `phone\n${many.join('\n')}\n`;
    await parts.call('PUT', `${path}/recipients`, csv, { 'content-type': 'text/csv' });
    const { status, body } = await parts.call('GET', `${path}/plan?by=minute`);
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID', errors: [{ path: 'by' }] } });
    expect(body.errors[0].message).toContain('Use hour or day');
    expect(await parts.call('GET', `${path}/plan?by=hour`)).toMatchObject({ status: 200 });
  });
});

describe('the rows of a plan', () => {
  it('are hours of the campaign’s timezone, between the hours in which it waits', async () => {
    const sendingWindows = { timezone: 'Asia/Kolkata', windows: [{ from: '09:00', until: '09:01' }] };
    const forecast = await planOf({ sendingWindows, highWater: 1 }, numbers(7));
    expect(forecast).toMatchObject({ recipients: 7, notPosted: 0, timezone: 'Asia/Kolkata', by: 'hour' });
    expect(counts(forecast)).toEqual([
      ['2026-11-23T03:30', 5, 5],
      ['2026-11-24T03:30', 2, 2],
    ]);
    expect(forecast.waits).toEqual([
      { from: NOW, until: '2026-11-23T03:30:00.000Z', reason: 'SENDING_WINDOW_CLOSED' },
      { from: '2026-11-23T03:31:00.000Z', until: '2026-11-24T03:30:00.000Z', reason: 'SENDING_WINDOW_CLOSED' },
    ]);
    expect(forecast).toMatchObject({ startsAt: NOW, finishesAt: '2026-11-24T03:30:15.000Z' });
    expect(forecast.durationSeconds).toBe(27.5 * 3_600 + 15);
  });

  it("are days when the sending takes long: with a ramp and the instance's quiet hours", async () => {
    const forecast = await planOf({ instance: 'quiet' }, numbers(30));
    expect(forecast).toMatchObject({ timezone: 'Asia/Kolkata', by: 'day' });
    expect(counts(forecast)).toEqual([
      ['2026-11-22T18:30', 4, 4],
      ['2026-11-23T18:30', 6, 6],
      ['2026-11-24T18:30', 9, 9],
      ['2026-11-25T18:30', 11, 11],
    ]);
    expect(forecast.waits.map(({ reason }) => reason)).toEqual([
      'QUIET_HOURS',
      ...Array.from({ length: 3 }, () => ['DAILY_LIMIT_REACHED', 'QUIET_HOURS']).flat(),
    ]);
  });

  it('ignore quiet hours when the messages are transactional', async () => {
    const forecast = await planOf({ instance: 'quiet', category: 'transactional' }, numbers(2));
    expect(forecast.waits).toEqual([]);
  });

  it("follow the recipients' local times", async () => {
    const sendingWindows = { timezone: 'recipient', windows: [{ from: '09:00', until: '10:00' }] };
    const forecast = await planOf({ sendingWindows }, ['919812345678', '4915112345678', '2348012345678']);
    expect(forecast).toMatchObject({ recipients: 3, timezone: 'UTC' });
    expect(counts(forecast)).toEqual([
      ['2026-11-23T03:00', 1, 1],
      ['2026-11-23T08:00', 2, 2],
    ]);
  });

  it('include the pauses that the seed and the lines give', async () => {
    const limits = { jitter: { minMs: 60_000, maxMs: 600_000, seed: 'spring' } };
    const [one, same, other] = await Promise.all(
      [limits, limits, { jitter: { ...limits.jitter, seed: 'summer' } }].map((given) =>
        planOf({ limits: given }, numbers(20)),
      ),
    );
    expect(one).toEqual(same);
    expect(one?.finishesAt).not.toBe(other?.finishesAt);
    expect(one?.durationSeconds).toBeGreaterThan(19 * 60);
  });

  it('skip the hours in which the phone is offline', async () => {
    const forecast = await planOf({}, numbers(10), 'offline=00:01-06:00,12:00-13:00&by=hour&timezone=Europe/Lisbon');
    expect(counts(forecast)).toEqual([
      ['2026-11-23T00:00', 10, 4],
      ['2026-11-23T06:00', 0, 6],
    ]);
    expect(forecast.timezone).toBe('Europe/Lisbon');
  });

  it('begin at the campaign’s start time, or at the one in the query', async () => {
    const startAt = '2026-11-23T09:00:00.000Z';
    expect(await planOf({ startAt }, numbers(1))).toMatchObject({ startsAt: startAt });
    const other = '2026-11-24T09:00:00.000Z';
    expect(await planOf({ startAt }, numbers(1), `startAt=${other}`)).toMatchObject({ startsAt: other });
  });

  it.each(['by=week', 'timezone=Mars', 'offline=22-6', 'offline=22:00', 'offline=25:00-01:00'])(
    'are refused for an invalid query: %s',
    async (query) => {
      await planOf({}, numbers(1));
      expect(await parts.call('GET', `/v1/campaigns/p-${made}/plan?${query}`)).toMatchObject({ status: 422 });
    },
  );
});
