import type { Command } from 'commander';
import { OPERATIONS, type OperationFacts } from '../../contract/index.js';
import type { OperationResponse } from '../../starter/index.js';
import { timeoutOption, type CommandContext, type JsonOption } from '../command-context.js';
import { ExitCode } from '../exit-code.js';
import { INSTANCE_OPTION, withInstance } from '../instance-option.js';
import { readJsonOption } from '../json-option.js';

interface OperationOptions extends JsonOption {
  readonly instance?: string;
  readonly body?: string;
  readonly key?: string;
  readonly timeout: number;
}

export function addOperationCommands(program: Command, context: CommandContext): void {
  const operation = program.command('operation').description('Run gateway operations as durable jobs.');
  addRun(operation, context);
  addList(operation, context);
}

function addRun(operation: Command, context: CommandContext): void {
  operation
    .command('run')
    .description('Run one gateway operation as a durable job.')
    .argument('<method>', 'e.g. getSettings; see everpost operation list')
    .option(...INSTANCE_OPTION)
    .option('--body <json>', "the operation's fields under the gateway's names: JSON, @file, or - for standard input")
    .option('--key <key>', 'idempotency key: the same key and body run once')
    .addOption(timeoutOption('how long to wait for its result'))
    .option('--json', 'print the job as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 done, 1 failed, 2 wrong use, 3 not done in time, or its outcome is unknown.

Examples:
  everpost operation run getStateInstance --instance main
  everpost operation run readChat --instance main --body '{"chatId":"15551234567@c.us"}'
  everpost operation run setSettings --instance main --body @settings.json --key settings-2`,
    )
    .action(async (method: string, options: OperationOptions) => {
      const { key, timeout, json } = options;
      const request = await readJsonOption('--body', options.body ?? '{}', context.terminal);
      const job = await withInstance(context, options.instance, (api, instance) => {
        const body = { instance, request };
        return api.beginOperation({ method, body, query: { wait: 'true' }, key, waitMs: timeout });
      });
      context.exitCode = operationExitCode(job);
      context.terminal.out(json ? JSON.stringify(job) : operationText(job));
    });
}

function addList(operation: Command, context: CommandContext): void {
  operation
    .command('list')
    .description('List the operations: HTTP method, whether they may be repeated, beta.')
    .option('--json', 'print them as one line of JSON')
    .action(({ json }: JsonOption) => {
      const { terminal } = context;
      const rows = Object.entries<OperationFacts>(OPERATIONS).map(([name, facts]) => ({ name, ...facts }));
      if (json) return terminal.out(JSON.stringify(rows));
      for (const { name, verb, durability, beta } of rows) {
        terminal.out([name.padEnd(22), verb.padEnd(5), durability.padEnd(11), beta ? 'beta' : ''].join(' ').trimEnd());
      }
    });
}

function operationText({ id, state, result, code, text }: OperationResponse): string {
  if (state === 'done') return JSON.stringify(result ?? null, undefined, 2);
  return [id, state, code, text].filter((part) => part !== undefined).join('  ');
}

function operationExitCode({ state }: OperationResponse): ExitCode {
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
