import type { Command } from 'commander';
import type { ApiResponse } from '../../../client/index.js';
import { timeoutOption, withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';

interface EditOptions {
  readonly text: string;
  readonly key?: string;
  readonly timeout: number;
  readonly json?: true;
}

export function addMessageEditCommand(message: Command, context: CommandContext): void {
  message
    .command('edit')
    .description('Edit the text of a message, before it is posted or within 15 minutes of sending.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .requiredOption('--text <text>', 'the new text, at most 20,000 characters')
    .option('--key <key>', 'idempotency key: the same key and text are one edit')
    .addOption(timeoutOption('how long to wait for its outcome'))
    .option('--json', 'print the edit as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 edited, 1 refused, too late or not possible, 2 wrong use, 3 unconfirmed or pending.

Example:
  everpost message edit msg_7k3m9x2q --text "Your order is ready at counter 4"`,
    )
    .action(async (id: string, { text, key, timeout, json }: EditOptions) => {
      const edit = await withApi(context, (api) => api.editMessage({ id, body: { text }, key, waitMs: timeout }));
      context.exitCode = editExitCode(edit);
      context.terminal.out(json ? JSON.stringify(edit) : editLine(edit));
    });
}

type EditResponse = ApiResponse<'editMessage'>;

function editLine(edit: EditResponse): string {
  const word = 'outcome' in edit ? edit.outcome : edit.state;
  const more = 'text' in edit ? [edit.via, edit.reason] : [];
  return [edit.id, word, ...more].filter((part) => part !== undefined).join('  ');
}

function editExitCode(edit: EditResponse): ExitCode {
  if (!('outcome' in edit)) return ExitCode.notReached;
  switch (edit.outcome) {
    case 'edited':
      return ExitCode.done;
    case 'unconfirmed':
      return ExitCode.notReached;
    case 'refused':
    case 'too_late':
    case 'superseded':
    case 'not_possible':
      return ExitCode.failed;
  }
}
