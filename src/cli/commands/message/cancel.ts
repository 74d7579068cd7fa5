import type { Command } from 'commander';
import { withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';

export function addMessageCancelCommand(message: Command, context: CommandContext): void {
  message
    .command('cancel')
    .description('Cancel a message that is not posted yet.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .option('--json', 'print the response as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 it will never be posted, 1 it was posted already.

Example:
  everpost message cancel msg_7k3m9x2q`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      const response = await withApi(context, (api) => api.cancelMessage({ id }));
      context.exitCode = response.cancelled ? ExitCode.done : ExitCode.failed;
      const words = response.cancelled ? 'cancelled' : `not cancelled: it is ${response.state}`;
      context.terminal.out(json ? JSON.stringify(response) : `${response.id}  ${words}`);
    });
}
