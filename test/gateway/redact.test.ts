import { array, assert, constant, constantFrom, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/contract/index.js';
import { redact } from '../../src/gateway/index.js';
import { runs } from '../support/runs.js';

const TOKEN = 't0k/en+%ü';
const token = new Secret(TOKEN);

/** Every notation of a character that a gateway, a proxy or a parser might use. */
function formsOf(character: string): string[] {
  const bytes = [...Buffer.from(character, 'utf8')];
  const percent = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  );
  return [
    character,
    percent,
    percent.toUpperCase(),
    percent.replaceAll('%', '%25'),
    percent.replaceAll('%', '%2525'),
    units.join(''),
    `&#${point};`,
    `&#x${point.toString(16)};`,
    Buffer.from(bytes).toString('latin1'),
    encodeURIComponent(character),
    JSON.stringify(character).slice(1, -1),
  ];
}

describe('redact', () => {
  it.each([
    TOKEN,
    encodeURIComponent(TOKEN),
    encodeURI(TOKEN),
    encodeURIComponent(encodeURIComponent(TOKEN)),
    encodeURIComponent(TOKEN).toLowerCase(),
    JSON.stringify(TOKEN).slice(1, -1).replaceAll('/', '\\/'),
    TOKEN.toUpperCase(),
  ])('removes the token from a text that contains it as %s', (form) => {
    expect(redact(`before ${form} after`, [token])).toBe('before [secret] after');
  });

  it('removes it in any mixture of encodings', () => {
    // One of each kind: plain, special in paths, queries, JSON or HTML, of two, three and four bytes.
    const character = constantFrom(...Array.from('aZ09-_./+%?#& "\\<>\'ü€😀'));
    const mixed = array(
      character.chain((one) => tuple(constant(one), constantFrom(...formsOf(one)))),
      {
        minLength: 6,
        maxLength: 30,
      },
    ).map((pairs) => [pairs.map(([one]) => one).join(''), pairs.map(([, form]) => form).join('')] as const);
    assert(
      property(mixed, ([value, form]) => {
        expect(redact(`<<${form}>>`, [new Secret(value)])).toBe('<<[secret]>>');
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['/', '%2F', '%252f', '\\/'])(
    "hides any path segment at the token's place, with %s between segments",
    (slash) => {
      const path = ['', 'waInstance1101000001', 'sendMessage', 'c29tZSBvdGhlciBmb3Jt'].join(slash);
      expect(redact(`Cannot POST ${path} here`, [token])).toBe(
        `Cannot POST ${path.replace('c29tZSBvdGhlciBmb3Jt', '[secret]')} here`,
      );
    },
  );

  it('leaves other words unchanged, also with an empty token or none', () => {
    expect(redact('Validation failed', [token])).toBe('Validation failed');
    expect(redact('Validation failed', [])).toBe('Validation failed');
    expect(redact('Validation failed', [new Secret('')])).toBe('Validation failed');
  });

  it('removes several tokens, as during a rotation', () => {
    expect(redact('old-1 and new-2', [new Secret('old-1'), new Secret('new-2')])).toBe('[secret] and [secret]');
  });
});
