import { describe, expect, it } from 'vitest';
import { ASSUMED_INTERVAL_MS } from '../../../src/contract/index.js';
import {
  estimatedDepth,
  learnPace,
  type Pace,
  type QueueEstimate,
} from '../../../src/dispatch/queue/queue-estimate.js';

const NOW = 1_000_000;
const read = (depth: number, agoMs = 0) => ({ depth, readAtMs: NOW - agoMs });
const EACH_SECOND: Pace = { intervalMs: 1_000 };

describe('the estimated depth of a queue between two readings', () => {
  it.each<[string, Partial<QueueEstimate>, number | undefined]>([
    ['is unknown before the first reading', { acceptedSince: 3 }, undefined],
    ['equals the reading right after it', { reading: read(7) }, 7],
    ['grows with our additions', { reading: read(7), acceptedSince: 3 }, 10],
    ['falls with each release since the response', { reading: read(7, 2_900), pace: EACH_SECOND }, 5],
    ['is never negative', { reading: read(1, 9_000), pace: EACH_SECOND }, 0],
    ['does not fall while the pace is unknown', { reading: read(7, 60_000) }, 7],
    [
      'falls at the slowest pace ever seen while the queue cannot be read',
      {
        reading: read(7, 3_000),
        acceptedSince: 1,
        unreadableSinceMs: NOW - 1_000,
        pace: { intervalMs: 500, largestMs: 3_000 },
      },
      7,
    ],
    [
      'is the number of our additions when the queue was never read',
      { acceptedSince: 4, unreadableSinceMs: NOW - ASSUMED_INTERVAL_MS },
      3,
    ],
    ['includes items that no reading lists', { reading: read(7), acceptedSince: 3, unlisted: 2 }, 12],
    ['keeps them until a reading shows a release', { reading: read(1, 9_000), unlisted: 2, pace: EACH_SECOND }, 2],
    ['includes them while the queue cannot be read', { unlisted: 2, unreadableSinceMs: NOW - 60_000 }, 2],
  ])('%s', (_, queue, depth) => {
    expect(estimatedDepth({ acceptedSince: 0, unlisted: 0, pace: {}, ...queue }, NOW)).toBe(depth);
  });
});

describe('the estimated pace of a queue', () => {
  const base = { depth: 10, atMs: NOW };
  const at = (ms: number, depth: number) => ({ depth, atMs: NOW + ms });
  const paceOf = (intervalMs: number, since = base): Pace => ({ base: since, intervalMs, largestMs: intervalMs });

  it.each<[string, Pace, ReturnType<typeof at>, number, Pace]>([
    ['is unknown after one reading', {}, base, 0, { base }],
    ['is the elapsed time divided by the releases', { base }, at(6_000, 5), 7, paceOf(500)],
    ['is not learned from fewer than three releases', { base }, at(6_000, 8), 0, { base }],
    ['changes at once to a faster measurement', paceOf(1_000), at(500, 5), 0, { ...paceOf(1_000), intervalMs: 100 }],
    ['changes gradually to a slower measurement', paceOf(1_000), at(10_000, 5), 0, paceOf(1_300)],
    ['does not change when a queue is empty in time', paceOf(100), at(60_000, 0), 5, paceOf(100, at(60_000, 0))],
    [
      'may be much faster when the queue is empty too early',
      paceOf(1_000),
      at(8_000, 0),
      10,
      { ...paceOf(1_000, at(8_000, 0)), intervalMs: 100 },
    ],
    ['is measured from a younger reading in time', paceOf(1_000), at(1e5, 5), 95, paceOf(1_000, at(1e5, 5))],
    ['is never slower than the longest delay', { base }, at(9e6, 5), 0, paceOf(600_000, at(9e6, 5))],
  ])('%s', (_, pace, reading, added, learned) => {
    expect(learnPace(pace, reading, added)).toEqual(learned);
  });
});
