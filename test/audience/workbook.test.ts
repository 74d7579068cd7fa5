import { readFileSync } from 'node:fs';
import XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { readAll } from './cast.js';

const file = (name: string) => readFileSync(new URL(`lists/${name}`, import.meta.url));
const read = (bytes: Uint8Array, options: Parameters<typeof readAll>[1] = {}) =>
  readAll(bytes, { format: 'xlsx', ...options });

/** A workbook with these sheets. */
function workbook(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows.map((row) => [...row])), name);
  }
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}

/** Proves ZIP-2. */
describe('a workbook', () => {
  it('is read as Excel shows its cells, numbers without an exponent', async () => {
    const { recipients, rejects, facts } = await read(file('excel.xlsx'));
    expect(rejects).toEqual([]);
    expect(facts).toEqual({
      sheet: 'Kunden',
      sheets: ['Kunden', 'Archiv', 'Intern'],
      phoneColumn: { name: 'Handynummer', by: 'name' },
    });
    expect(recipients.map(({ line, chatId }) => [line, chatId])).toEqual([
      [2, '4915100000101@c.us'],
      [4, '4915100000102@c.us'],
      [5, '4915100000103@c.us'],
      [6, '4915100000104@c.us'],
    ]);
    expect(recipients[0]?.values).toEqual({
      Name: 'Jörg',
      PLZ: '01234',
      Seit: '2024-03-04',
      Geburtstag: '31.12.1990',
      Umsatz: '1,234.50 €',
      Quote: '25%',
      Uhrzeit: '13:05',
      Aktiv: 'TRUE',
      Anzahl: '2',
      Notiz: 'two\nlines',
    });
  });

  it('of another program is read too', async () => {
    const { recipients } = await read(file('openpyxl.xlsx'));
    expect(recipients.map(({ chatId }) => chatId)).toEqual(['15550000101@c.us', '15550000102@c.us']);
  });

  it('is read from the sheet that is named, in any case', async () => {
    const { recipients, facts } = await read(file('excel.xlsx'), { sheet: 'archiv' });
    expect(facts.sheet).toBe('Archiv');
    expect(recipients).toMatchObject([{ line: 2, chatId: '4915100000109@c.us', values: { Name: 'Old' } }]);
  });

  it('is refused with the names of its sheets when it has no such sheet', async () => {
    await expect(read(file('excel.xlsx'), { sheet: 'März' })).rejects.toThrow(
      'the workbook has no sheet "März". Name one of its sheets: "Kunden", "Archiv", "Intern" (sheet, --sheet)',
    );
  });

  it('with more than 100,000 rows is refused', async () => {
    const rows = Array.from({ length: 100_001 }, (_, at) => [15_550_000_000 + at]);
    await expect(read(workbook({ List: [['phone'], ...rows] }))).rejects.toThrow(/more than 100000 rows.*CSV UTF-8/);
  });

  it('leaves the event loop free while it is read', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [15_550_000_000 + at, `Recipient ${at}`, 'Ulm', at]);
    const bytes = workbook({ List: [['phone', 'name', 'city', 'order'], ...rows] });
    let longestMs = 0;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const startedMs = performance.now();
    const { recipients } = await read(bytes).finally(() => clearInterval(timer));
    expect(recipients).toHaveLength(20_000);
    expect(longestMs).toBeLessThan((performance.now() - startedMs) / 2);
  });
});

/** Proves ZIP-1. */
describe('a file that is no readable workbook is refused', () => {
  const entry = workbook({ List: [['phone'], ['15550000101']] });

  it.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel workbook \(\.xls\), or one with a password/],
    ['CSV', Buffer.from('phone,name\n15550000101,Ann\n'), /not an Excel workbook/],
    ['HTML', Buffer.from('<html><table></table></html>'), /HTML or XML/],
    ['a PDF', Buffer.from('%PDF-1.7'), /PDF/],
    ['half a workbook', entry.subarray(0, entry.byteLength / 2), /damaged or was not sent whole/],
    ['nothing', Buffer.alloc(0), /not an Excel workbook/],
  ])('%s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringMatching(message) });
  });

  it.each([
    ['an OpenDocument file', 'content.xml', /OpenDocument file \(\.ods\)/],
    ['a Numbers document', 'Index/Document.iwa', /Numbers document/],
    ['another archive', 'notes.txt', /archive without a workbook/],
  ])('%s', async (_, name, message) => {
    const archive = XLSX.CFB.utils.cfb_new();
    XLSX.CFB.utils.cfb_add(archive, name, Buffer.from('text'));
    const bytes = XLSX.CFB.write(archive, { fileType: 'zip', type: 'buffer' }) as Buffer;
    await expect(read(bytes)).rejects.toThrow(message);
  });

  it.each([
    ['claims to have more when it is unpacked', 300 * 1024 ** 2, /301 MB when it is unpacked, more than 256 MB/],
    ['has more than it claims', 16, /damaged/],
  ])('a bomb that %s', async (_, claimedBytes, message) => {
    const bytes = Buffer.from(entry);
    const directory = findEntry(bytes, 'xl/workbook.xml');
    bytes.writeUInt32LE(claimedBytes, directory + 24);
    await expect(read(bytes)).rejects.toThrow(message);
  });
});

/** The place of an entry in the directory of a zip archive. */
function findEntry(archive: Buffer, name: string): number {
  const mark = Buffer.from('PK\x01\x02', 'latin1');
  for (let at = archive.indexOf(mark); at !== -1; at = archive.indexOf(mark, at + 1)) {
    if (archive.toString('latin1', at + 46, at + 46 + archive.readUInt16LE(at + 28)) === name) return at;
  }
  throw new Error(`${name} is not in the archive`);
}
