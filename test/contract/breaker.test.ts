import { expect, it } from 'vitest';
import { campaignDefinitionSchema } from '../../src/contract/schemas.js';

const CAMPAIGN = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
const problemsOf = (breaker: unknown) =>
  campaignDefinitionSchema.safeParse({ ...CAMPAIGN, breaker }).error?.issues.map(({ path }) => path.join('.'));

it.each(['off', {}, { share: 1 }, { share: 0.05, last: 200, least: 100 }, { least: 50 }, { last: 20 }])(
  'a campaign’s breaker may be %j',
  (breaker) => {
    expect(problemsOf(breaker)).toBeUndefined();
  },
);

it.each([
  ['on', ['breaker']],
  [{ share: 0 }, ['breaker.share']],
  [{ share: 30 }, ['breaker.share']],
  [{ shares: 0.3 }, ['breaker']],
  [{ least: 51 }, ['breaker.least']],
  [{ last: 19 }, ['breaker.least']],
])('a campaign’s breaker may not be %j', (breaker, problems) => {
  expect(problemsOf(breaker)).toEqual(problems);
});
