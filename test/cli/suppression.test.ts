/** The commands for the suppression list, against an API with a real ledger. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { useListeningApi } from '../api/api-parts.js';
import { everpost, type CliRun } from './fake-terminal.js';
import { aFolder } from '../support/folder.js';

const { parts, env } = useListeningApi();

const suppress = (args: readonly string[], stdin?: string): Promise<CliRun> =>
  everpost(['suppression', ...args], { env, ...(stdin === undefined ? {} : { stdin }) });

describe('everpost suppression', () => {
  it('adds, lists and removes entries, and keeps closed ones', async () => {
    const added = await suppress(['add', '+1 555 123 4567', '--note', 'asked by phone']);
    expect(added).toMatchObject({ exitCode: 0, err: [] });
    expect(added.out[0]).toMatch(/^15551234567@c\.us {2}all accounts {2}marketing {2}operator {2}since .* {2}sup_/);

    const { out } = await suppress(['list', '--to', '15551234567']);
    expect(out).toEqual([added.out[0]?.replace('sup_', 'asked by phone  sup_')]);
    const removed = await suppress(['remove', '15551234567']);
    expect(removed.exitCode).toBe(0);
    expect(removed.out[0]).toContain('by operator');
    expect((await suppress(['list', '--to', '15551234567'])).out).toEqual([]);
    expect((await suppress(['list', '--to', '15551234567', '--removed'])).out).toEqual(removed.out);
    expect((await suppress(['remove', '15551234567'])).out).toEqual(['There is no entry to remove.']);
  });

  it('ends with 1 while an entry still applies', async () => {
    await suppress(['add', '15551234568']);
    await suppress(['add', '15551234568', '--instance', 'main', '--scope', 'all']);
    const { exitCode, out } = await suppress(['remove', '15551234568', '--instance', 'main']);
    expect(exitCode).toBe(1);
    expect(out).toEqual([expect.stringMatching(/main {2}all/), expect.stringMatching(/^still applies: /)]);
  });

  it('reads a national number', async () => {
    const { out } = await suppress(['add', '0151 12345678', '--country', 'DE', '--json']);
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ chatId: '4915112345678@c.us' });
    expect((await suppress(['list', '--to', '0151 12345678', '--country', 'DE'])).out).toHaveLength(1);
    expect(await suppress(['add', '0151 12345678'])).toMatchObject({ exitCode: 2 });
  });

  it('shows the opt-out word of an entry, and pages', async () => {
    for (const [index, word] of ['STOP', 'Baja'].entries()) {
      const said = { what: 'stop', instance: 'main', chatId: `1555999000${index}@c.us`, word } as const;
      const atMs = Date.now() + index;
      await parts.ledger.suppressions.applyWord({ ...said, idMessage: `W${index}`, atMs, nowMs: atMs });
    }
    const page = await suppress(['list', '--source', 'stop_word', '--limit', '1']);
    expect(page.out).toEqual([expect.stringContaining('main  marketing  stop_word  "Baja"  since')]);
    const [, cursor = ''] = /^More: --cursor (\S+)$/.exec(page.err[0] ?? '') ?? [];
    const next = await suppress(['list', '--source', 'stop_word', '--cursor', cursor]);
    expect(next.out).toEqual([expect.stringContaining('"STOP"')]);
  });
});

describe('everpost suppression possible', () => {
  it('lists what may mean STOP, and decides about it', async () => {
    const nowMs = Date.now();
    for (const [index, text] of ['stop please', 'bus stop at 5'].entries()) {
      const said = { instance: 'main', chatId: `1555888000${index}@c.us`, idMessage: `P${index}`, text, word: 'stop' };
      await parts.ledger.possibleOptOuts.record({ ...said, language: 'en', atMs: nowMs, nowMs: nowMs + index });
    }
    const { out } = await suppress(['possible', '--instance', 'main']);
    expect(out).toEqual([
      expect.stringMatching(
        /^pos_\S+ {2}main {2}15558880001@c\.us .*"bus stop at 5" {2}similar to "stop" \(en\) {2}open$/,
      ),
      expect.stringContaining('"stop please"'),
    ]);
    const [bus = '', stop = ''] = out.map((line) => line.split(' ')[0] ?? '');

    expect(await suppress(['possible', 'accept', stop])).toMatchObject({
      exitCode: 0,
      out: [expect.stringMatching(/15558880000@c\.us {2}main {2}marketing {2}stop_word {2}"stop please"/)],
    });
    expect(await suppress(['possible', 'dismiss', bus])).toMatchObject({
      exitCode: 0,
      out: [expect.stringContaining('dismissed')],
    });
    expect(await suppress(['possible', 'dismiss', stop])).toMatchObject({ exitCode: 1 });
    expect((await suppress(['possible'])).out).toEqual([]);
    expect((await suppress(['possible', '--all'])).out).toHaveLength(2);
  });
});

describe('everpost suppression import', () => {
  it.each([
    ['a list', 'recipients.txt', '+1 555 777 0001\n15557770002\n'],
    ['a list with another name', 'recipients.csv', '15557770003@c.us\n15557770004\n'],
    ['CSV', 'recipients.csv', 'name;phone\nAnn;15557770005\nBob;15557770006\n'],
    ['NDJSON', 'recipients.ndjson', '{"phone":15557770007}\n{"phone":"15557770008"}\n'],
  ])('accepts %s', async (_, name, text) => {
    const file = path.join(aFolder({ [name]: text }), name);
    expect(await suppress(['import', file])).toEqual(
      expect.objectContaining({ exitCode: 0, out: ['2 lines', '  added            2'] }),
    );
    expect((await suppress(['import', file])).out).toEqual(['2 lines', '  already          2']);
  });

  it('shows the rejected lines, and ends with 1', async () => {
    const { exitCode, out } = await suppress(['import', '-'], '15557770009\nAnn\n0151 12345678\n491512345678.5\n');
    expect(exitCode).toBe(1);
    expect(out).toEqual([
      '4 lines',
      '  added            1',
      '  bad_number       2',
      '  country_missing  1',
      '2 bad_number: write one complete number with its country, as in +49 151 12345678',
      '1 country_missing: name the country of these numbers: --country DE, or defaultCountry in the API',
      'line 2: bad_number: Ann',
      'line 3: country_missing: 0151 12345678',
      'line 4: bad_number: 491512345678.5',
    ]);
  });

  it('reads an Excel file, in which numbers are numbers', async () => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Phone'], [15557770011], ['15557770012.0']]), 'List');
    const file = path.join(aFolder({}), 'opted-out.xlsx');
    writeFileSync(file, XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    expect(await suppress(['import', file])).toMatchObject({ exitCode: 0, out: ['2 lines', '  added            2'] });
    expect((await suppress(['list', '--to', '+1 555 777 0012'])).out).toHaveLength(1);
    const { exitCode, err } = await suppress(['import', file, '--delimiter', ';']);
    expect({ exitCode, err: err[0] }).toEqual({
      exitCode: 2,
      err: expect.stringContaining('the file is a workbook, which has no delimiter'),
    });
  });

  it('reports a missing file', async () => {
    const { exitCode, err } = await suppress(['import', 'nowhere.txt']);
    expect(exitCode).toBe(2);
    expect(err.join(' ')).toContain('nowhere.txt');
  });
});
