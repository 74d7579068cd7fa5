import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderContent, valueFor } from '../../src/domain/index.js';

function rendered(text: string, values: Readonly<Record<string, string>> = {}): unknown {
  return renderContent({ kind: 'text', text }, values)['text'];
}

describe('the value of a variable', () => {
  it.each(['first name', 'First_Name', 'FIRST-NAME', 'firstName', ' fïrst name '])(
    'is that of the column "First Name" for {{%s}}',
    (name) => {
      expect(rendered(`Hi {{${name}}}!`, { city: 'Ulm', 'First Name': 'Ann' })).toBe('Hi Ann!');
    },
  );

  it('is not that of an empty column, or of another property', () => {
    expect(valueFor({ Name: ' ', NAME: 'Ann' }, 'name')).toBe('Ann');
    expect(valueFor({ city: 'Ulm' }, 'toString')).toBeUndefined();
  });
});

describe('an empty value', () => {
  it.each([
    ['takes one of the two blanks around it', 'Hi {{name|}} and welcome', 'Hi and welcome'],
    ['takes the blank before a comma', 'Hi {{name|}}, welcome', 'Hi, welcome'],
    ['takes the blank before a full stop', 'See you {{day|}}. Bye', 'See you. Bye'],
    ['takes one blank of a French exclamation', 'Bonjour {{nom|}} !', 'Bonjour !'],
    ['takes the blank after it at the beginning of a line', 'Hi,\n{{intro|}} we open', 'Hi,\nwe open'],
    ['takes the blank before it at the end of a line', 'Hi {{name|}}\nwe open {{day|}}', 'Hi\nwe open'],
    ['leaves one blank where two values are empty', 'Hi {{first|}} {{last|}} there', 'Hi there'],
    ['leaves one blank around adjacent variables', 'Hi {{first|}}{{last|}} there', 'Hi there'],
    ['leaves the blanks of the operator', 'A  B {{x|}} C  D', 'A  B C  D'],
    ['leaves a word whole', 'pre{{x|}}fix', 'prefix'],
  ])('%s', (_, text, expected) => {
    expect(rendered(text)).toBe(expected);
  });

  it('changes nothing of a text whose values are not empty', () => {
    const part = fc.constantFrom(' ', '  ', '\n', ',', '.', 'a', '{', '}', '{{ }}', '{{x|}}', '{{y|b}}', '\t');
    const shown: Readonly<Record<string, string>> = { '{{x|}}': 'X', '{{y|b}}': 'b' };
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const separated = parts.flatMap((one) => [one, '-']);
        const expected = separated.map((one) => shown[one] ?? one).join('');
        expect(rendered(separated.join(''), { x: 'X' })).toBe(expected);
      }),
    );
  });

  it('takes linear time', () => {
    const startedMs = performance.now();
    rendered('{{x|}} ,'.repeat(12_000));
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
