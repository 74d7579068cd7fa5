import { describe, expect, it } from 'vitest';
import { ASSUMED_INTERVAL_MS } from '../../../src/contract/index.js';
import { estimatedDepth, learnPace, type Pace } from '../../../src/dispatch/queue/queue-estimate.js';

const NOW = 1_000_000;

describe('the depth of a queue between two readings', () => {
  it.each([
    ['is not known before the first', { acceptedSince: 3 }, undefined],
    ['is what was read, right after it', { depth: 7, begunAtMs: NOW, acceptedSince: 0 }, 7],
    ['grows with what we added', { depth: 7, begunAtMs: NOW, acceptedSince: 3 }, 10],
    [
      'falls by what was released since',
      { depth: 7, begunAtMs: NOW - 2_900, acceptedSince: 0, releaseIntervalMs: 1_000 },
      5,
    ],
    [
      'falls only by what was released since it was answered: what left before may be missing from it already',
      { depth: 7, begunAtMs: NOW - 2_900, readAtMs: NOW - 900, acceptedSince: 0, releaseIntervalMs: 1_000 },
      7,
    ],
    ['is never below nothing', { depth: 1, begunAtMs: NOW - 9_000, acceptedSince: 0, releaseIntervalMs: 1_000 }, 0],
    ['does not fall while the pace is not known', { depth: 7, begunAtMs: NOW - 60_000, acceptedSince: 0 }, 7],
    [
      'falls by the slowest pace ever seen while it cannot be read',
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
      'is what we added, where it never could be read',
      { acceptedSince: 4, unreadableSinceMs: NOW - ASSUMED_INTERVAL_MS },
      3,
    ],
  ])('%s', (_, queue, depth) => {
    expect(estimatedDepth({ unlisted: 0, ...queue }, NOW)).toBe(depth);
  });
});

describe('what waits in a queue without being listed there', () => {
  it.each([
    ['is added to a reading', { depth: 7, begunAtMs: NOW, acceptedSince: 3 }, 12],
    [
      'is not released before it was seen leaving',
      { depth: 1, begunAtMs: NOW - 9_000, acceptedSince: 0, releaseIntervalMs: 1_000 },
      2,
    ],
    ['counts while the queue cannot be read', { acceptedSince: 0, unreadableSinceMs: NOW - 60_000 }, 2],
  ])('%s', (_, queue, depth) => {
    expect(estimatedDepth({ unlisted: 2, ...queue }, NOW)).toBe(depth);
  });
});

describe('the pace of a queue', () => {
  const base = { depth: 10, atMs: NOW };

  it('is not known from one reading', () => {
    expect(learnPace({}, base, 0)).toEqual({ base });
  });

  it('is the time by what was released, where the queue was never empty', () => {
    expect(learnPace({ base }, { depth: 5, atMs: NOW + 6_000 }, 7)).toMatchObject({ intervalMs: 500, base });
  });

  it('is not learned from fewer than three releases', () => {
    expect(learnPace({ base }, { depth: 8, atMs: NOW + 6_000 }, 0)).toEqual({ base });
  });

  it('is believed at once when it is faster than it was', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 5, atMs: NOW + 500 }, 0)).toMatchObject({ intervalMs: 100, largestMs: 1_000 });
  });

  it('is believed by and by when it is slower, since others may have added items', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 5, atMs: NOW + 10_000 }, 0)).toMatchObject({ intervalMs: 1_300, largestMs: 1_300 });
  });

  it('comes close to the truth again after others have made it look slow', () => {
    let pace: Pace = { base, intervalMs: 3_000, largestMs: 3_000 };
    pace = learnPace(pace, { depth: 5, atMs: NOW + 2_500 }, 0);
    expect(pace.intervalMs).toBe(500);
  });

  it('says nothing of a queue that was empty as it should be', () => {
    const pace: Pace = { base, intervalMs: 100, largestMs: 100 };
    const empty = { depth: 0, atMs: NOW + 60_000 };
    expect(learnPace(pace, empty, 5)).toEqual({ ...pace, base: empty });
  });

  it('is faster by far, perhaps, when the queue is empty before its time', () => {
    const pace: Pace = { base, intervalMs: 1_000, largestMs: 1_000 };
    expect(learnPace(pace, { depth: 0, atMs: NOW + 8_000 }, 10)).toMatchObject({ intervalMs: 100 });
  });

  it('is counted from a younger reading once the base is old', () => {
    const later = { depth: 5, atMs: NOW + 100_000 };
    expect(learnPace({ base, intervalMs: 1_000, largestMs: 1_000 }, later, 95)).toMatchObject({ base: later });
  });

  it('is never longer than an account’s delay can be', () => {
    expect(learnPace({ base }, { depth: 5, atMs: NOW + 9_000_000 }, 0).intervalMs).toBe(600_000);
  });
});
