/**
 * Random sequences of what callers, operators, the gateway and machines do, over the real ledger and the product's own
 * core: see test/model/README.md.
 */
import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../support/runs.js';
import { steps, stepsOf, type Step } from './commands.js';
import { play, type Sequence } from './play.js';
import { shrink } from './shrink.js';

const { MODEL_REPLAY, MODEL_SEED = '1', MODEL_SURVEY, MODEL_FIRST } = process.env;

test('what is always so holds in random sequences', async () => {
  if (MODEL_REPLAY !== undefined) return play(JSON.parse(MODEL_REPLAY) as Sequence);
  expect(await shownBy(steps([], 14), runs(80))).toBe('');
}, 3_600_000);

test('what is always so holds in random sequences with campaigns', async () => {
  expect(await shownBy(stepsOf(['campaign'], 14), runs(24))).toBe('');
}, 3_600_000);

test('what is always so holds in random sequences with schedules', async () => {
  expect(await shownBy(stepsOf(['schedule'], 14), runs(8))).toBe('');
}, 3_600_000);

test('what is always so holds in random sequences with campaigns and schedules', async () => {
  expect(await shownBy(stepsOf(['campaign', 'schedule'], 16), runs(8))).toBe('');
}, 3_600_000);

/** What the sequences show that is not so; the first one, shortened, unless all are played. */
async function shownBy(arbitrary: fc.Arbitrary<Step[]>, numRuns: number): Promise<string> {
  const sequence = fc.record({ seed: fc.nat(), steps: arbitrary });
  const failures: string[] = [];
  for (const one of fc.sample(sequence, { seed: Number(MODEL_SEED), numRuns })) {
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
  return failures.join('\n\n');
}

async function failureOf(one: Sequence): Promise<string | undefined> {
  try {
    await play(one);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
