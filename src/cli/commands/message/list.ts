import { Option, type Command } from 'commander';
import { MESSAGE_STATES } from '../../../contract/index.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { messageColumns } from '../../message-text.js';
import { showPage } from '../../table.js';

interface ListOptions {
  readonly instance?: string;
  readonly state?: string;
  readonly to?: string;
  readonly reference?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly json?: true;
}

export function addMessageListCommand(message: Command, context: CommandContext): void {
  message
    .command('list')
    .description('List messages, newest first.')
    .option('--instance <name>', 'only of this account (default: all)')
    .addOption(new Option('--state <state>', 'only in this state').choices(MESSAGE_STATES))
    .option('--to <recipient>', 'only to this phone or chat id')
    .option('--reference <words>', 'only with this reference')
    .option('--limit <count>', 'how many, at most 500', '50')
    .option('--cursor <cursor>', 'continue after a page that was shown before')
    .option('--json', 'print { items, cursor } as one line of JSON')
    .addHelpText(
      'after',
      `
ID is the beginning of the message's id: the other commands take it. AGE is the time since the message was requested.

Examples:
  everpost message list --state unresolved
  everpost message list --to 15551234567 --limit 5
  everpost message list --reference order-17 --json`,
    )
    .action(async ({ json, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) => api.listMessages({ query: filter }));
      if (json) return context.terminal.out(JSON.stringify(page));
      showPage(context.terminal, { columns: messageColumns(Date.now()), page, what: 'messages' });
    });
}
