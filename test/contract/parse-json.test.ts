import { describe, expect, it } from 'vitest';
import { JsonTooDeepError, MAX_JSON_LEVELS, canonicalJson, parseJson } from '../../src/contract/index.js';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('foreign JSON', () => {
  it('is parsed down to the deepest allowed level', () => {
    expect(canonicalJson(parseJson(lists(MAX_JSON_LEVELS)))).toBe(lists(MAX_JSON_LEVELS));
  });

  it.each([MAX_JSON_LEVELS + 1, 20_000])('is refused when it is %i levels deep', (levels) => {
    expect(() => parseJson(lists(levels))).toThrow(JsonTooDeepError);
  });

  it('may have any number of brackets in its texts, and side by side', () => {
    const value = { text: `"\\${'[{'.repeat(1_000)}`, list: Array.from({ length: 1_000 }, () => [[]]) };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });
});

describe('a value that is too deep, and was no text', () => {
  it('is refused before it exhausts the stack', () => {
    const deep = JSON.parse(lists(20_000)) as unknown;
    expect(() => canonicalJson(deep)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  });
});
