import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readInput } from '../../src/domain/index.js';
import { AppError } from '../../src/contract/index.js';

const SCHEMA = z.strictObject({
  instance: z.string().min(1),
  name: z.string().min(2).max(3).optional(),
  words: z.array(z.string()).min(1).max(2).optional(),
  content: z.record(z.string(), z.unknown()).optional(),
  count: z.int().min(1).max(9).optional(),
  share: z.number().gt(0).lt(1).optional(),
  isOn: z.boolean().optional(),
  own: z.string().min(1, 'needs our words').optional(),
});

function wordsFor(input: unknown): string {
  try {
    readInput(SCHEMA, input, 'The input');
  } catch (error) {
    if (error instanceof AppError) return error.message.replace(/^The input is refused: (.*)\. Correct .*$/, '$1');
    throw error;
  }
  throw new Error('the input was not refused');
}

describe('the problem of a field says what it may be, without the words of a library', () => {
  it.each([
    [{}, 'instance is missing: give a text'],
    [{ instance: '' }, 'instance is empty'],
    [{ instance: 'a', name: 'b' }, 'name has too few characters: at least 2 are needed'],
    [{ instance: 'a', name: 'bcde' }, 'name has too many characters: at most 3 are allowed'],
    [{ instance: 'a', words: [] }, 'words is an empty list'],
    [{ instance: 'a', words: ['b', 'c', 'd'] }, 'words has too many entries: at most 2 are allowed'],
    [{ instance: 'a', count: 0 }, 'count is less than 1'],
    [{ instance: 'a', count: 10 }, 'count is more than 9'],
    [{ instance: 'a', count: 1.5 }, 'count is not a whole number'],
    [{ instance: 'a', share: 0 }, 'share is not more than 0'],
    [{ instance: 'a', share: 1 }, 'share is not less than 1'],
    [{ instance: 1 }, 'instance is not a text'],
    [{ instance: 'a', content: [] }, 'content is not an object'],
    [{ instance: 'a', words: 'b' }, 'words is not a list'],
    [{ instance: 'a', isOn: 'yes' }, 'isOn is not true or false'],
    [{ instance: 'a', own: '' }, 'own needs our words'],
    [[], 'is not an object'],
  ])('%j: %s', (input, words) => {
    expect(wordsFor(input)).toBe(words);
  });
});
