import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { errorLines } from '../../src/cli/commands/run-cli.js';
import { AppError } from '../../src/contract/index.js';
import { everpost } from './fake-terminal.js';
import { aFolder } from '../support/folder.js';
import { listening } from '../support/listening.js';

/** Nothing listens on port 1. */
const UNREACHABLE = { EVERPOST_API_URL: 'http://127.0.0.1:1' };

describe('help', () => {
  it.each([
    ['dev'],
    ['demo'],
    ['worker'],
    ['migrate'],
    ['api'],
    ['simulator'],
    ['send'],
    ['message', 'edit'],
    ['message', 'cancel'],
    ['message', 'show'],
    ['message', 'list'],
    ['message', 'resolve'],
    ['backup'],
    ['restore'],
    ['campaign', 'list'],
    ['template', 'list'],
    ['operation', 'run'],
    ['instance', 'list'],
    ['instance', 'show'],
    ['instance', 'resume'],
    ['doctor'],
    ['notification', 'replay'],
  ])('for %s %s shows the description, and ends with 0', async (...command) => {
    const { exitCode, out, err } = await everpost([...command, '--help']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: [] });
    expect(out[0]).toMatch(new RegExp(`^Usage: everpost ${command.join(' ')}`));
    expect(out.join('\n')).toMatch(/Example|Exit code/);
  });

  it.each(['send', 'message edit', 'operation run'])(
    'for %s shows the default of --timeout in the form of an argument',
    async (command) => {
      const { out } = await everpost([...command.split(' '), '--help']);
      expect(out.join(' ').replaceAll(/\s+/g, ' ')).toMatch(/--timeout <duration> how long [^(]*\(default: 60s\)/);
    },
  );

  it('shows the version', async () => {
    expect(await everpost(['--version'])).toEqual({ exitCode: 0, out: ['0.1.0'], err: [] });
  });
});

describe('a usage error', () => {
  it.each([
    [['fly'], "unknown command 'fly'"],
    [[], 'Usage: everpost'],
    [
      ['send', '--instance', 'main', '--to', '1555'],
      'give one of --text, --text-file, --file, --poll, --template and --content',
    ],
    [['send', '--instance', 'main', '--text', 'x', '--file', 'http://x'], 'give one of --text, --text-file'],
    [['send', '--instance', 'main', '--poll', 'x', '--content', '{}'], 'give one of --text, --text-file'],
    [['send', '--instance', 'main', '--poll', 'x'], '--poll requires --option'],
    [['send', '--instance', 'main', '--text', 'x', '--option', 'y'], 'require --poll'],
    [['send', '--instance', 'main', '--text', 'x', '--multiple-answers'], 'require --poll'],
    [['send', '--instance', 'main', '--poll', 'x', '--option', 'y', '--status'], '--status requires --text'],
    [['send', '--instance', 'main', '--text', 'x', '--param', '1=x'], '--param requires --template'],
    [['send', '--template', 'x', '--text', 'y'], 'give one of --text, --text-file'],
    [['send', '--template', 'x', '--param', 'y'], 'must be KEY=VALUE'],
    [['send', '--template', 'x', '--param', '1=y', '--param', '1=z'], 'has 1 twice'],
    [['send', '--text', 'x', '--priority', 'soon'], 'Allowed choices are urgent, high, normal, low'],
    [['send', '--text', 'x', '--on-unknown', 'guess'], 'Allowed choices are manual, auto'],
    [['send', '--instance', 'main', '--content', '{'], 'The content is not valid JSON'],
    [['send', '--instance', 'main', '--file', 'http://x'], '--file with a link requires --file-name'],
    [['send', '--instance', 'main', '--text', 'x', '--caption', 'y'], 'require --file'],
    [
      ['send', '--instance', 'main', '--text', 'x', '--wait', 'soon'],
      'must be one of accepted, sent, delivered, read, end',
    ],
    [['send', '--instance', 'main', '--text', 'x', '--timeout', '60'], 'must be a number with its unit'],
    [['message', 'edit', 'msg_1'], 'give one of --text and --text-file'],
    [['message', 'cancel'], "missing required argument 'id'"],
    [['message', 'resolve', '--as', 'accepted'], 'give the id of a message, or --reason'],
    [['message', 'resolve', 'msg_1'], 'give --as, or --by-evidence'],
    [['message', 'resolve', 'msg_1', '--by-evidence', '--id-message', '3EB0'], '--id-message needs --as accepted'],
    [['message', 'resolve', 'msg_1', '--by-evidence', '--instance', 'main'], '--instance needs --reason'],
    [['dev', '--http-port', '99999'], 'must be a port number from 0 to 65535'],
    [['message', 'list', '--state', 'lost'], 'Allowed choices are pending'],
    [['operation', 'run', '--instance', 'main'], "missing required argument 'method'"],
    [['instance', 'resume'], "missing required argument 'name'"],
    [['doctor', '--yes'], '--yes requires --fix'],
    [['message', 'show', 'a', 'b'], 'too many arguments'],
    [['message', 'show', '--jsno', 'a'], "unknown option '--jsno'"],
  ])('ends %j with 2 and shows the problem', async (args, words) => {
    const { exitCode, out, err } = await everpost(args, { env: UNREACHABLE });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: [] });
    expect(err.join('\n')).toContain(words);
  });

  it('is reported with all others of the environment', async () => {
    const env = { EVERPOST_HTTP_PORT: 'x', EVERPOST_SETTLE_TIME: '5' };
    expect(await everpost(['message', 'show', 'msg_1'], { env })).toEqual({
      exitCode: 2,
      out: [],
      err: [
        'everpost: Configuration is not valid. Correct these problems and start again. [CONFIG_INVALID]',
        '  EVERPOST_HTTP_PORT: must be a port number from 0 to 65535',
        '  EVERPOST_SETTLE_TIME: must be a number with its unit, e.g. 500ms, 15s, 1m, 24h',
      ],
    });
  });

  it.each(['worker', 'api', 'migrate'])('shows why %s needs a database', async (command) => {
    const { exitCode, err } = await everpost([command]);
    expect(exitCode).toBe(2);
    expect(err.join('\n')).toMatch(new RegExp(`everpost ${command} needs a ledger.*DATABASE_URL.*everpost dev`));
  });

  it.each([
    [
      ['--data-file', '/dev/null/data.jsonl'],
      /cannot write its data to \/dev\/null\/data\.jsonl \(ENOTDIR\).*--data-file/,
    ],
    // No directory can be created below /proc, and where there is none, not at the root either.
    [
      ['--data-file', '/proc/everpost/data.jsonl'],
      /cannot write its data to \/proc\/everpost\/data\.jsonl \(E[A-Z]+\).*--data-file/,
    ],
    // An address for documentation: no machine has it.
    [['--host', '203.0.113.1'], /cannot listen on 203\.0\.113\.1:0 \(EADDRNOTAVAIL\).*--host/],
  ])('shows what the simulator cannot use (%j)', async (options, words) => {
    const { exitCode, out, err } = await everpost(['simulator', '--port', '0', ...options]);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: [] });
    expect(err.join('\n')).toMatch(words);
  });

  it('shows the damaged line of a simulator file', async () => {
    const file = path.join(aFolder({ 'data.jsonl': '{"seed":"s"}\nnonsense\n' }), 'data.jsonl');
    const { exitCode, err } = await everpost(['simulator', '--port', '0', '--data-file', file]);
    expect(exitCode).toBe(2);
    expect(err[0]).toMatch(/damaged at line 2\. Move it away/);
  });

  it.each([
    ['{"a"', 'is not valid JSON'],
    ['@/nowhere/body.json', 'cannot be read'],
  ])('reports that a body (%s) %s', async (body, words) => {
    const { exitCode, err } = await everpost(['operation', 'run', 'readChat', '--instance', 'main', '--body', body]);
    expect(exitCode).toBe(2);
    expect(err[0]).toContain(words);
  });
});

describe('a command for messages', () => {
  it.each([
    [['send', '--instance', 'main', '--to', '15551234567', '--text', 'x']],
    [['message', 'edit', 'msg_1', '--text', 'x']],
    [['message', 'cancel', 'msg_1']],
    [['message', 'show', 'msg_1']],
    [['message', 'list']],
    [['operation', 'run', 'getSettings', '--instance', 'main']],
    [['instance', 'show']],
    [['instance', 'resume', 'main']],
  ])('%j shows how to start the API when nothing answers', async (args) => {
    const { exitCode, out, err } = await everpost(args, { env: UNREACHABLE });
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: [] });
    expect(err).toHaveLength(1);
    expect(err[0]).toMatch(
      /does not answer at http:\/\/127\.0\.0\.1:1 \(EVERPOST_API_URL\)\. Start it: everpost dev .*\[API_UNREACHABLE\]$/,
    );
  });

  it('shows the key that repeats a send whose response was lost', async () => {
    const { err } = await everpost(['send', '--instance', 'main', '--text', 'x', '--key', 'order-17'], {
      env: UNREACHABLE,
    });
    expect(err[0]).toContain('Repeat the command with --key order-17');
  });

  it.each<[string, string[], object]>([
    ['--text', ['--text', 'x'], { kind: 'text', text: 'x' }],
    ['--status', ['--text', 'x', '--status'], { kind: 'status', text: 'x' }],
    [
      '--file',
      ['--file', 'https://x/a.pdf', '--file-name', 'a.pdf', '--caption', 'c'],
      { kind: 'file', url: 'https://x/a.pdf', fileName: 'a.pdf', caption: 'c' },
    ],
    [
      '--poll',
      ['--poll', 'Tea?', '--option', 'yes', '--option', 'no', '--multiple-answers'],
      { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], multipleAnswers: true },
    ],
    [
      '--content',
      ['--content', '{"kind":"location","latitude":44.94,"longitude":34.1}'],
      { kind: 'location', latitude: 44.94, longitude: 34.1 },
    ],
  ])('send with %s requests that content', async (_, options, content) => {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        asked.push(body);
        response.writeHead(202, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ id: 'msg_1', state: 'pending' }));
      });
    });
    const env = { EVERPOST_API_URL: await listening(server) };
    const { exitCode, out } = await everpost(['send', '--instance', 'main', '--to', '15551234567', ...options], {
      env,
    });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: ['msg_1  pending'] });
    expect(asked).toEqual([{ instance: 'main', to: '15551234567', content }]);
  });

  it('reports that another program answers', async () => {
    const server = createServer((_request, response) => response.end('<h1>It works</h1>'));
    const env = { EVERPOST_API_URL: await listening(server) };
    const { exitCode, err } = await everpost(['message', 'show', 'msg_1'], { env });
    expect(exitCode).toBe(1);
    expect(err[0]).toContain("is not everpost's API");
  });
});

describe('the list of operations', () => {
  it('shows the verb, how each may be repeated, and beta', async () => {
    const { exitCode, out } = await everpost(['operation', 'list']);
    expect(exitCode).toBe(0);
    expect(out).toContain('sendTextStatus         POST  send        send            beta');
    expect(out).toContain('showMessagesQueue      GET   repeatable  send,read');
  });
});

describe('the doctor', () => {
  it('reports the broken parts and those that it could not ask, and ends with 1', async () => {
    const env = { ...UNREACHABLE, TEMPORAL_ADDRESS: '127.0.0.1:1', EVERPOST_INSTANCES_FILE: '/nowhere.json' };
    const { exitCode, out } = await everpost(['doctor', '--json'], { env });
    expect(exitCode).toBe(1);
    const { findings } = JSON.parse(out[0] ?? '') as { findings: { subject: string; verdict: string }[] };
    expect(Object.fromEntries(findings.map(({ subject, verdict }) => [subject, verdict]))).toEqual({
      api: 'broken',
      ledger: 'unknown',
      temporal: 'broken',
      worker: 'unknown',
      runs: 'unknown',
      instances: 'broken',
    });
  });

  it('reports for an account without webhookToken that anyone may send its notifications, reachable or not', async () => {
    const account = { baseUrl: UNREACHABLE.EVERPOST_API_URL, idInstance: '1', apiTokenInstance: 'x' };
    const file = path.join(aFolder(), 'instances.json');
    writeFileSync(
      file,
      JSON.stringify({ open: account, guarded: { ...account, idInstance: '2', webhookToken: 'secret' } }),
    );
    const env = { ...UNREACHABLE, EVERPOST_INSTANCES_FILE: file };
    const { out } = await everpost(['doctor'], { env });
    const unguarded = out.filter((line) => line.includes('no webhookToken'));
    expect(unguarded).toEqual([expect.stringMatching(/^advice +instance open /)]);
  });
});

describe('an error', () => {
  const unexpected = new TypeError('x is not a function\nsecond line');

  it('is one line and a hint when it was unexpected, without its stack', () => {
    expect(errorLines(unexpected, { withStack: false })).toEqual([
      'everpost: unexpected error: x is not a function',
      '  Set EVERPOST_LOG_LEVEL=debug to print the stack trace.',
    ]);
  });

  it('shows its stack on request', () => {
    expect(errorLines(unexpected, { withStack: true }).join('\n')).toContain('run-cli.test.ts');
  });

  it("shows each problem on its line, with the gateway's words", () => {
    const error = new AppError('INPUT_INVALID', 'The message is refused.', {
      problems: [{ path: 'content.text', message: 'is empty' }],
      gatewayText: 'Validation failed',
    });
    expect(errorLines(error, { withStack: false })).toEqual([
      'everpost: The message is refused. [INPUT_INVALID]',
      '  content.text: is empty',
      '  The gateway responded: Validation failed',
    ]);
  });
});
