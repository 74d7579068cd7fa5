/**
 * A plan compared with its execution: a real campaign through ledger, dispatcher, gateway client and simulator, on one
 * clock that the test moves.
 */
import { describe, expect, test } from 'vitest';
import type { CampaignDefinition, CampaignId, InstanceConfig } from '../../src/contract/index.js';
import { planCampaign } from '../../src/api/campaigns/plan-campaign.js';
import type { SimulationOptions } from '../../src/api/campaigns/forecast.js';
import type { CampaignPlan } from '../../src/api/index.js';
import { FOR_DAYS, HOUR, MINUTE, SECOND, aRealWorld, type RealWorld } from './real-world.js';

const TIMEZONE = 'America/New_York';
/** In an hour: one message at either end may fall into the next hour. */
const MESSAGES_APART = 1;

interface Story {
  readonly recipients: number;
  readonly definition: Partial<CampaignDefinition>;
  readonly instance?: Partial<InstanceConfig>;
  readonly delayMs: number;
}

async function aWorldWith({ instance, delayMs }: Story, jobsEveryMs = HOUR): Promise<RealWorld> {
  const settings = { delaySendMessagesMilliseconds: delayMs };
  return aRealWorld({ ...FOR_DAYS, jobsEveryMs, settings, ...(instance && { instance }) });
}

async function planOf(
  { ledger, instances, nowMs }: RealWorld,
  id: CampaignId,
  { delayMs }: Story,
  options: Partial<SimulationOptions> = {},
): Promise<CampaignPlan['forecast']> {
  const campaign = await ledger.audiences.view(id, nowMs());
  if (campaign === undefined) throw new Error('no campaign');
  const askGateway = (method: string) =>
    Promise.resolve((method === 'getSettings' ? { delaySendMessagesMilliseconds: delayMs } : []) as never);
  const dependencies = { ledger, instances, clock: { nowMs }, checkOperation: () => ({ warnings: [] }), askGateway };
  const { signal } = new AbortController();
  return (await planCampaign(dependencies, campaign, { by: 'hour', timezone: TIMEZONE, ...options, signal })).forecast;
}

const hourOf = (at: string) => Math.floor(Date.parse(at) / HOUR);

function byHour(times: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const at of times) counts.set(hourOf(at), (counts.get(hourOf(at)) ?? 0) + 1);
  return counts;
}

/** For each hour, and at the end. */
function expectAsPlanned(
  world: RealWorld,
  planned: CampaignPlan['forecast'],
  toleranceMs: number,
  apartBy = MESSAGES_APART,
): void {
  const delivered = world.simulator.delivered().map(({ at }) => at);
  expect(delivered).toHaveLength(planned.recipients - planned.notPosted);
  const posted = world.simulator.requests().filter(({ method }) => method === 'sendMessage');
  for (const [what, real] of [
    ['left', byHour(delivered)],
    ['posted', byHour(posted.map(({ at }) => at))],
  ] as const) {
    const expected = new Map(planned.rows.map((row) => [hourOf(row.from), row[what]]));
    const apart = [...new Set([...expected.keys(), ...real.keys()])].filter(
      (hour) => Math.abs((expected.get(hour) ?? 0) - (real.get(hour) ?? 0)) > apartBy,
    );
    const shown = apart.map((hour) => [new Date(hour * HOUR).toISOString(), expected.get(hour), real.get(hour)]);
    expect(shown, what).toEqual([]);
  }
  const finishedMs = Math.max(...delivered.map((at) => Date.parse(at)));
  const apartMs = Math.abs(finishedMs - Date.parse(planned.finishesAt ?? ''));
  expect(apartMs, `finishes ${new Date(finishedMs).toISOString()}, planned ${planned.finishesAt}`).toBeLessThanOrEqual(
    toleranceMs,
  );
}

describe('the plan of a campaign predicts each hour of the sending', () => {
  test('with no limit but the pace of the queue', async () => {
    const story: Story = { recipients: 12, definition: {}, delayMs: 30 * SECOND };
    const world = await aWorldWith(story);
    const id = await world.campaign(story.recipients, story.definition);
    const planned = await planOf(world, id, story);
    await world.pass(8 * MINUTE);
    expectAsPlanned(world, planned, 40 * SECOND);
  });

  test('with typing before each message that takes longer than the pace', async () => {
    const story: Story = { recipients: 10, definition: { typing: '20s' }, delayMs: 10 * SECOND };
    const world = await aWorldWith(story);
    const id = await world.campaign(story.recipients, story.definition);
    const planned = await planOf(world, id, story);
    // Each takes 10 seconds without it.
    expect(planned.durationSeconds).toBeCloseTo(10 * 30 - 30, -2);
    await world.pass(10 * MINUTE);
    expectAsPlanned(world, planned, MINUTE);
  });

  test('with windows, a holiday, a ramp, quiet hours and pauses, in the night on which the clock changes', async () => {
    const story: Story = {
      recipients: 36,
      definition: {
        sendingWindows: {
          timezone: TIMEZONE,
          windows: [
            { from: '09:00', until: '09:12' },
            { from: '20:00', until: '20:12' },
          ],
          holidays: ['2026-03-07'],
        },
        limits: { jitter: { minMs: 20 * SECOND, maxMs: 100 * SECOND, seed: 'spring' } },
      },
      instance: {
        quietHours: { timezone: TIMEZONE, windows: [{ from: '20:06', until: '08:00' }] },
        limits: { timezone: TIMEZONE, warmUp: { firstDay: '2026-03-06', perDay: 14, growthPercent: 30 } },
      },
      delayMs: 20 * SECOND,
    };
    const world = await aWorldWith(story);
    await world.pass(Date.parse('2026-03-06T10:00:00Z') - world.nowMs());
    const id = await world.campaign(story.recipients, story.definition);
    const planned = await planOf(world, id, story);
    expect(planned.notPosted).toBe(0);
    expect(new Set(planned.waits.map(({ reason }) => reason)).size).toBe(3);
    // On the 8th the clock changed from 02:00 to 03:00.
    expect(planned.rows.map(({ from }) => from.slice(5, 13))).toEqual(
      expect.arrayContaining(['03-06T14', '03-08T13', '03-09T13']),
    );
    await world.pass(Date.parse(planned.finishesAt ?? '') + HOUR - world.nowMs());
    expectAsPlanned(world, planned, 5 * MINUTE);
  }, 300_000);

  test('with a phone that is off for a while', async () => {
    const story: Story = { recipients: 20, definition: { highWater: 5 }, delayMs: 30 * SECOND };
    const world = await aWorldWith(story, 5 * MINUTE);
    // It is 10:00.
    await world.pass(50 * MINUTE);
    const id = await world.campaign(story.recipients, story.definition);
    const offline = [{ from: '10:55', until: '11:10' }];
    const planned = await planOf(world, id, story, { offline, timezone: 'UTC' });
    await world.pass(5 * MINUTE);
    await world.patch({ state: 'notAuthorized' });
    await world.pass(15 * MINUTE);
    await world.patch({ state: 'authorized' });
    await world.pass(15 * MINUTE);
    // The worker sees the state at its next reading: until then the queue fills up, or waits.
    expectAsPlanned(world, planned, 5 * MINUTE, 3);
  }, 300_000);
});
