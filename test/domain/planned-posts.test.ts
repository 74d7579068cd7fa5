import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignId, CampaignLimits, InstanceSettings, LocalHours } from '../../src/contract/index.js';
import {
  jitterMs,
  outsideQuietHours,
  PlannedPosts,
  type PlanInput,
  type PlannedPost,
  type SendingRules,
} from '../../src/domain/index.js';
import { runs } from '../support/runs.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.parse('2026-11-23T00:00:00Z');
const at = (iso: string) => Date.parse(`2026-11-${iso}Z`);

function rules(
  settings: InstanceSettings = {},
  campaign: { sendingWindows?: LocalHours; limits?: CampaignLimits; timezone?: string } = {},
): SendingRules {
  const { sendingWindows, limits, timezone } = campaign;
  const id = 'sale' as CampaignId;
  return {
    instance: 'main',
    isUrgent: false,
    isMarketing: true,
    settings,
    campaign: { id, sendingWindows, limits, timezone },
  };
}

function aPlan(recipients: number, change: Partial<PlanInput> = {}, of = rules()): PlanInput {
  return {
    nowMs: START,
    startMs: START,
    deadlineMs: START + 7 * DAY,
    streams: [{ rules: of, recipients, lineAt: (place) => place + 2 }],
    queue: { depth: 0, releaseIntervalMs: 10 * SECOND, highWater: 5 },
    ...change,
  };
}

function played(input: PlanInput) {
  const plan = new PlannedPosts(input);
  const posts: PlannedPost[] = [];
  for (let post = plan.next(); post !== undefined; post = plan.next()) posts.push(post);
  return { posts, waits: plan.waits(posts.at(-1)?.leavesAtMs ?? input.deadlineMs) };
}

const seconds = (posts: readonly PlannedPost[], of: 'postedAtMs' | 'leavesAtMs') =>
  posts.map((post) => (post[of] - START) / SECOND);

/** Proves FORECAST-1 to FORECAST-6, and FORECAST-8. */
describe('planned posts', () => {
  it('take as long as the typing before each of them', () => {
    const { posts } = played(aPlan(3, { typingMs: 2 * SECOND }));
    expect(seconds(posts, 'postedAtMs')).toEqual([0, 0, 0]);
    expect(seconds(posts, 'leavesAtMs')).toEqual([0, 12, 24]);
  });

  it('fill the queue up to the high water mark, then follow its pace', () => {
    const { posts, waits } = played(aPlan(8));
    expect(seconds(posts, 'postedAtMs')).toEqual([0, 0, 0, 0, 0, 0, 10, 20]);
    expect(seconds(posts, 'leavesAtMs')).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
    expect(waits).toEqual([]);
  });

  it('stand behind the items that are queued already', () => {
    const { posts } = played(aPlan(3, { queue: { depth: 7, releaseIntervalMs: 10 * SECOND, highWater: 5 } }));
    expect(seconds(posts, 'postedAtMs')).toEqual([30, 40, 50]);
    expect(seconds(posts, 'leavesAtMs')).toEqual([80, 90, 100]);
  });

  it('take turns with other campaigns of the account until these have sent what they have (FORECAST-8)', () => {
    const leaving = (waiting: number, turns: number) =>
      seconds(played(aPlan(5, { others: [{ waiting, turns }] })).posts, 'leavesAtMs');
    expect(leaving(100, 1)).toEqual([0, 20, 40, 60, 80]);
    expect(leaving(2, 1)).toEqual([0, 20, 40, 50, 60]);
    // Of a higher class, and of a lower one.
    expect(leaving(100, 7)).toEqual([0, 80, 160, 240, 320]);
    expect(leaving(100, 1 / 4)).toEqual([0, 10, 20, 30, 50]);
  });

  it('begin at the start time, when the queue may have drained', () => {
    const { posts } = played(
      aPlan(2, { startMs: START + 60 * SECOND, queue: { depth: 4, releaseIntervalMs: 10 * SECOND, highWater: 5 } }),
    );
    expect(seconds(posts, 'leavesAtMs')).toEqual([60, 70]);
  });

  it('wait while the window is closed', () => {
    const sendingWindows = { timezone: 'UTC', windows: [{ from: '09:00', until: '09:01' }] };
    const { posts, waits } = played(aPlan(14, {}, rules({}, { sendingWindows })));
    // Eleven in the first minute: five at once, and one every ten seconds while the window is open.
    expect(posts.filter(({ postedAtMs }) => postedAtMs < START + DAY)).toHaveLength(11);
    expect(posts[11]?.postedAtMs).toBe(at('24T09:00'));
    expect(waits).toEqual([
      { fromMs: START, untilMs: at('23T09:00'), reason: 'SENDING_WINDOW_CLOSED' },
      { fromMs: at('23T09:01'), untilMs: at('24T09:00'), reason: 'SENDING_WINDOW_CLOSED' },
    ]);
  });

  it('wait for the next day when a cap is reached, and grow with a ramp', () => {
    const limits = { timezone: 'Asia/Kolkata', warmUp: { firstDay: '2026-11-23', perDay: 10, growthPercent: 50 } };
    const { posts, waits } = played(aPlan(50, {}, rules({ limits })));
    const byDay = [0, 1, 2, 3].map(
      (day) => posts.filter(({ postedAtMs }) => Math.floor((postedAtMs + 5.5 * HOUR - START) / DAY) === day).length,
    );
    expect(byDay).toEqual([10, 15, 22, 3]);
    expect(waits.map(({ untilMs, reason }) => [new Date(untilMs).toISOString(), reason])).toEqual([
      ['2026-11-23T18:30:00.000Z', 'DAILY_LIMIT_REACHED'],
      ['2026-11-24T18:30:00.000Z', 'DAILY_LIMIT_REACHED'],
      ['2026-11-25T18:30:00.000Z', 'DAILY_LIMIT_REACHED'],
    ]);
  });

  it('count the posts that the day had before', () => {
    const posted = (scope: string, dayStartMs: number) => (scope === 'campaign:sale' && dayStartMs === START ? 3 : 0);
    const { posts } = played(aPlan(20, { posted }, rules({}, { limits: { perDay: 10 } })));
    expect(posts.filter(({ postedAtMs }) => postedAtMs < START + DAY)).toHaveLength(7);
  });

  it('are followed by pauses that the seed and the line give', () => {
    const jitter = { seed: 'sale', minMs: 20 * SECOND, maxMs: 60 * SECOND };
    const { posts } = played(aPlan(4, { jitter }));
    const gaps = posts.slice(1).map(({ postedAtMs }, before) => postedAtMs - (posts[before]?.postedAtMs ?? 0));
    expect(gaps).toEqual([2, 3, 4].map((line) => jitterMs('sale', line, jitter)));
  });

  it('wait while the phone is offline, and so does the queue', () => {
    const online = outsideQuietHours({ timezone: 'UTC', windows: [{ from: '00:01', until: '06:00' }] });
    const { posts, waits } = played(aPlan(14, { online }));
    expect(posts.filter(({ postedAtMs }) => postedAtMs < at('23T00:01'))).toHaveLength(11);
    expect(posts.filter(({ leavesAtMs }) => leavesAtMs < at('23T00:01'))).toHaveLength(6);
    expect(posts[11]?.postedAtMs).toBe(at('23T06:00'));
    expect(waits).toEqual([{ fromMs: at('23T00:01'), untilMs: at('23T06:00'), reason: 'OFFLINE' }]);
  });

  it('end at the deadline: no message is planned that would leave later', () => {
    const { posts } = played(aPlan(100, { deadlineMs: START + 100 * SECOND }));
    expect(posts).toHaveLength(11);
    expect(posts.at(-1)?.leavesAtMs).toBe(START + 100 * SECOND);
  });

  it('never begin when the window never opens, or the phone is never online', () => {
    const never = { timezone: 'UTC', windows: [{ from: '00:00', until: '00:00' }] };
    expect(played(aPlan(5, {}, rules({ quietHours: never }))).posts).toEqual([]);
    const capped = rules({}, { limits: { perDay: 2 } });
    expect(played(aPlan(5, { online: outsideQuietHours(never) }, capped)).posts).toEqual([]);
  });

  it("follow the recipients' local times: each timezone in its turn", () => {
    const sendingWindows = { timezone: 'recipient', windows: [{ from: '09:00', until: '10:00' }] };
    const streams = ['Asia/Tokyo', 'Europe/Lisbon', 'Europe/London'].map((timezone) => ({
      rules: rules({}, { sendingWindows, timezone }),
      recipients: 4,
      lineAt: () => 2,
    }));
    const { posts, waits } = played(aPlan(0, { streams }));
    expect(posts).toHaveLength(12);
    expect(posts.slice(0, 4).every(({ postedAtMs }) => postedAtMs === START)).toBe(true);
    expect(posts[4]?.postedAtMs).toBe(at('23T09:00'));
    expect(waits).toHaveLength(1);
  });

  it('keep every rule in random worlds', () => {
    const hour = fc.nat(23).map((value) => `${String(value).padStart(2, '0')}:00`);
    const hours = fc.record({
      timezone: fc.constantFrom('UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu'),
      windows: fc.array(fc.record({ from: hour, until: hour }), { minLength: 1, maxLength: 2 }),
    });
    const world = fc.record({
      recipients: fc.integer({ min: 0, max: 400 }),
      sendingWindows: fc.option(hours, { nil: undefined }),
      offline: fc.option(hours, { nil: undefined }),
      perDay: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      jitter: fc.option(fc.constant({ seed: 'x', minMs: 0, maxMs: 600 * SECOND }), { nil: undefined }),
      depth: fc.nat(30),
      highWater: fc.integer({ min: 1, max: 20 }),
      releaseIntervalMs: fc.constantFrom(500, 15 * SECOND, 600 * SECOND),
    });
    fc.assert(
      fc.property(world, ({ recipients, sendingWindows, offline, perDay, jitter, ...queue }) => {
        const limits = perDay === undefined ? undefined : { perDay };
        const campaign = { ...(sendingWindows && { sendingWindows }), ...(limits && { limits }) };
        const online = offline && outsideQuietHours(offline);
        const { posts } = played(
          aPlan(recipients, { queue, ...(online && { online }), ...(jitter && { jitter }) }, rules({}, campaign)),
        );
        const leaving = [
          ...Array.from({ length: queue.depth }, (_, item) => START + (item + 1) * queue.releaseIntervalMs),
          ...posts.map(({ leavesAtMs }) => leavesAtMs),
        ];
        const perDayPosted = new Map<number, number>();
        for (const [index, { postedAtMs, leavesAtMs }] of posts.entries()) {
          const before = posts[index - 1];
          expect(postedAtMs).toBeGreaterThanOrEqual(before?.postedAtMs ?? START);
          expect(leavesAtMs).toBeGreaterThanOrEqual(
            Math.max(postedAtMs, (before?.leavesAtMs ?? -Infinity) + queue.releaseIntervalMs),
          );
          const ahead = leaving.slice(0, queue.depth + index).filter((ms) => ms > postedAtMs).length;
          if (offline === undefined) expect(ahead).toBeLessThan(queue.highWater);
          if (online) expect(online(postedAtMs)?.openAtMs).toBe(postedAtMs);
          if (online) expect(online(leavesAtMs)?.openAtMs).toBe(leavesAtMs);
          const day = Math.floor(postedAtMs / DAY);
          perDayPosted.set(day, (perDayPosted.get(day) ?? 0) + 1);
        }
        expect(posts.length).toBeLessThanOrEqual(recipients);
        expect(Math.max(0, ...perDayPosted.values())).toBeLessThanOrEqual(perDay ?? Infinity);
      }),
      { numRuns: runs(100) },
    );
  });

  it('end as planned, whenever the rest is planned again', () => {
    const hour = fc.nat(23).map((value) => `${String(value).padStart(2, '0')}:00`);
    const world = fc.record({
      recipients: fc.integer({ min: 4, max: 300 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      windows: fc.option(fc.array(fc.record({ from: hour, until: hour }), { minLength: 1, maxLength: 2 })),
      perDay: fc.option(fc.integer({ min: 5, max: 200 })),
      jitter: fc.option(fc.constant({ seed: 'x', minMs: 0, maxMs: 60 * SECOND })),
      depth: fc.nat(30),
      highWater: fc.integer({ min: 1, max: 20 }),
      releaseIntervalMs: fc.constantFrom(500, 15 * SECOND),
    });
    fc.assert(
      fc.property(world, ({ recipients, share, windows, perDay, jitter, ...queue }) => {
        const campaign = {
          ...(windows && { sendingWindows: { timezone: 'Europe/Lisbon', windows } }),
          ...(perDay !== null && { limits: { perDay } }),
        };
        const deadlineMs = START + 300 * DAY;
        const change = { deadlineMs, queue, ...(jitter && { jitter }) };
        const ends = (count: number, more: Partial<PlanInput> = {}) =>
          played(aPlan(count, { ...change, ...more }, rules({}, campaign))).posts;
        const posts = ends(recipients);
        const done = Math.floor(share * posts.length);
        // Just before the next one.
        const nowMs = posts[done]?.postedAtMs ?? posts.at(-1)?.postedAtMs ?? START;
        const left = (ms: number) => ms <= nowMs;
        const queued = Array.from({ length: queue.depth }, (_, item) => START + (item + 1) * queue.releaseIntervalMs);
        const inQueue = [...queued, ...posts.slice(0, done).map(({ leavesAtMs }) => leavesAtMs)];
        const today = posts
          .slice(0, done)
          .filter(({ postedAtMs }) => Math.floor(postedAtMs / DAY) === Math.floor(nowMs / DAY));
        const rest = ends(posts.length - done, {
          nowMs,
          startMs: nowMs,
          queue: { ...queue, depth: inQueue.filter((ms) => !left(ms)).length },
          posted: (_, dayStartMs) => (dayStartMs <= nowMs && nowMs < dayStartMs + DAY ? today.length : 0),
          streams: [
            { rules: rules({}, campaign), recipients: posts.length - done, lineAt: (place) => place + done + 2 },
          ],
        });
        const last = (of: readonly PlannedPost[]) => of.at(-1)?.leavesAtMs ?? START;
        const slackMs = queue.releaseIntervalMs;
        // A message at the edge of a window or of a day may fall on the other side.
        if (done < posts.length) expect(last(rest)).toBeGreaterThanOrEqual(last(ends(posts.length - 2)) - slackMs);
        expect(last(rest)).toBeLessThanOrEqual(last(ends(posts.length + 2)) + slackMs);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are computed within seconds for a million recipients', () => {
    const sendingWindows = { timezone: 'Europe/Lisbon', windows: [{ from: '09:00', until: '18:00' }] };
    const input = aPlan(
      1_000_000,
      {
        deadlineMs: START + 390 * DAY,
        queue: { depth: 0, releaseIntervalMs: 500, highWater: 12 },
        jitter: { seed: 'sale', minMs: 0, maxMs: 500 },
      },
      rules({ limits: { timezone: 'UTC', perDay: 50_000 } }, { sendingWindows }),
    );
    const plan = new PlannedPosts(input);
    const cpu = process.cpuUsage();
    let count = 0;
    while (plan.next() !== undefined) count += 1;
    const { user, system } = process.cpuUsage(cpu);
    expect(count).toBe(1_000_000);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
