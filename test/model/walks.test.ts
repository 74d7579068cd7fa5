import fc from 'fast-check';
import { expect, test } from 'vitest';
import { walk } from './explore.js';
import type { Scenario } from './world.js';
import { runs } from '../support/runs.js';

/** More messages and faults than can be explored in every order. */
const LARGE: readonly Scenario[] = [
  {
    name: 'four messages, three of them identical, with every fault',
    rows: [{ text: 'a' }, { text: 'a' }, { text: 'b' }, { text: 'a' }],
    faults: {
      loseResponse: 2,
      loseRequest: 2,
      cutConnection: 2,
      crash: 2,
      freeze: 2,
      reword: 1,
      clear: 1,
      restart: 1,
      unmatchedOther: 2,
      phoneEqual: 1,
      swapNotices: 3,
    },
    ticks: 8,
    receipts: 2,
    slowReadings: true,
    unresolvedPollsAgain: true,
  },
  {
    name: 'texts, files and statuses without notifications, some of them cancelled',
    rows: [{ text: 'a' }, { text: 'a', kind: 'file' }, { text: 'a', kind: 'status' }, { text: 'b' }],
    faults: {
      loseResponse: 2,
      loseRequest: 2,
      cutConnection: 1,
      crash: 2,
      freeze: 2,
      clear: 1,
      restart: 1,
      cancel: 2,
      stop: 1,
    },
    ticks: 8,
    notices: false,
    journal: true,
    slowReadings: true,
  },
  {
    name: 'messages with and without permission to be sent again on presumption',
    rows: [{ text: 'a', onUnknown: 'auto' }, { text: 'b' }, { text: 'c', onUnknown: 'auto' }, { text: 'd' }],
    faults: { loseResponse: 3, loseRequest: 3, cutConnection: 2, crash: 2, freeze: 2, reword: 1, unmatchedOther: 1 },
    ticks: 8,
    receipts: 1,
  },
];

test.each(LARGE)('a random path violates no invariant: $name', (scenario) => {
  const choices = fc.array(fc.nat(1_000), { minLength: 20, maxLength: 160, size: 'max' });
  fc.assert(
    fc.property(choices, (numbers) => {
      expect(walk(scenario, numbers)).toBeUndefined();
    }),
    { numRuns: runs(200) },
  );
});

test('a random path finds a doubled message when a rule is off', () => {
  const [scenario] = LARGE;
  const choices = fc.array(fc.nat(1_000), { minLength: 20, maxLength: 160, size: 'max' });
  const found = fc.check(
    fc.property(
      choices,
      (numbers) => walk(scenario!, numbers, { without: 'PROTOCOL-1.no-blind-repeat' }) === undefined,
    ),
    { numRuns: 200, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});
