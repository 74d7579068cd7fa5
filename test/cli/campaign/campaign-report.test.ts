import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aFolder } from '../../support/folder.js';
import { CSV, HELLO } from '../../api/campaigns/drafts.js';
import { useListeningApi } from '../../api/api-parts.js';
import { everpost } from '../fake-terminal.js';

const { parts, env } = useListeningApi();

beforeAll(async () => {
  await parts.call('POST', '/v1/campaigns', { ...HELLO, id: 'sale' });
  await parts.call('PUT', '/v1/campaigns/sale/recipients', 'phone,name\n15550000001,Zoë\n15550000002,Bob\n', CSV);
});

const report = (cwd: string, ...args: readonly string[]) => everpost(['campaign', 'report', ...args], { env, cwd });
const SO_FAR = 'Campaign sale is draft: the report shows what is known so far';

describe('everpost campaign report', () => {
  it('writes the recipients with their own columns, for a pipe with the byte order mark', async () => {
    const { exitCode, out, err } = await report(aFolder({}), 'sale', '--columns', 'NAME', '--timezone', 'Asia/Tokyo');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: [SO_FAR] });
    const [head = '', first] = out.join('\n').split('\n');
    expect(head.slice(0, 40)).toBe('\uFEFFline,messageId,number,chatId,name,state');
    expect(first).toMatch(/^2,msg_\w+,\+1 555 000 0001,15550000001@c\.us,Zoë,pending,.*,Asia\/Tokyo,\r?$/);
  });

  it('writes the summary to a file named after the campaign, and says where', async () => {
    const folder = aFolder({});
    const { exitCode, out, err } = await report(folder, 'sale', '--format', 'html', '--timezone', 'Europe/Lisbon');
    expect({ exitCode, out, err }).toEqual({
      exitCode: 0,
      out: [],
      err: ['The report was written to sale-report.html', SO_FAR],
    });
    expect(readFileSync(path.join(folder, 'sale-report.html'), 'utf8')).toMatch(/^<!doctype html>[^]*Europe\/Lisbon/);
    expect(readdirSync(folder)).toEqual(['sale-report.html']);
  });

  it.each([
    ['--state', 'failed'],
    ['--reason', 'x'],
    ['--response', 'replied'],
    ['--columns', 'all'],
  ])('refuses %s for a summary', async (...option) => {
    const folder = aFolder({});
    const { exitCode, err } = await report(folder, 'sale', '--format', 'html', ...option);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toContain('omit --state, --reason, --response and --columns');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves an earlier file as it is when the report is refused', async () => {
    const folder = aFolder({});
    const file = path.join(folder, 'sale.csv');
    writeFileSync(file, 'earlier');
    const { exitCode, err } = await report(folder, 'sale', '--columns', 'city', '--out', file);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toMatch(/unknown name "city"; the columns are: name/);
    expect(readFileSync(file, 'utf8')).toBe('earlier');
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});
