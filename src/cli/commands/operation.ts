import { OPERATIONS, type OperationFacts } from '../../contract/index.js';
import type { OperationResponse } from '../../starter/index.js';
import type { CommandGroup } from '../command-group.js';
import { ExitCode } from '../command-context.js';
import { INSTANCE, readJsonOption, timeoutOption } from '../options.js';
import { words } from '../table.js';

export function addOperationCommands(program: CommandGroup): void {
  const operation = program.group('operation', 'Run gateway operations as durable jobs.');
  operation.call('run', {
    description: 'Run one gateway operation as a durable job.',
    arguments: { '<method>': 'the operation, e.g. getSettings; see everpost operation list' },
    options: {
      ...INSTANCE,
      '--body <json>': "the operation's fields under the gateway's names: JSON, @file, or - for standard input",
      '--key <key>': 'idempotency key: the same key and body run once',
      ...timeoutOption('how long to wait for the result'),
    },
    json: 'print the job as one line of JSON',
    help: `Exit code: 0 done, 1 failed, 2 wrong use, 3 not done in time, or outcome unknown.

Examples:
  everpost operation run getStateInstance --instance main
  everpost operation run readChat --instance main --body '{"chatId":"15551234567@c.us"}'
  everpost operation run setSettings --instance main --body @settings.json --key settings-2`,
    async call(api, { method, body: given = '{}', key, timeout }, { terminal, instance }) {
      const request = await readJsonOption('--body', given, terminal);
      const body = { instance: await instance(), request };
      return api.beginOperation({ method, body, query: { wait: 'true' }, key, waitMs: timeout });
    },
    exitCode: operationExitCode,
    lines: ({ id, state, result, code, text }) =>
      state === 'done' ? JSON.stringify(result ?? null, undefined, 2) : words([id, state, code, text]),
  });
  operation.add('list', {
    description: 'List the operations with HTTP method, whether a retry is safe, and beta.',
    options: { '--json': 'print the operations as one line of JSON' },
    action({ json }) {
      const { terminal } = operation.context;
      const rows = Object.entries<OperationFacts>(OPERATIONS).map(([name, facts]) => ({ name, ...facts }));
      if (json) return terminal.out(JSON.stringify(rows));
      for (const { name, verb, durability, beta } of rows) {
        terminal.out([name.padEnd(22), verb.padEnd(5), durability.padEnd(11), beta ? 'beta' : ''].join(' ').trimEnd());
      }
    },
  });
}

export function operationExitCode({ state }: OperationResponse): ExitCode {
  switch (state) {
    case 'done':
      return ExitCode.done;
    case 'failed':
      return ExitCode.failed;
    case 'pending':
    case 'sending':
    case 'may_have_happened':
      return ExitCode.notReached;
  }
}
