import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';
import { runs } from '../support/runs.js';

/** The verdict of each line, in short. */
async function verdicts(csv: string, options: Parameters<typeof readAll>[1] = {}): Promise<Record<number, string>> {
  const { recipients, rejects } = await readAll(csv, options);
  return Object.fromEntries([
    ...recipients.map(({ line, chatId, values }) => [
      line,
      [chatId.replace('@c.us', ''), ...Object.values(values)].join(' '),
    ]),
    ...rejects.map(({ line, reason }) => [line, reason]),
  ]) as Record<number, string>;
}

/** Proves CSV-1 to CSV-3. */
describe('the head of a CSV file', () => {
  it.each([
    ['commas', 'phone,name\n15550000001,Ann\n'],
    ['semicolons', 'phone;name\n15550000001;Ann\n'],
    ['tabs', 'phone\tname\n15550000001\tAnn\n'],
    ['bars', 'phone|name\n15550000001|Ann\n'],
    ['spaces around its names', ' phone , name \n15550000001,Ann\n'],
    ['quotes', '"phone","name"\n"15550000001","Ann"\n'],
    ['a phone column in capitals and Windows line ends', 'PHONE,name\r\n15550000001,Ann\r\n'],
    ['a byte order mark', '\uFEFFphone,name\n15550000001,Ann\n'],
    ['blank lines before it', '\n \nphone,name\n15550000001,Ann\n'],
    ['no line end after the last line', 'phone,name\n15550000001,Ann'],
    ['a quote inside a name', 'phone,"name"\n15550000001,Ann\n'],
  ])('is accepted with %s', async (_, csv) => {
    const { recipients, rejects } = await readAll(csv);
    expect(rejects).toEqual([]);
    expect(recipients).toMatchObject([{ chatId: '15550000001@c.us', values: { name: 'Ann' } }]);
  });

  it('prefers the delimiter that gives a column for the number', async () => {
    const { recipients } = await readAll('first, last, title;phone\nAnn;15550000001\n');
    expect(recipients).toMatchObject([{ values: { 'first, last, title': 'Ann' } }]);
  });

  it('is read with the given delimiter', async () => {
    expect(await verdicts('phone;a,b\n15550000001;x,y\n', { delimiter: ';' })).toEqual({ 2: '15550000001 x,y' });
  });

  it.each([
    ['the file is empty', ''],
    ['the file is empty', ' \n\n'],
    ['the header is missing', '15550000001,Ann\n'],
    ['the header is missing', 'Ann,+15550000001\nBo,+15550000012\nCy,+15550000101\n'],
    ['The columns are "first", "last"', 'first,last\nAnn,Lee\n'],
    ['the header cannot be read', `phone,"${'x'.repeat(70_000)}`],
  ])('is refused as a whole: %s', async (words, csv) => {
    const refused = readAll(csv);
    await expect(refused).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(words) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('15550000001') });
  });
});

describe('a line of a CSV file', () => {
  it('is numbered as in an editor: where its record begins', async () => {
    const csv = 'phone,name\n\n15550000001,"Ann\nof two lines"\n15550000002,"said ""hi"", twice"\n\n\nbad,x\n';
    expect(await verdicts(csv)).toEqual({
      3: '15550000001 Ann\nof two lines',
      5: '15550000002 said "hi", twice',
      8: 'bad_number',
    });
  });

  it.each([
    ['has fewer columns than the head', '15550000002', '15550000002'],
    ['has empty cells beyond the head', '15550000002,Bob,, ', '15550000002 Bob'],
    ['has more columns than the head', '15550000001,Ann,x', 'unreadable'],
    ['has text after a closing quote', '15550000001,"Ann"x', 'unreadable'],
    ['opens a quote that is never closed', '15550000001,"Ann', 'unreadable'],
    ['is over 64 kB', `15550000001,${'x'.repeat(70_000)}`, 'unreadable'],
    ['has no number', ',Ann', 'number_missing'],
    ['has only spaces for a number', '  ,Ann', 'number_missing'],
    ['has words for a number', 'Ann,Ann', 'bad_number'],
    ['has a NUL in a value', '15550000001,A\0nn', 'bad_value'],
  ])('affects no other line when it %s', async (_, line, verdict) => {
    const csv = `phone,name\n15550000001,Ann\n${line}\n15550000003,"Cid"\n`;
    expect(await verdicts(csv)).toEqual({ 2: '15550000001 Ann', 3: verdict, 4: '15550000003 Cid' });
  });

  it('is refused in bytes that are not UTF-8, and no other line is', async () => {
    const { recipients, rejects } = await readAll([
      'phone,name\n15550000001,M',
      Uint8Array.of(0xfc),
      'ller\n15550000002,M\u00fcller\n',
    ]);
    expect(recipients).toMatchObject([{ line: 3, values: { name: 'M\u00fcller' } }]);
    expect(rejects).toMatchObject([{ line: 2, reason: 'bad_value', value: 'name: M\uFFFDller' }]);
  });

  it('keeps a value unchanged, and omits an empty one', async () => {
    const { recipients } = await readAll('phone,a,b,__proto__\n15550000001," x ",,p\n');
    expect(recipients[0]?.values).toEqual(
      Object.fromEntries([
        ['a', ' x '],
        ['__proto__', 'p'],
      ]),
    );
  });

  it('outside of allowedRecipients is refused, whatever its recipient', async () => {
    const rules = { allowedRecipients: new Set(['15550000001@c.us']) };
    expect(await verdicts('phone\n+1 555 000 0001\n15550000002\n', rules)).toEqual({
      2: '15550000001',
      3: 'not_allowed',
    });
  });

  it('is shown in its verdict with at most 200 characters', async () => {
    const { rejects } = await readAll(`phone\n${'x'.repeat(500)}\n`);
    expect(rejects).toEqual([
      { line: 2, reason: 'bad_number', value: 'x'.repeat(200), columns: { phone: 'x'.repeat(500) } },
    ]);
  });
});

describe('any CSV file', () => {
  const field = fc.oneof(
    fc.constantFrom('15550000001', 'Ann', '', '"', '""', '"a"', '"a\nb"', '"a', 'a"', '\r', ' ', '\0', '"x"y'),
    fc.string({ maxLength: 6 }),
  );
  const text = fc
    .array(
      fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => fields.join(',')),
      { maxLength: 12 },
    )
    .map((lines) => `phone,name\n${lines.join('\n')}`);

  it('has the same records wherever it is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200), { maxLength: 6 }), async (csv, cuts) => {
        const bytes = Buffer.from(csv);
        const at = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((one, other) => one - other),
          bytes.length,
        ];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(await readAll(pieces)).toEqual(await readAll(bytes));
      }),
      { numRuns: runs(200) },
    );
  });

  it('has one verdict for each of its records, in order, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (csv) => {
        const { recipients, rejects } = await readAll(csv);
        const lines = [...recipients, ...rejects].map(({ line }) => line).toSorted((one, other) => one - other);
        expect(new Set(lines).size).toBe(lines.length);
        expect(lines.every((line) => line >= 2 && line <= csv.split(/\r\n?|\n/).length)).toBe(true);
        // A line far from any quote is a record of its own, if it has more than delimiters.
        const written = csv.split(/\r\n?|\n/).flatMap((line, at) => (at > 0 && /[^\s,]/.test(line) ? [at + 1] : []));
        if (csv.includes('"')) expect(written).toEqual(expect.arrayContaining(lines));
        else expect(lines).toEqual(written);
      }),
      { numRuns: runs(200) },
    );
  });
});
