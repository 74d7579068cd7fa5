import { expect, it } from 'vitest';
import { campaignDefinitionSchema } from '../../src/contract/schemas.js';

const CAMPAIGN = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
const problemsOf = (autoPause: unknown) =>
  campaignDefinitionSchema.safeParse({ ...CAMPAIGN, autoPause }).error?.issues.map(({ path }) => path.join('.'));

it.each([
  'off',
  {},
  { failureRate: 1 },
  { failureRate: 0.05, sampleSize: 200, minSamples: 100 },
  { minSamples: 50 },
  { sampleSize: 20 },
])('a campaign’s autoPause may be %j', (autoPause) => {
  expect(problemsOf(autoPause)).toBeUndefined();
});

it.each([
  ['on', ['autoPause']],
  [{ failureRate: 0 }, ['autoPause.failureRate']],
  [{ failureRate: 30 }, ['autoPause.failureRate']],
  [{ shares: 0.3 }, ['autoPause']],
  [{ minSamples: 51 }, ['autoPause.minSamples']],
  [{ sampleSize: 19 }, ['autoPause.minSamples']],
])('a campaign’s autoPause may not be %j', (autoPause, problems) => {
  expect(problemsOf(autoPause)).toEqual(problems);
});
