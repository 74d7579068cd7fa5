import { expect, it } from 'vitest';
import { createLoadMeter } from '../../src/starter/index.js';

/** Proves LOAD-1. */
it('a process is busy while more than ten requests a second come, and for a short time after them', () => {
  let nowMs = 10_000;
  const load = createLoadMeter(() => nowMs);
  load.count(5);
  expect(load.isBusy()).toBe(false);
  load.count();
  expect(load.isBusy()).toBe(true);
  nowMs += 500;
  expect(load.isBusy()).toBe(true);
  nowMs += 500;
  expect(load.isBusy()).toBe(false);
  load.count(6);
  nowMs += 1_500;
  expect(load.isBusy()).toBe(false);
});
