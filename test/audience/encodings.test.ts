import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';
import { runs } from '../support/runs.js';

const ENCODERS: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16, little end first': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16 with a mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16, big end first': (text) => Buffer.from(text, 'utf16le').swap16(),
  'UTF-16 with a mark, big end first': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  // The characters below have the same bytes in both.
  'Windows-1252': (text) => Buffer.from(text, 'latin1'),
};
const LINE_ENDS = ['\n', '\r\n', '\r'] as const;
const DELIMITERS = [',', ';', '\t', '|'] as const;

// Runs of letters outside of ASCII would look like another script.
const value = fc.string({
  unit: fc.constantFrom('a', 'Z', '7', ' ', 'éa', 'ßa', 'Ña', ',', ';', '|', '"', "'"),
  maxLength: 8,
});
const table = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 });

/** A whole value in quotes is read as it is, so every value is. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('a list', () => {
  it('gives the same recipients in any encoding, with any delimiter and line ends, in any pieces', async () => {
    const form = fc.record({
      encoding: fc.constantFrom(...Object.keys(ENCODERS)),
      delimiter: fc.constantFrom(...DELIMITERS),
      ends: fc.array(fc.constantFrom(...LINE_ENDS), { minLength: 1, maxLength: 3 }),
      says: fc.boolean(),
      piece: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(table, form, async (rows, { encoding, delimiter, ends, says, piece }) => {
        const numbers = rows.map((_, at) => `+1555000${1000 + 37 * at}`);
        const lines = [
          ...(says ? [`sep=${delimiter}`] : []),
          ['Größe', 'Phone', 'Name'].join(delimiter),
          ...rows.map(([size, name], at) => [quoted(size), numbers[at], quoted(name)].join(delimiter)),
        ];
        const text = lines.map((line, at) => line + (ends[at % ends.length] ?? '\n')).join('');
        const bytes = ENCODERS[encoding]?.(text) ?? Buffer.alloc(0);
        const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
          bytes.subarray(at * piece, (at + 1) * piece),
        );
        const { recipients, rejects } = await readAll(pieces);
        expect(rejects).toEqual([]);
        expect(recipients.map(({ chatId, values }) => [chatId, values['Größe'] ?? '', values['Name'] ?? ''])).toEqual(
          rows.map(([size, name], at) => [`${numbers[at]?.slice(1)}@c.us`, size, name]),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
