import { describe, expect, it } from 'vitest';
import { ASSUMED_INTERVAL_MS } from '../../../src/contract/index.js';
import { estimatedDepth, learnPace, type Pace } from '../../../src/dispatch/queue/queue-estimate.js';

const NOW = 1_000_000;

describe('the estimated depth of a queue between two readings', () => {
  it.each([
    ['is unknown before the first reading', { acceptedSince: 3 }, undefined],
    ['equals the reading right after it', { depth: 7, begunAtMs: NOW, acceptedSince: 0 }, 7],
    ['grows with our additions', { depth: 7, begunAtMs: NOW, acceptedSince: 3 }, 10],
    [
      'falls with each release since the reading',
      { depth: 7, begunAtMs: NOW - 2_900, acceptedSince: 0, releaseIntervalMs: 1_000 },
      5,
    ],
    [
      'falls only with releases after the response: the reading may lack earlier releases already',
      { depth: 7, begunAtMs: NOW - 2_900, readAtMs: NOW - 900, acceptedSince: 0, releaseIntervalMs: 1_000 },
      7,
    ],
    ['is never negative', { depth: 1, begunAtMs: NOW - 9_000, acceptedSince: 0, releaseIntervalMs: 1_000 }, 0],
    ['does not fall while the pace is unknown', { depth: 7, begunAtMs: NOW - 60_000, acceptedSince: 0 }, 7],
    [
      'falls at the slowest pace ever seen while the queue cannot be read',
      {
        depth: 7,
        begunAtMs: NOW - 3_000,
        acceptedSince: 1,
        unreadableSinceMs: NOW - 1_000,
        releaseIntervalMs: 500,
        largestIntervalMs: 3_000,
      },
      7,
    ],
    [
      'is the number of our additions when the queue was never read',
      { acceptedSince: 4, unreadableSinceMs: NOW - ASSUMED_INTERVAL_MS },
      3,
    ],
  ])('%s', (_, queue, depth) => {
    expect(estimatedDepth({ unlisted: 0, ...queue }, NOW)).toBe(depth);
  });
});

describe('an item that no reading lists', () => {
  it.each([
    ['is added to a reading', { depth: 7, begunAtMs: NOW, acceptedSince: 3 }, 12],
    [
      'is not released before a reading shows a release',
      { depth: 1, begunAtMs: NOW - 9_000, acceptedSince: 0, releaseIntervalMs: 1_000 },
      2,
    ],
    ['counts while the queue cannot be read', { acceptedSince: 0, unreadableSinceMs: NOW - 60_000 }, 2],
  ])('%s', (_, queue, depth) => {
    expect(estimatedDepth({ unlisted: 2, ...queue }, NOW)).toBe(depth);
  });
});

describe('the estimated pace of a queue', () => {
  const base = { depth: 10, atMs: NOW };

  it('is unknown after one reading', () => {
    expect(learnPace({}, base, 0)).toEqual({ base });
  });

  it('is the elapsed time divided by the releases, when the queue was never empty', () => {
    expect(learnPace({ base }, { depth: 5, atMs: NOW + 6_000 }, 7)).toMatchObject({ intervalMs: 500, base });
  });

  it('is not learned from fewer than three releases', () => {
    expect(learnPace({ base }, { depth: 8, atMs: NOW + 6_000 }, 0)).toEqual({ base });
  });

  it('changes at once to a faster measurement', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 5, atMs: NOW + 500 }, 0)).toMatchObject({ intervalMs: 100, largestMs: 1_000 });
  });

  it('changes gradually to a slower measurement, since other senders may have added items', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 5, atMs: NOW + 10_000 }, 0)).toMatchObject({ intervalMs: 1_300, largestMs: 1_300 });
  });

  it('returns close to the true pace after other senders made it look slow', () => {
    let pace: Pace = { base, intervalMs: 3_000, largestMs: 3_000 };
    pace = learnPace(pace, { depth: 5, atMs: NOW + 2_500 }, 0);
    expect(pace.intervalMs).toBe(500);
  });

  it('does not change when a queue is empty at its expected time', () => {
    const pace: Pace = { base, intervalMs: 100, largestMs: 100 };
    const empty = { depth: 0, atMs: NOW + 60_000 };
    expect(learnPace(pace, empty, 5)).toEqual({ ...pace, base: empty });
  });

  it('may be much faster when the queue is empty before its expected time', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 0, atMs: NOW + 8_000 }, 10)).toMatchObject({ intervalMs: 100 });
  });

  it('is measured from a younger reading once the base is old', () => {
    const later = { depth: 5, atMs: NOW + 100_000 };
    expect(learnPace({ base, intervalMs: 1_000, largestMs: 1_000 }, later, 95)).toMatchObject({ base: later });
  });

  it('is never slower than the longest delay of an account', () => {
    expect(learnPace({ base }, { depth: 5, atMs: NOW + 9_000_000 }, 0).intervalMs).toBe(600_000);
  });
});
