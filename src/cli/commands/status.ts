import type { Command } from 'commander';
import { withApi, type CommandContext } from '../command-context.js';
import { messageStory } from '../message-text.js';

export function addStatusCommand(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('Show where a message stands, with its attempts, edits and evidence.')
    .argument('<id>', 'the message: its id, or at least 4 characters of its beginning, with or without msg_')
    .option('--json', 'print all of it as one line of JSON')
    .addHelpText(
      'after',
      `
Times are UTC.

Example:
  everpost status msg_7k3m9x2q`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      const message = await withApi(context, (api) => api.message(id));
      for (const line of json ? [JSON.stringify(message)] : messageStory(message)) context.terminal.out(line);
    });
}
