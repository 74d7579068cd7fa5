import { describe, expect, it } from 'vitest';
import { age, showPage, table, type Column } from '../../src/cli/table.js';
import type { Terminal } from '../../src/cli/terminal.js';

interface Row {
  readonly id: string;
  readonly count?: number;
  readonly text?: string;
}
const COLUMNS: readonly Column<Row>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'COUNT', value: ({ count }) => count, align: 'right' },
  { header: 'TEXT', value: ({ text }) => text },
];

describe('a table', () => {
  it('has a header, and columns as wide as their contents', () => {
    const rows = [{ id: 'sale', count: 3, text: 'Hello' }, { id: 'spring-sale' }];
    expect(table(COLUMNS, rows)).toEqual([
      'ID           COUNT  TEXT',
      'sale             3  Hello',
      'spring-sale      -  -',
    ]);
  });

  it('fits in the window: only the last column is truncated', () => {
    const id = 'x'.repeat(40);
    const lines = table(COLUMNS, [{ id, text: 'word '.repeat(40) }], 80);
    expect(lines[1]?.length).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(new RegExp(`^${id} .*word…$`));
    expect(table(COLUMNS, [{ id, text: 'word '.repeat(40) }])[1]?.length).toBeLessThanOrEqual(100);
    expect(table(COLUMNS, [{ id, text: 'a text of its own' }], 20)[1]).toContain(id);
  });

  it('counts double-width characters as two columns', () => {
    const lines = table(
      COLUMNS,
      [
        { id: '日本', text: '注文の準備ができました' },
        { id: 'abcd', text: 'x' },
      ],
      25,
    );
    expect(lines).toEqual(['ID    COUNT  TEXT', '日本      -  注文の準備…', 'abcd      -  x']);
  });

  it('is not broken by the characters of a text', () => {
    expect(table(COLUMNS, [{ id: 'a', text: 'one\ntwo\u001b[2Jthree' }])[1]).toBe(
      'a       -  one\\ntwo\\u001b[2Jthree',
    );
  });
});

describe('a page of a list', () => {
  function shown(items: readonly Row[], cursor?: string): { out: string[]; err: string[] } {
    const [out, err]: [string[], string[]] = [[], []];
    const terminal = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
    showPage({ terminal: terminal as unknown as Terminal }, undefined, {
      columns: COLUMNS,
      page: { items, cursor },
      what: 'things',
    });
    return { out, err };
  }

  it('shows how to get the next one', () => {
    expect(shown([{ id: 'a' }], 'c-1').err).toEqual(['More: run the same command with --cursor c-1']);
    expect(shown([{ id: 'a' }]).err).toEqual([]);
  });

  it('is no table without rows', () => {
    expect(shown([])).toEqual({ out: [], err: ['No things found.'] });
  });
});

describe('an age', () => {
  it.each([
    [0, '0s'],
    [-5_000, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [59 * 60_000, '59m'],
    [3_600_000, '1h'],
    [47 * 3_600_000, '47h'],
    [48 * 3_600_000, '2d'],
    [400 * 86_400_000, '400d'],
  ])('of %i ms is written as %s', (ms, words) => {
    const now = Date.parse('2026-03-01T10:00:00Z');
    expect(age(new Date(now - ms).toISOString(), now)).toBe(words);
  });

  it('is empty without a time', () => {
    expect(age(undefined, 0)).toBeUndefined();
  });
});
