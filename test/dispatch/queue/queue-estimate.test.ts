import { describe, expect, it } from 'vitest';
import { learnPace, levelAt, type Pace } from '../../../src/dispatch/queue/queue-estimate.js';

const NOW = 1_000_000;

describe('the estimated level of a queue', () => {
  it.each([
    ['is unchanged at its own time', 7, 0, 1_000, { items: 7, atMs: NOW }],
    ['falls with each release', 7, 2_900, 1_000, { items: 5, atMs: NOW + 2_000 }],
    ['is never negative, and an empty queue releases nothing', 1, 9_000, 1_000, { items: 0, atMs: NOW + 9_000 }],
    ['does not fall while the pace is unknown', 7, 60_000, undefined, { items: 7, atMs: NOW }],
    ['does not rise at an earlier time', 7, -1_000, 1_000, { items: 7, atMs: NOW }],
  ])('%s', (_, items, afterMs, intervalMs, level) => {
    expect(levelAt({ items, atMs: NOW }, NOW + afterMs, intervalMs)).toEqual(level);
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
    ['does not change by one release less than expected', paceOf(1_000), at(5_900, 5), 0, paceOf(1_000)],
    ['does not change by one release more than expected', paceOf(1_000), at(4_000, 5), 0, paceOf(1_000)],
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
