/**
 * The last questions of a chaos run to the rules (`everpost prove --kills 8 --messages 60 --seed 1`), and the rule that
 * decides each. The gateway accepted none of the open ones.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decide, type AccountedId, type Decision, type DecisionInput } from '../../src/domain/index.js';

interface Recorded {
  readonly question: Omit<DecisionInput, 'accounted'> & {
    readonly accounted: readonly (readonly [string, AccountedId])[];
  };
  readonly decided: Partial<Decision>;
}

const RECORDED = JSON.parse(readFileSync(new URL('recorded-questions.json', import.meta.url), 'utf8')) as Recorded[];
const CASES = RECORDED.map(({ question, decided }, place) => ({
  name: `${place + 1}: ${Object.values(decided).join(', ')}`,
  question: { ...question, accounted: new Map(question.accounted) } satisfies DecisionInput,
  decided,
}));

test.each(CASES)('the rules decide question $name', ({ question, decided }) => {
  expect(decide(question)).toMatchObject(decided);
});
