/**
 * Random sequences of what callers, operators, the gateway and machines do, over the real ledger and the product's own
 * core. `TEST_RUNS=20 npx vitest run test/model/sequences` plays many more, `MODEL_SEED` others, and MODEL_REPLAY
 * the sequence that a failure printed. With MODEL_SURVEY=file what each showed is written
 * to the file, and all are played unless MODEL_FIRST is set.
 *
 * What it finds when a repair is taken out, in which sequence of seed 1, and the test that shows the rest:
 *
 * | taken out                                                        | found by                                    |
 * | ---------------------------------------------------------------- | ------------------------------------------- |
 * | an outcome of an unknown attempt is dropped (TICKER-6)           | test/dispatch/dropped-outcomes.test.ts      |
 * | a shift lives as long as its process (PRESENCE-1), its last depth | test/ledger/dispatch/presence.test.ts, test/dispatch/rules.test.ts |
 * | a server that takes no writes is unavailable                     | Always 9, within 16                         |
 * | messages of a removed instance end by time (RECONCILE-7)         | Always 6, the 5th                           |
 * | a worker with a wrong clock stops (SKEW-1)                       | test/worker/clock-watch.test.ts             |
 * | a 429 without a pause is answered with one                       | Always 7, the 32nd                          |
 * | a backlog to a slow chat hides no other                          | test/ledger/dispatch/fairness.test.ts       |
 * | a timezone that is not known closes one stream (LIMIT-10)        | test/ledger/streams/limits.test.ts |
 * | several messages to one chat hide no other chat                  | Always 5; test/ledger/dispatch/fairness.test.ts |
 * | shifts are ordered without clocks (DISPATCH-1)                   | test/ledger/dispatch/tick/tick.test.ts      |
 * | a message goes into a stream that the ledger has                 | Always 5, after a restored copy             |
 * | a process reports which instances it serves (PRESENCE-6)         | Always 6, after a restored copy             |
 * | polls end with the evidence (RECONCILE-6)                        | Always 8, the 13th                          |
 * | blocking ends with it; no reading is kept                        | test/ledger/reconciling/ends.test.ts, test/activities/shared-readings.test.ts |
 * | an idle shift with an unknown outcome sleeps                     | Always 7, the 2nd                           |
 * | the effect of a cleared queue is recorded (CLEAR-2)              | Always 11, within 20                        |
 * | nothing is posted while a queue is cleared (CLEAR-1)             | Always 11, within 20                        |
 * | an item that may have left is not proved to be gone (CLEAR-3)    | Always 11, within 20                        |
 * | an acceptance that shows only after a clear is in doubt (CLEAR-5) | test/ledger/messages/queue-clears.test.ts |
 */
import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/runs.js';
import { steps } from './commands.js';
import { play, type Sequence } from './play.js';
import { shrink } from './shrink.js';

const { MODEL_REPLAY, MODEL_SEED = '1', MODEL_SURVEY, MODEL_FIRST } = process.env;

test('what is always so holds in random sequences', async () => {
  if (MODEL_REPLAY !== undefined) return play(JSON.parse(MODEL_REPLAY) as Sequence);
  const sequence = fc.record({ seed: fc.nat(), steps: steps([], 14) });
  const failures: string[] = [];
  for (const one of fc.sample(sequence, { seed: Number(MODEL_SEED), numRuns: runs(80) })) {
    const message = await failureOf(one);
    if (MODEL_SURVEY !== undefined) appendFileSync(MODEL_SURVEY, `${message ?? 'holds'}\n\n`);
    if (message === undefined) continue;
    if (MODEL_SURVEY === undefined) {
      failures.push(await shrink(one, message, failureOf));
      break;
    }
    failures.push(message);
    if (MODEL_FIRST !== undefined) break;
  }
  expect(failures.join('\n\n')).toBe('');
}, 3_600_000);

async function failureOf(one: Sequence): Promise<string | undefined> {
  try {
    await play(one);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
