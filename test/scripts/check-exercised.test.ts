import { describe, expect, test } from 'vitest';
import { EXCEPTIONS, notExercised } from '../../scripts/check-exercised.js';

const SEEN = new Set(['sendIt 202']);

function documentOf(...statuses: readonly string[]) {
  const responses = Object.fromEntries(statuses.map((status) => [status, {}]));
  const excepted = [...EXCEPTIONS].map((response) => response.split(' ') as [string, string]);
  const others = excepted.map(([operationId, status]) => [
    `${operationId}${status}`,
    { operationId, responses: { [status]: {} } },
  ]);
  return { paths: { '/it': { post: { operationId: 'sendIt', responses } }, '/others': Object.fromEntries(others) } };
}

describe('the API responses that tests have seen', () => {
  test('are complete when each documented one is among them, or an exception', () => {
    expect(notExercised(documentOf('202', '500', '503', 'default'), SEEN)).toEqual([]);
  });

  test('are incomplete without one', () => {
    expect(notExercised(documentOf('202', '409'), SEEN)).toEqual([expect.stringContaining('sendIt 409')]);
  });

  test('need no exception that is not documented', () => {
    const { post } = documentOf('202').paths['/it'];
    const problems = notExercised({ paths: { '/it': { post } } }, SEEN);
    expect(problems).toHaveLength(EXCEPTIONS.size);
    expect(problems[0]).toContain('is not documented. Remove it');
  });
});
