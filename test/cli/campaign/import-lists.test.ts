/** How `campaign import` reads lists of other programs, and the file of rejected lines that it writes beside them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { useListeningApi } from '../../api/api-parts.js';
import { aFolder } from '../../support/folder.js';
import { everpost, type CliRun } from '../fake-terminal.js';

const { env } = useListeningApi();

const SALE = 'instance: main\ncontent: { kind: text, text: "Hi {{name|you}}" }\n';
const HEADER = 'Name;Phone';
const GOOD = 'Ann;+15550000101';
const BAD = 'Bo, née Ray;12';

function aList(id: string, name: string, content: string | Uint8Array, definition = SALE) {
  const folder = aFolder({ [`${id}.yaml`]: definition });
  const inFolder = (file: string) => path.join(folder, file);
  writeFileSync(inFolder(name), content);
  const importing = (file: string, ...options: readonly string[]): Promise<CliRun> =>
    everpost(['campaign', 'import', inFolder(`${id}.yaml`), '--recipients', inFolder(file), ...options], { env });
  return { inFolder, importing };
}

describe('the file of rejected lines', () => {
  it.each([
    [';', 'semicolon'],
    ['\t', 'tab'],
    ['|', 'bar'],
    [',', 'comma'],
  ])('has the delimiter of the source (%j), so that the same program opens it', async (delimiter, id) => {
    const csv = [HEADER, GOOD, '"Bo, née ""R"";|\t";12'].join('\r\n').replaceAll(/;(?=Phone|\+|12)/g, delimiter);
    const { inFolder, importing } = aList(`rejects-${id}`, 'list.csv', csv);
    expect((await importing('list.csv')).out).toContain('  bad_number       1');

    const rejects = inFolder('list.rejected.csv');
    const written = readFileSync(rejects, 'utf8');
    expect(written.split('\r\n')[0]).toBe(`\uFEFF${['Name', 'Phone', 'line', 'reason', 'remedy'].join(delimiter)}`);
    writeFileSync(rejects, written.replace(`${delimiter}12${delimiter}`, `${delimiter}+15550000102${delimiter}`));
    expect((await importing('list.rejected.csv', '--add')).out[0]).toBe(
      `rejects-${id}  2 recipients of 2 lines, 1 of 1 lines added now`,
    );
  });

  it('is removed by an import without rejected lines, and another file of that name is not', async () => {
    const { inFolder, importing } = aList('rejects-gone', 'list.csv', [HEADER, GOOD, BAD].join('\n'));
    await importing('list.csv');
    expect(existsSync(inFolder('list.rejected.csv'))).toBe(true);
    writeFileSync(inFolder('list.csv'), [HEADER, GOOD].join('\n'));
    await importing('list.csv');
    expect(existsSync(inFolder('list.rejected.csv'))).toBe(false);

    writeFileSync(inFolder('list.rejected.csv'), 'my own notes\n');
    await importing('list.csv');
    expect(readFileSync(inFolder('list.rejected.csv'), 'utf8')).toBe('my own notes\n');
  });

  it('is read by its own form, and with the columns of the campaign file', async () => {
    const definition = `${SALE}recipients: { file: list.csv, encoding: windows-1252, delimiter: ";", phoneColumn: Reach, map: { name: Who } }\n`;
    const source = Buffer.from('Who;Reach\nJörg;+15550000101\nZoë;12\n', 'latin1');
    const { inFolder, importing } = aList('own-form', 'list.csv', source, definition);
    await everpost(['campaign', 'import', inFolder('own-form.yaml')], { env });
    // Saved by a program with another delimiter.
    writeFileSync(
      inFolder('list.rejected.csv'),
      'Who,Reach,line,reason,remedy\r\nZoë,+15550000102,3,bad_number,write it\r\n',
    );
    const { out, exitCode } = await importing('list.rejected.csv', '--add');
    expect({ exitCode, first: out[0] }).toEqual({
      exitCode: 0,
      first: 'own-form  2 recipients of 2 lines, 1 of 1 lines added now',
    });
    const plan = await everpost(['campaign', 'plan', 'own-form'], { env });
    expect(plan.out.join('\n')).toMatch(/Hi Jörg[^]*Hi Zoë/);
  });
});

describe('everpost campaign import', () => {
  it('shows the encoding that it detected, and reads the one that is named', async () => {
    const { importing } = aList('encodings', 'list.csv', Buffer.from('Name,Phone\nJörg,+15550000101\n', 'latin1'));
    const { out } = await importing('list.csv');
    expect(out).toContain('Encoding: read as windows-1252; line 2 has Jörg. If that is wrong: --encoding NAME');
    const named = await importing('list.csv', '--encoding', 'windows-1251', '--json');
    expect(JSON.parse(named.out[0] ?? '')).toMatchObject({ source: { encoding: { name: 'windows-1251' } } });
    const unknown = await importing('list.csv', '--encoding', 'klingon');
    expect(unknown.exitCode).toBe(2);
    expect(unknown.err.join('\n')).toContain('encoding is none of the encodings utf-8, utf-16le,');
  });

  it('refuses a campaign file in another encoding, and names the line', async () => {
    const { inFolder, importing } = aList('damaged', 'list.csv', [HEADER, GOOD].join('\n'));
    writeFileSync(inFolder('damaged.yaml'), Buffer.from(SALE.replace('Hi', 'Grüße'), 'latin1'));
    const { exitCode, err } = await importing('list.csv');
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: [
        expect.stringMatching(/^everpost: The campaign's file .*damaged\.yaml is not in UTF-8/),
        '  line 2 has bytes of another encoding. Save the file as UTF-8',
      ],
    });
    writeFileSync(inFolder('damaged.yaml'), Buffer.from(`\uFEFF${SALE.replace('Hi', 'Grüße')}`, 'utf16le'));
    expect((await importing('list.csv')).out[0]).toBe('damaged  1 recipients of 1 lines');
  });

  it('shows which sheet of several it reads', async () => {
    const book = XLSX.utils.book_new();
    const sheets = {
      Notes: [['Read me'], ['nothing here']],
      March: [['Phone'], [15550000101]],
      May: [['Phone'], [15550000102]],
    };
    for (const [name, rows] of Object.entries(sheets))
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name);
    const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    const definition = 'instance: main\ncontent: { kind: text, text: Hi }\n';
    const { importing } = aList('sheets', 'list.xlsx', bytes, definition);
    expect((await importing('list.xlsx')).err.join('\n')).toContain(
      'Or name another sheet: "March", "May" (sheet, --sheet)',
    );
    expect((await importing('list.xlsx', '--sheet', 'march')).out).toEqual([
      'sheets  1 recipients of 1 lines',
      '  accepted         1',
    ]);
  });

  it.each([
    ['list.csv', ['--sheet', 'March'], 'the file is CSV, which has no sheet'],
    ['list.ndjson', ['--delimiter', ';'], 'the file is NDJSON, which has no delimiter'],
  ])('refuses an option that %s has no use for', async (name, options, problem) => {
    const csv = name.endsWith('csv') ? 'Phone\n+15550000101\n' : '{"phone":"+15550000101"}\n';
    const { importing } = aList('useless', name, csv);
    const { exitCode, err } = await importing(name, ...options);
    expect({ exitCode, err: err[0] }).toEqual({ exitCode: 2, err: expect.stringContaining(problem) });
  });
});

describe('everpost campaign start, with more than 5 % of the lines rejected,', () => {
  const start = (id: string, answer?: string, ...options: readonly string[]) =>
    everpost(['campaign', 'start', id, ...options], { env, ...(answer !== undefined && { answer }) });

  it('fails without a terminal, with the remedies', async () => {
    const { importing } = aList('without-terminal', 'list.csv', [HEADER, GOOD, BAD].join('\n'));
    await importing('list.csv');
    const { exitCode, err } = await start('without-terminal');
    expect(exitCode).toBe(1);
    expect(err[0]).toContain('1 of 2 lines of its recipients were rejected, more than 5 %');
    expect(err[0]).toContain('--accept-rejected [CAMPAIGN_REJECTED_LINES]');
    expect(err[1]).toContain('recipients.bad_number: 1 line: write one complete number');
    expect((await start('without-terminal', undefined, '--accept-rejected')).exitCode).toBe(0);
  });

  it('asks at a terminal, and starts only after a yes', async () => {
    const { importing } = aList('at-terminal', 'list.csv', [HEADER, GOOD, BAD].join('\n'));
    await importing('list.csv');
    const refused = await start('at-terminal', '');
    expect(refused.out).toEqual([]);
    expect(refused.err.slice(-2)).toEqual(['Start it without them? [y/N] ', 'Nothing was started.']);
    expect((await everpost(['campaign', 'show', 'at-terminal'], { env })).out[0]).toContain('draft');
    const started = await start('at-terminal', 'y');
    expect(started).toMatchObject({ exitCode: 0, out: [expect.stringContaining('at-terminal')] });
  });
});
