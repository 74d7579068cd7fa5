/**
 * Random sequences of what callers, operators, the gateway and machines do, over the real ledger and the product's own
 * core: see test/model/README.md.
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
