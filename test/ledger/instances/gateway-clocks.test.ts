import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE, NOW, SECOND, useCast } from '../cast.js';
import { runs } from '../../support/runs.js';

const cast = useCast();
const HOUR = 60 * MINUTE;
const between = (lowestMs: number, highestMs: number) => ({ lowestMs, highestMs });

it('CLOCK-1 the ledger knows no offset before the first response', async () => {
  const { ledger, instance } = cast();
  expect(await ledger.gatewayClocks.offset(instance, NOW)).toBeUndefined();
});

/** More than a month away, as a simulated clock may be. */
const SET = between(-40 * 24 * HOUR, -40 * 24 * HOUR + 1_000);
it.each([
  ['CLOCK-1 is the intersection of all responses', [between(-200, 1_100), between(-900, 300)], 0, between(-200, 300)],
  ['CLOCK-1 is not changed by a slow response', [between(-100, 950), between(-500, 5_500)], 0, between(-100, 950)],
  ['CLOCK-2 is wider an hour later', [between(100, 200), between(-1_000, 500)], HOUR, between(-620, 500)],
  [
    'CLOCK-2 is found if two processes report out of order',
    [between(0, 400), between(100, 900)],
    -10 * SECOND,
    between(98, 400),
  ],
  ['CLOCK-3 is only that of a response that contradicts the known one', [between(0, 400), SET], SECOND, SET],
] as const)('the offset of a clock: %s', async (_, [first, second], laterMs, expected) => {
  const { ledger, instance } = cast();
  await ledger.gatewayClocks.narrow(instance, first, NOW);

  expect(await ledger.gatewayClocks.narrow(instance, second, NOW + laterMs)).toEqual(expected);
  expect(await ledger.gatewayClocks.offset(instance, NOW + Math.max(0, laterMs))).toEqual(expected);
});

it('CLOCK-2 the ledger widens an offset that was measured an hour ago', async () => {
  const { ledger, instance } = cast();
  await ledger.gatewayClocks.narrow(instance, between(100, 200), NOW);

  expect(await ledger.gatewayClocks.offset(instance, NOW + HOUR)).toEqual(between(100 - 720, 200 + 720));
});

it('CLOCK-4 the ledger keeps the true offset inside, whatever the request and its duration', async () => {
  const { ledger } = cast();
  const request = fc.record({
    pauseMs: fc.integer({ min: 0, max: 20 * MINUTE }),
    thereMs: fc.integer({ min: 0, max: 400 }),
    heldMs: fc.constantFrom(0, 0, 0, 5_000, 60_000),
    backMs: fc.integer({ min: 0, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -3_000, max: 3_000 }),
      fc.double({ min: -100, max: 100, noNaN: true }),
      fc.array(request, { minLength: 1, maxLength: 8 }),
      async (firstOffsetMs, driftPerMillion, requests) => {
        const { instance } = cast();
        const offsetAt = (ms: number) => firstOffsetMs + ((ms - NOW) * driftPerMillion) / 1_000_000;
        let nowMs = NOW;
        for (const { pauseMs, thereMs, heldMs, backMs } of requests) {
          const leftMs = (nowMs += pauseMs);
          const writtenMs = leftMs + thereMs + heldMs;
          const dateMs = Math.floor((writtenMs + offsetAt(writtenMs)) / 1_000) * 1_000;
          nowMs = writtenMs + backMs;
          await ledger.gatewayClocks.narrow(instance, between(dateMs - nowMs, dateMs + 1_000 - leftMs), nowMs);
          const known = await ledger.gatewayClocks.offset(instance, nowMs);
          expect(known?.lowestMs).toBeLessThanOrEqual(offsetAt(nowMs));
          expect(known?.highestMs).toBeGreaterThanOrEqual(offsetAt(nowMs));
        }
      },
    ),
    { numRuns: runs(40) },
  );
});

it('CLOCK-1 the ledger keeps one interval when many responses arrive at the same moment', async () => {
  const { ledger, instance } = cast();
  const lows = [-500, -100, -300, -50, -400];

  await Promise.all(lows.map((low) => ledger.gatewayClocks.narrow(instance, between(low, low + 1_000), NOW)));

  expect(await ledger.gatewayClocks.offset(instance, NOW)).toEqual(between(-50, 500));
});
