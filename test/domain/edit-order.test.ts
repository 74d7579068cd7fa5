import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editSpacingMs, orderEdits } from '../../src/domain/index.js';

const S = 1_000;

/** Posts the edits in the given order. @returns the time of each post, by the end of its window */
function play(untils: readonly number[], spacingMs: number): { untilMs: number; atMs: number }[] {
  let left = untils.map((untilMs) => ({ untilMs }));
  const posted: { untilMs: number; atMs: number }[] = [];
  for (let nowMs = 0; ; nowMs += spacingMs) {
    const { next } = orderEdits(left, { nowMs, spacingMs });
    if (next === undefined) return posted;
    left = left.filter((edit) => edit !== next);
    posted.push({ ...next, atMs: nowMs });
  }
}

/** The greatest number that any order can post in time: the earliest end first. */
function most(untils: readonly number[], spacingMs: number): number {
  let count = 0;
  for (const untilMs of untils.toSorted((a, b) => a - b)) if (count * spacingMs < untilMs) count += 1;
  return count;
}

describe('the order of edits', () => {
  it('ORDER-2 posts the newest first when all can be posted', () => {
    expect(play([100 * S, 300 * S, 200 * S], S).map(({ untilMs }) => untilMs)).toEqual([300 * S, 200 * S, 100 * S]);
  });

  it('ORDER-2 posts an older one before the newest only if it would be too late otherwise', () => {
    expect(play([2 * S, 300 * S, 200 * S, 250 * S], S).map(({ untilMs }) => untilMs)).toEqual([
      300 * S,
      2 * S,
      250 * S,
      200 * S,
    ]);
  });

  it('ORDER-1 omits the oldest when not all can be posted', () => {
    expect(play([S, S, S, 2 * S, 3 * S], S).map(({ untilMs }) => untilMs)).toEqual([S, 2 * S, 3 * S]);
  });

  it('ORDER-1 reaches about 800 of 1,780 messages that were sent at two a second for 15 minutes', () => {
    const untils = Array.from({ length: 1_780 }, (_, index) => (index + 1) * 500);
    const spacingMs = editSpacingMs(1);

    const { reachable } = orderEdits(
      untils.map((untilMs) => ({ untilMs })),
      { nowMs: 0, spacingMs },
    );

    expect(reachable).toBe(810);
    const posted = play(untils, spacingMs);
    expect(posted).toHaveLength(reachable);
    expect(Math.min(...posted.map(({ untilMs }) => untilMs))).toBe(485.5 * S);
  });

  it('ORDER-1 posts as many as any order can, each in time, and as many as predicted', () => {
    const untils = fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(untils, fc.integer({ min: 1, max: 7 }), (given, spacingMs) => {
        const posted = play(given, spacingMs);
        expect(posted.every(({ untilMs, atMs }) => atMs < untilMs)).toBe(true);
        expect(posted).toHaveLength(most(given, spacingMs));
        const edits = given.map((untilMs) => ({ untilMs }));
        expect(orderEdits(edits, { nowMs: 0, spacingMs }).reachable).toBe(posted.length);
      }),
    );
  });

  it('reaches all open ones when edits are not limited', () => {
    const edits = [{ untilMs: 5 }, { untilMs: 9 }, { untilMs: -1 }];
    expect(orderEdits(edits, { nowMs: 0, spacingMs: editSpacingMs(0) })).toEqual({ next: edits[1], reachable: 2 });
  });
});
