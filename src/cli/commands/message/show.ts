import type { Command } from 'commander';
import { withApi, type CommandContext } from '../../command-context.js';
import { messageStory } from '../../message-text.js';

export function addMessageShowCommand(message: Command, context: CommandContext): void {
  message
    .command('show')
    .description('Show a message: its state, attempts, edits and evidence.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .option('--json', 'print all of it as one line of JSON')
    .addHelpText(
      'after',
      `
Times are UTC.

Example:
  everpost message show msg_7k3m9x2q`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      const found = await withApi(context, (api) => api.getMessage({ id }));
      for (const line of json ? [JSON.stringify(found)] : messageStory(found)) context.terminal.out(line);
    });
}
