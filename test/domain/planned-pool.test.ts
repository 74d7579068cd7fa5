import { describe, expect, it } from 'vitest';
import { PlannedPool, type PlanInput, type PoolPost, type SendingRules } from '../../src/domain/index.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60_000;

function account(instance: string, over: Partial<PlanInput> & { perDay?: number; ofCampaign?: number } = {}) {
  const { perDay, ofCampaign, ...input } = over;
  const rules: SendingRules = {
    instance,
    isUrgent: false,
    isMarketing: true,
    settings: perDay === undefined ? {} : { limits: { perDay, timezone: 'UTC' } },
    campaign: {
      id: 'sale' as never,
      timezone: undefined,
      sendingWindows: undefined,
      limits: ofCampaign === undefined ? undefined : { perDay: ofCampaign },
    },
  };
  return {
    instance,
    input: {
      nowMs: NOW,
      startMs: NOW,
      deadlineMs: NOW + 7 * DAY,
      streams: [{ rules, recipients: 100, lineAt: (place: number) => place }],
      queue: { depth: 0, releaseIntervalMs: 1_000, highWater: 6 },
      ...input,
    } satisfies PlanInput,
  };
}

function planned(accounts: ReturnType<typeof account>[]) {
  const posts: PoolPost[] = [];
  const pool = new PlannedPool(accounts);
  while (pool.postSome((post) => posts.push(post)));
  const share = (instance: string) => posts.filter((post) => post.instance === instance).length;
  return { posts, share, lastMs: (posts.at(-1)?.leavesAtMs ?? NOW) - NOW };
}

describe('the plan of a pool (FORECAST-7)', () => {
  it('gives each account its share, by pace, and ends when the last one ends', () => {
    const one = planned([account('a')]);
    expect([one.posts.length, one.lastMs]).toEqual([100, 99_000]);
    const two = planned([account('a'), account('b')]);
    expect([two.share('a'), two.share('b'), two.lastMs]).toEqual([50, 50, 49_000]);
    const queue = { depth: 0, releaseIntervalMs: 3_000, highWater: 6 };
    const slow = planned([account('a'), account('b', { queue })]);
    expect([slow.share('a'), slow.share('b')]).toEqual([75, 25]);
  });

  it('holds the cap of an account for itself, and the cap of the campaign over all', () => {
    const own = planned([account('a', { perDay: 10 }), account('b')]);
    expect([own.share('a'), own.share('b')]).toEqual([10, 90]);
    const shared = planned([account('a', { ofCampaign: 30 }), account('b', { ofCampaign: 30 })]);
    const first = shared.posts.filter(({ postedAtMs }) => postedAtMs < NOW + DAY);
    expect(first).toHaveLength(30);
    expect(shared.posts).toHaveLength(100);
  });
});
