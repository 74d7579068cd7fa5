/** The text of a message from `--text` or `--text-file`. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import { useListeningApi } from '../api/api-parts.js';
import { everpost } from './fake-terminal.js';

const { parts, env } = useListeningApi();
const LINES = 'Dear Ann,\n\nyour table is ready.';
let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'everpost-text-'));
  await writeFile(path.join(cwd, 'lines.txt'), `${LINES}\n`);
  await writeFile(path.join(cwd, 'windows.txt'), `\uFEFF${LINES}\r\n`);
  await writeFile(path.join(cwd, 'latin1.txt'), Buffer.from([0x48, 0xe4]));
  await writeFile(path.join(cwd, 'nul.txt'), 'a\0b');
  await writeFile(path.join(cwd, 'long.txt'), 'x'.repeat(80_001));
});

const run = (args: readonly string[], stdin = '') => everpost(args, { env, cwd, stdin });
const send = (...args: readonly string[]) => run(['send', '--to', '15550001111', ...args]);

async function sentText(id = '') {
  const row = await parts.ledger.views.message(id.split(' ')[0] as MessageId, 0);
  return row?.content.kind === 'text' ? row.content.text : undefined;
}

describe('the text of a message', () => {
  it.each([
    ['lines.txt', ''],
    ['windows.txt', ''],
    ['-', `${LINES}\n`],
  ])('is read from %s, without the end of the last line', async (file, stdin) => {
    const { exitCode, out, err } = await run(['send', '--to', '15550001111', '--text-file', file], stdin);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: [] });
    expect(await sentText(out[0])).toBe(LINES);
  });

  it('is sent as typed, with a warning of an escape', async () => {
    const { exitCode, out, err } = await send('--text', String.raw`one\ntwo`);
    expect(exitCode).toBe(0);
    expect(await sentText(out[0])).toBe(String.raw`one\ntwo`);
    expect(err).toEqual([expect.stringMatching(/^warning {2}--text contains \\n as two characters.*--text-file/)]);
  });

  it.each([
    ['latin1.txt', 'is not valid UTF-8'],
    ['long.txt', 'is longer than 20000 characters'],
    ['missing.txt', 'cannot be read (ENOENT)'],
    ['nul.txt', 'contains a NUL character'],
  ])('is refused in %s, with the reason', async (file, why) => {
    const { exitCode, err } = await send('--text-file', file);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toContain(why);
  });

  it.each([
    [['send', '--to', '1', '--text', 'a', '--text-file', 'lines.txt']],
    [['message', 'edit', 'msg_none', '--text', 'a', '--text-file', 'lines.txt']],
    [['message', 'edit', 'msg_none']],
    [['campaign', 'amend', 'sale', '--yes']],
    [['campaign', 'update', 'sale', '--text', 'a', '--text-file', 'lines.txt']],
  ])('is given by one option: %j', async (args) => {
    const { exitCode, err } = await run(args);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toMatch(/--text-file/);
  });

  it.each(['send', 'message edit', 'campaign update', 'campaign amend'])(
    'is explained by the help of %s',
    async (name) => {
      const { out } = await run([...name.split(' '), '--help']);
      const help = out.join(' ').replaceAll(/\s+/g, ' ');
      expect(help).toContain(String.raw`sent as typed: \n is a backslash and an n, not a line break`);
      expect(help).toContain('--text-file <file>');
    },
  );
});

describe('a value of a template that the network refuses', () => {
  it('is warned about, and sent', async () => {
    const content = { kind: 'template', templateId: 'elsewhere', params: ['17', 'counter 4\nground floor'] };
    const { exitCode, err } = await send('--content', JSON.stringify(content));
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: ['warning  params[1]: has a line break, and the network refuses such a value of a variable'],
    });
  });
});

describe('the options of a poll', () => {
  it('are sent without the blanks around them', async () => {
    const { out } = await send('--poll', 'Tea?', '--option', ' Yes ', '--option', 'No');
    const row = await parts.ledger.views.message(out[0]?.split(' ')[0] as MessageId, 0);
    expect(row?.content).toMatchObject({ options: [{ optionName: 'Yes' }, { optionName: 'No' }] });
  });

  it('are refused if they differ only in blanks', async () => {
    const { exitCode, err } = await send('--poll', 'Tea?', '--option', 'Yes', '--option', ' Yes');
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toContain("'options' must be unique");
  });
});
