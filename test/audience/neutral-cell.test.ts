import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutralCell, plainCell } from '../../src/audience/table/neutral-cell.js';
import { readAll } from './cast.js';

describe('a CSV cell in our output', () => {
  it.each([
    ['=cmd|"/c calc"!A1', `'=cmd|"/c calc"!A1`],
    ['+1+cmd', "'+1+cmd"],
    ['-2+3', "'-2+3"],
    ['+1 2+A1', "'+1 2+A1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ["'=1", "''=1"],
  ])('is no formula in a spreadsheet: %j', (text, cell) => {
    expect(neutralCell(text)).toBe(cell);
  });

  it.each(['+15551234567', '+49 1511 2345678', '-5', '15551234567@c.us', 'Ann', "'quoted'", '', "'"])(
    'is unchanged: %j',
    (text) => {
      expect(neutralCell(text)).toBe(text);
    },
  );

  it('is read back unchanged', () => {
    const texts = fc
      .array(fc.constantFrom('=', '+', '-', '@', "'", '\t', ' ', '1', 'a'))
      .map((signs) => signs.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(plainCell(neutralCell(text))).toBe(text);
      }),
    );
  });

  it('loses its apostrophe in an import, as a number and as a value', async () => {
    const { recipients } = await readAll("phone,note\n'+1 555 000 0001,'=1+1\n");

    expect(recipients).toMatchObject([{ chatId: '15550000001@c.us', values: { note: '=1+1' } }]);
  });
});
