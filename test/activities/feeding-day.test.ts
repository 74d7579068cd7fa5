/**
 * A day of feeding by the rules of turns and looks, with a queue that releases one item at a time and looks that come a
 * little late. What is stored in the ledger elsewhere is kept in variables here, so that a day takes a moment.
 */
import { describe, expect, it } from 'vitest';
import { roomFor, untilFloorMs } from '../../src/activities/feed/next-poll.js';
import { DEFAULT_WATER_MARKS, type CampaignId, type Priority } from '../../src/contract/index.js';
import { decideTurn, type Feeder } from '../../src/ledger/campaigns/feeding-turn.js';

const DAY_MS = 24 * 3_600_000;
const INTERVAL_MS = 500;
const PATIENCE_MS = 3_000;

interface Runner {
  feeder: Feeder;
  nextPollMs: number;
  left: number;
}

interface Item {
  readonly owner: string;
  readonly atMs: number;
}

interface Day {
  /** Items that left the queue, by owner. */
  readonly sent: Map<string, number>;
  /** Of each release, who it was. */
  readonly order: string[];
  /** The longest that an urgent single waited, in releases beyond those of other singles ahead of it. */
  readonly longestWait: number;
  readonly deepest: number;
  /** Moments at which a release was due and nothing was there. */
  readonly idle: number;
  /** The longest time between two items of the same owner, milliseconds. */
  readonly longestGapMs: Map<string, number>;
}

function runner(id: string, priority: Priority, left = Infinity, fromMs = 0): Runner {
  const marks = DEFAULT_WATER_MARKS[priority];
  return { feeder: { id: id as CampaignId, priority, ...marks }, nextPollMs: fromMs, left };
}

/** Repeatable: the same seed is the same day. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function playDay(runners: Runner[], { singleEveryMs = Infinity, forMs = DAY_MS, seed = 1 } = {}): Day {
  const random = randomOf(seed);
  const queue: Item[] = [];
  const sent = new Map<string, number>();
  const lastSent = new Map<string, number>();
  const longestGapMs = new Map<string, number>();
  const order: string[] = [];
  let [keptUntilMs, longestWait, deepest, idle] = [0, 0, 0, 0];
  let nextReleaseMs = INTERVAL_MS;
  let nextSingleMs = singleEveryMs === Infinity ? Infinity : random() * singleEveryMs;

  function poll(one: Runner, nowMs: number): number {
    const others = runners.filter((other) => other !== one).map(({ feeder }) => feeder);
    const decision = decideTurn(one.feeder, others, { keptUntilMs }, nowMs);
    const hungry = (forHungryMs: number) => {
      one.feeder = { ...one.feeder, hungryUntilMs: nowMs + forHungryMs };
    };
    if (!decision.granted) {
      hungry(decision.retryAfterMs + PATIENCE_MS);
      return decision.retryAfterMs;
    }
    const depth = queue.length;
    const count = depth > decision.floor ? 0 : Math.min(one.left, roomFor(decision, depth, true));
    for (let fed = 0; fed < count; fed += 1) queue.push({ owner: one.feeder.id, atMs: nowMs });
    deepest = Math.max(deepest, queue.length);
    one.left -= count;
    if (count > 0) one.feeder = { ...one.feeder, fedAtMs: nowMs };
    if (count > 0 && decision.isKeptItem) keptUntilMs = nowMs + (depth + 1) * INTERVAL_MS;
    const nextMs = untilFloorMs(decision, depth + count, INTERVAL_MS);
    hungry(one.left > 0 ? nextMs + PATIENCE_MS : 0);
    return nextMs;
  }

  function release(nowMs: number): void {
    const item = queue.shift();
    if (item === undefined) {
      idle += 1;
      return;
    }
    const { owner, atMs } = item;
    sent.set(owner, (sent.get(owner) ?? 0) + 1);
    order.push(owner);
    longestGapMs.set(owner, Math.max(longestGapMs.get(owner) ?? 0, nowMs - (lastSent.get(owner) ?? nowMs)));
    lastSent.set(owner, nowMs);
    if (owner === 'single') longestWait = Math.max(longestWait, (nowMs - atMs) / INTERVAL_MS);
  }

  for (;;) {
    const waiting = runners.filter(({ left }) => left > 0);
    const soonest = waiting.reduce<Runner | undefined>(
      (a, b) => (a && a.nextPollMs <= b.nextPollMs ? a : b),
      undefined,
    );
    const nowMs = Math.min(nextReleaseMs, nextSingleMs, soonest?.nextPollMs ?? Infinity);
    if (nowMs > forMs) break;
    if (nowMs === nextReleaseMs) {
      release(nowMs);
      nextReleaseMs += INTERVAL_MS;
    } else if (nowMs === nextSingleMs) {
      // One at a time, so that each has none of its kind ahead.
      if (!queue.some(({ owner }) => owner === 'single')) queue.push({ owner: 'single', atMs: nowMs });
      nextSingleMs = nowMs + 1 + random() * 2 * singleEveryMs;
    } else if (soonest !== undefined) {
      soonest.nextPollMs = nowMs + Math.max(1, poll(soonest, nowMs)) + random() * 300;
    }
  }
  return { sent, order, longestWait, deepest, idle, longestGapMs };
}

const share = (day: Day, id: string): number => (day.sent.get(id) ?? 0) / day.order.length;

describe('a day of feeding', () => {
  it('keeps the queue of one campaign from ever running dry or too full', () => {
    const day = playDay([runner('a', 'normal')]);
    expect(day.idle).toBeLessThan(10);
    expect(day.deepest).toBeLessThanOrEqual(DEFAULT_WATER_MARKS.normal.highWater);
  });

  it.each([1, 2, 3])('gives two equals equal shares (day %i)', (seed) => {
    const day = playDay([runner('a', 'normal'), runner('b', 'normal')], { seed });
    expect(Math.abs(share(day, 'a') - share(day, 'b'))).toBeLessThan(0.05);
    expect(day.idle / day.order.length).toBeLessThan(0.01);
  });

  it('gives three equals equal shares, also when one comes hours later', () => {
    const late = runner('c', 'high', Infinity, DAY_MS / 2);
    const day = playDay([runner('a', 'high'), runner('b', 'high'), late]);
    const afternoon = day.order.slice(Math.ceil(day.order.length / 2));
    for (const id of ['a', 'b', 'c']) {
      const part = afternoon.filter((owner) => owner === id).length / afternoon.length;
      expect(Math.abs(part - 1 / 3), id).toBeLessThan(0.05);
    }
  });

  it('lets a low one beside a high one have its kept item again and again, and no more', () => {
    const day = playDay([runner('high', 'high'), runner('low', 'low')]);
    const { highWater } = DEFAULT_WATER_MARKS.high;
    expect(share(day, 'low')).toBeGreaterThan(0.02);
    expect(share(day, 'low')).toBeLessThan(0.12);
    // One passage of a full queue, and the polls between two of them.
    expect(day.longestGapMs.get('low')).toBeLessThan(3 * highWater * INTERVAL_MS);
    expect(day.deepest).toBeLessThanOrEqual(highWater);
  });

  it('never lets two items of those below into the same full queue', () => {
    const day = playDay([runner('high', 'high'), runner('n', 'normal'), runner('low', 'low')]);
    const below = day.order.slice(100).flatMap((owner, at) => (owner === 'high' ? [] : [at]));
    const gaps = below.slice(1).map((at, index) => at - (below[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(DEFAULT_WATER_MARKS.high.lowWater);
    expect(Math.abs(share(day, 'n') - share(day, 'low'))).toBeLessThan(0.02);
  });

  it('gives the queue to the low one alone once the high one has no recipient left', () => {
    const day = playDay([runner('high', 'high', 20_000), runner('low', 'low')]);
    expect(day.sent.get('high')).toBe(20_000);
    expect(new Set(day.order.slice(30_000))).toEqual(new Set(['low']));
    expect(day.idle / day.order.length).toBeLessThan(0.02);
  });

  it.each<[Priority[]]>([[['normal']], [['high', 'low']], [['urgent', 'urgent', 'low']]])(
    'keeps an urgent single waiting for no more than high water and one more release, beside %j',
    (priorities) => {
      const runners = priorities.map((priority, index) => runner(`c${index}`, priority));
      const highWater = Math.max(...priorities.map((priority) => DEFAULT_WATER_MARKS[priority].highWater));
      const day = playDay(runners, { singleEveryMs: 20_000 });
      expect(day.sent.get('single')).toBeGreaterThan(1_000);
      expect(day.longestWait).toBeLessThanOrEqual(highWater + 1);
    },
  );
});
