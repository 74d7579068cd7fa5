import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';

type Options = Parameters<typeof readAll>[1];

const file = (name: string) => readFileSync(new URL(`lists/${name}`, import.meta.url));

/** The recipients of a file in short: the number and some of its variables. */
async function read(name: string, variables: readonly string[], options: Options = {}) {
  const { recipients, rejects, facts } = await readAll(file(name), options);
  expect(rejects).toEqual([]);
  const shown = recipients.map(({ chatId, values }) => [
    chatId.replace('@c.us', ''),
    ...variables.map((variable) => values[variable]),
  ]);
  return { shown, phoneColumn: facts.phoneColumn?.name, encoding: facts.encoding };
}

const US = { defaultCountry: 'US' } as const;
const FR = { defaultCountry: 'FR' } as const;

/** Proves ENCODING-1 to ENCODING-4, PHONE-1 and PHONE-2. */
describe('a list as other programs export it', () => {
  it.each([
    ['google-contacts.csv', 'Phone 1 - Value'],
    ['outlook.csv', 'Mobile Phone'],
    ['hubspot.csv', 'Mobile Phone Number'],
    ['mailchimp.csv', 'Phone Number'],
    ['shopify.csv', 'Phone'],
  ])('%s is read as it is', async (name, phoneColumn) => {
    expect(await read(name, ['First Name', 'Last Name'], US)).toMatchObject({
      shown: [
        ['15550000101', 'Ann', 'Lee'],
        ['15550000102', 'Bo', 'Ray'],
      ],
      phoneColumn,
    });
  });

  it('running-number.csv has its numbers in the third column', async () => {
    expect(await read('running-number.csv', ['Number', 'Name'])).toMatchObject({
      shown: [
        ['15550000101', '1', 'Ann'],
        ['15550000102', '2', 'Bo'],
      ],
      phoneColumn: 'Phone Number',
    });
  });

  it('excel-german-windows-1252.csv is read with its delimiter, and a sample shows its encoding', async () => {
    expect(await read('excel-german-windows-1252.csv', ['Name', 'Straße'])).toEqual({
      shown: [
        ['4915100000101', 'Jörg', 'Höhe 1'],
        ['4915100000102', 'Ann', undefined],
      ],
      phoneColumn: 'Handynummer',
      encoding: { name: 'windows-1252', detected: true, sample: { line: 2, value: 'Straße' } },
    });
  });

  it.each([
    ['excel-unicode-text-utf-16.txt', { name: 'utf-16le', detected: false }],
    ['macintosh-cr.csv', { name: 'macintosh', detected: false }],
  ])('%s is read', async (name, encoding) => {
    const options = { ...FR, ...(name.startsWith('mac') ? { encoding: 'macintosh' } : {}) };
    const { shown, encoding: found } = await read(name, ['Ville'], options);
    expect(shown[0]).toEqual(['33639980101', 'Orléans']);
    expect(found).toEqual(encoding);
  });

  it('no-mark-utf-16be.csv is recognised by its NULs', async () => {
    expect(await read('no-mark-utf-16be.csv', ['姓名'])).toEqual({
      shown: [['15550000101', '安']],
      phoneColumn: '电话',
      encoding: { name: 'utf-16be', detected: true },
    });
  });

  it('cyrillic-windows-1251.csv is refused until its encoding is named', async () => {
    await expect(readAll(file('cyrillic-windows-1251.csv'))).rejects.toThrow(/cannot be detected.*windows-1251/);
    const { shown } = await read('cyrillic-windows-1251.csv', ['Город'], { encoding: 'cp1251' });
    expect(shown).toEqual([['74950000101', 'Москва']]);
  });

  it('title-rows.csv is refused with its first rows', async () => {
    await expect(readAll(file('title-rows.csv'))).rejects.toThrow(
      'the header is not the first row, "Customers of March". A row below looks like the header: remove the rows above it. The next rows are "Name | Telefon | Ort".',
    );
  });
});
