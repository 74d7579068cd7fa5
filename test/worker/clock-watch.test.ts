import { expect, test } from 'vitest';
import { watchClock } from '../../src/worker/index.js';

const DATABASE_MS = Date.parse('2026-03-01T10:00:00.000Z');

test('SKEW-1 and SKEW-2: a worker stops while its clock differs from the database by more than five seconds, and says so', async () => {
  let aheadMs = 0;
  const logged: string[] = [];
  const dispatch = { clockMs: () => Promise.resolve(DATABASE_MS), tick: () => Promise.resolve('ticked') };
  const clocks = watchClock({
    dispatch,
    clock: { nowMs: () => DATABASE_MS + aheadMs },
    monotonicMs: () => 0,
    log: ({ message }) => logged.push(message),
  });
  const guarded = clocks.guard(dispatch as never);
  const tick = () => guarded.tick({} as never);
  const stopped = { code: 'LEDGER_UNAVAILABLE' };

  expect(clocks.isRight()).toBe(false);
  await expect(tick()).rejects.toMatchObject(stopped);
  await clocks.job.round();
  await expect(tick()).resolves.toBe('ticked');

  for (aheadMs of [25 * 60 * 60_000, -6_000]) {
    await clocks.job.round();
    await clocks.job.round();
    expect(clocks.isRight()).toBe(false);
    expect(clocks.problem()).toMatch(/its clock is \d+ s (ahead of|behind) the database's/);
    await expect(tick()).rejects.toMatchObject(stopped);
  }
  aheadMs = -5_000;
  await clocks.job.round();
  expect(clocks.isRight()).toBe(true);
  expect(clocks.problem()).toBeUndefined();
  expect(logged).toEqual([
    "this worker's clock agrees with the database's",
    expect.stringMatching(/^this worker stops: its clock is 90000 s ahead of the database's/),
    "this worker's clock agrees with the database's",
  ]);
});

test('SKEW-1: a worker whose clock differs from its start on says so once', async () => {
  const logged: string[] = [];
  const clocks = watchClock({
    dispatch: { clockMs: () => Promise.resolve(DATABASE_MS) },
    clock: { nowMs: () => DATABASE_MS + 25 * 60 * 60_000 },
    monotonicMs: () => 0,
    log: ({ message }) => logged.push(message),
  });
  await clocks.job.round();
  await clocks.job.round();
  expect(logged).toEqual([expect.stringMatching(/^this worker stops: its clock is 90000 s ahead of the database's/)]);
});

test('SKEW-3: a clock that is set stops the worker before the next comparison, and is compared again', async () => {
  const [set, passed] = [{ ms: 0 }, { ms: 0 }];
  const clocks = watchClock({
    dispatch: { clockMs: () => Promise.resolve(DATABASE_MS + passed.ms) },
    clock: { nowMs: () => DATABASE_MS + passed.ms + set.ms },
    monotonicMs: () => passed.ms,
    log: () => undefined,
  });
  await clocks.job.round();
  passed.ms = 60_000;
  expect(clocks.isRight()).toBe(true);
  for (const ms of [25 * 60 * 60_000, -6_000]) {
    set.ms = ms;
    expect(clocks.isRight()).toBe(false);
    set.ms = 0;
    expect(clocks.isRight()).toBe(true);
  }
});
