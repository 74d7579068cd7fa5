/** TERMINAL-1: what other parties wrote controls no terminal and forges no line, in any command. */
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/commands/run-cli.js';
import { createCommandContext } from '../../src/cli/command-context.js';
import { copyTo, printable, printableOnly, type Terminal } from '../../src/cli/terminal.js';
import { ALICE, useListeningApi } from '../api/api-parts.js';
import { everpost } from './fake-terminal.js';

/** Clears the screen, sets the title, writes another line, and turns the text around; by both kinds of escapes. */
const EVIL = 'a\u001b[2J\u001b]0;title\u0007\r\nstate: sent\u009b31m\u007f\u202eb\u2028';
const SHOWN = 'a\\u001b[2J\\u001b]0;title\\u0007\\r\\nstate: sent\\u009b31m\\u007f\\u202eb\\u2028';
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('a printable text', () => {
  it.each([
    [EVIL, SHOWN],
    ['tab\there', 'tab\\there'],
    ['Ünïcödé 👩‍👩‍👧 שלום نص日本 \u200f', 'Ünïcödé 👩‍👩‍👧 שלום نص日本 \u200f'],
    ['C:\\new', 'C:\\new'],
  ])('of %j is %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printable(shown)).toBe(shown);
  });

  it('of JSON has the same value', () => {
    const value = { [EVIL]: [EVIL, '\u0085', '\u2069'] };
    expect(CONTROL.test(printable(JSON.stringify(value)))).toBe(false);
    expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
  });
});

describe('every way to print', () => {
  const printed: string[] = [];
  const record = (line: string): void => void printed.push(line);
  const terminal = printableOnly({
    out: record,
    err: record,
    live: record,
    ask: async (question) => (record(question), ''),
    bytes: async () => undefined,
    columns: () => 80,
  } as Partial<Terminal> as Terminal);

  it('escapes control characters', async () => {
    terminal.out(EVIL);
    terminal.err(EVIL);
    terminal.live?.(EVIL);
    await terminal.ask?.(EVIL);
    await copyTo(
      terminal,
      (async function* () {
        for (const byte of Buffer.from(`${EVIL}\nend`)) yield Uint8Array.of(byte);
      })(),
    );
    expect(printed).toEqual([SHOWN, SHOWN, SHOWN, SHOWN, ...SHOWN.split('\\r\\n'), 'end']);
  });

  it('leaves a file unchanged in a file or a pipe', async () => {
    const bytes: Uint8Array[] = [];
    const { columns: _, ...pipe } = terminal;
    const file = Buffer.concat([Buffer.from('\ufeff'), Buffer.from(EVIL), Buffer.of(0xff, 0x00)]);
    await copyTo(
      { ...pipe, bytes: async (chunk) => void bytes.push(chunk) },
      (async function* () {
        yield file;
      })(),
    );
    expect(Buffer.concat(bytes)).toEqual(file);
  });
});

describe('a command', () => {
  const { parts, env } = useListeningApi();

  /** Everything in which a caller or the gateway can write what it likes. */
  async function foreignTexts(): Promise<Readonly<Record<string, string>>> {
    const { ledger, call } = parts;
    const nowMs = Date.now();
    const content = { kind: 'text', text: EVIL };
    const sent = await call('POST', '/v1/messages', { instance: 'main', to: ALICE, content, reference: EVIL });
    await call('PUT', '/v1/campaigns/spring', { instance: 'main', content, reference: EVIL });
    await call('PUT', '/v1/campaigns/spring/recipients', `phone,note\n15550000009,"${EVIL}"\n"${EVIL}",x\n`, {
      'content-type': 'text/csv',
    });
    await call('POST', '/v1/campaigns/spring/start');
    await call('POST', '/v1/suppressions', { to: '15550000003', note: EVIL });
    const schedule = await call('POST', '/v1/schedules', {
      id: 'daily',
      campaign: { instance: 'main', content },
      recipients: { file: 'list.csv' },
      cron: ['0 9 * * MON'],
      paused: true,
      note: EVIL,
    });
    expect(schedule.status).toBeLessThan(300);
    const endpoint = await call('POST', '/v1/event-endpoints', {
      instance: 'main',
      url: 'https://example.com/hook',
      description: EVIL,
    });
    const tested = await call('POST', `/v1/event-endpoints/${endpoint.body.id}/test`);
    const template = { instance: 'main', elementName: 'welcome' };
    const definition = { ...template, templateType: 'TEXT', content: EVIL } as never;
    const requestedAt = new Date(nowMs).toISOString();
    await ledger.templates.submit({ ...template, definition, definitionHash: 'hash', requestedAt }, nowMs);
    await call('POST', '/v1/templates/main/welcome/review', { status: 'REJECTED', reason: EVIL, templateId: EVIL });
    await ledger.account.storeStories('main', [{ idMessage: 'S1', atMs: nowMs, story: { textMessage: EVIL } }], nowMs);
    const group = '120363043968066561@g.us';
    await ledger.account.storeSnapshot(
      'main',
      group,
      { fields: { subject: EVIL }, participants: [{ id: EVIL, isAdmin: false }] },
      nowMs,
    );
    return { message: sent.body.id, endpoint: endpoint.body.id, event: tested.body.event, group };
  }

  it('shows what others wrote without a control character', async () => {
    const ids = await foreignTexts();
    const known: Readonly<Record<string, readonly string[]>> = {
      'message show': [ids['message'] ?? ''],
      'campaign show': ['spring'],
      'campaign report': ['spring'],
      'campaign plan': ['spring'],
      'campaign rejected': ['spring'],
      'template show': ['welcome'],
      'instance show': ['main'],
      'schedule show': ['daily'],
      'event show': [ids['event'] ?? ''],
      'event endpoint show': [ids['endpoint'] ?? ''],
      'group snapshots': [ids['group'] ?? ''],
      'group show': [ids['group'] ?? ''],
    };
    const names = showing();
    const printed = [];
    for (const name of names) {
      const args = [...name.split(' '), ...(known[name] ?? [])];
      for (const json of [[], ['--json']]) {
        const { out, err } = await everpost([...args, ...json], { env, columns: 120 });
        printed.push({ name, lines: [...out, ...err] });
      }
    }
    expect(printed.filter(({ lines }) => lines.some((line) => CONTROL.test(line)))).toEqual([]);
    // The texts were really shown.
    const telling = new Set(printed.flatMap(({ name, lines }) => (lines.join().includes('\\u001b') ? [name] : [])));
    expect([...telling]).toEqual(
      expect.arrayContaining(['message show', 'message list', 'campaign show', 'suppression list', 'template show']),
    );
  });

  /** Every command that only shows something. */
  function showing(): string[] {
    const program = buildProgram(createCommandContext({} as Terminal));
    const paths = program.commands.flatMap(function pathsOf(command): string[] {
      if (command.commands.length === 0) return [command.name()];
      return command.commands.flatMap(pathsOf).map((rest) => `${command.name()} ${rest}`);
    });
    return paths.filter((path) => / (?:list|show|report|plan|rejected|snapshots)$/.test(path));
  }
});
