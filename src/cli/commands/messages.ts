import { Option, type Command } from 'commander';
import { MESSAGE_STATES } from '../../contract/index.js';
import { withApi, type CommandContext } from '../command-context.js';
import { messageLine } from '../message-text.js';

interface ListOptions {
  readonly instance?: string;
  readonly state?: string;
  readonly to?: string;
  readonly reference?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly json?: true;
}

export function addMessagesCommand(program: Command, context: CommandContext): void {
  program
    .command('messages')
    .description('Look through messages.')
    .command('list')
    .description('List messages, newest first.')
    .option('--instance <name>', 'only of this account')
    .addOption(new Option('--state <state>', 'only in this state').choices(MESSAGE_STATES))
    .option('--to <recipient>', 'only to this phone or chat id')
    .option('--reference <words>', 'only with these words of your own')
    .option('--limit <count>', 'how many, at most 500', '50')
    .option('--cursor <cursor>', 'go on from a former page')
    .option('--json', 'print { items, cursor } as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost messages list --state held`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.messages(filter));
      if (json) return context.terminal.out(JSON.stringify(page));
      for (const message of page.items) context.terminal.out(`${message.createdAt}  ${messageLine(message)}`);
      if (page.cursor !== undefined) context.terminal.err(`More: --cursor ${page.cursor}`);
    });
}
