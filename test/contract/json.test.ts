import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  JsonTooDeepError,
  MAX_JSON_LEVELS,
  canonicalJson,
  parseJson,
  wellFormed,
  wellFormedJson,
} from '../../src/contract/index.js';

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

/** Texts in which unstorable characters are likely. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud83d', '\ude00', '\\', 'u0000', '\\u0000', '\\ud800', '"', 'a', '\u001f', '😀'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});
const value = fc.anything({ values: [text, fc.double(), fc.boolean(), fc.constant(null)], key: text, maxDepth: 3 });

/** Value by value, as a reader would do it. */
function replaced(given: unknown): unknown {
  if (typeof given === 'string') return Buffer.from(given.replaceAll('\0', '\uFFFD')).toString('utf8');
  if (Array.isArray(given)) return given.map(replaced);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([key, inner]) => [replaced(key), replaced(inner)]));
}

describe('a text for the ledger', () => {
  it('has U+FFFD instead of NUL and of each half of a surrogate pair, and is otherwise unchanged', () => {
    expect(wellFormed('a\0b \ud83d \ude00 😀 \\u0000')).toBe('a\uFFFDb \uFFFD \uFFFD 😀 \\u0000');
  });

  it('can be written as UTF-8 and read back, whatever it was', () => {
    fc.assert(
      fc.property(text, (given) => {
        const stored = wellFormed(given);
        expect(stored).not.toContain('\0');
        expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
      }),
    );
  });
});

describe('a JSON text for the ledger', () => {
  it.each([
    ['{"a\\u0000b":"\\uD83D"}', { 'a\uFFFDb': '\uFFFD' }],
    ['"\\uD83D\\uDE00 \\ud83d\\ude00"', '😀 😀'],
    ['"\\ud83d\\ud83d\\ude00\\ude00"', '\uFFFD😀\uFFFD'],
    // An escaped backslash, followed by letters that are no escape.
    ['"\\\\u0000 \\\\\\u0000 \\\\\\\\ud800"', '\\u0000 \\\uFFFD \\\\ud800'],
    ['{"a":1,"a":"\\u0000"}', { a: '\uFFFD' }],
  ])('%s is replaced by tokens', (json, expected) => {
    expect(JSON.parse(wellFormedJson(json))).toEqual(expected);
  });

  it('has the same values as after a replacement one by one', () => {
    fc.assert(
      fc.property(value, (given) => {
        const json = JSON.stringify(given) ?? 'null';
        expect(JSON.parse(wellFormedJson(json))).toEqual(replaced(JSON.parse(json)));
      }),
    );
  });

  it('may be nested deeper than any stack', () => {
    const deep = `${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`;
    expect(wellFormedJson(deep)).toBe(deep.replace('\\u0000', '\uFFFD'));
  });
});
