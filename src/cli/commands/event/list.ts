import type { Command } from 'commander';
import { sinceOption, withApi, type CommandContext } from '../../command-context.js';
import { eventLine, typeOption, type EventFilterOptions } from './event-text.js';

interface ListOptions extends EventFilterOptions {
  readonly since?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly json?: true;
}

export function addEventListCommand(event: Command, context: CommandContext): void {
  event
    .command('list')
    .description('List stored events, the oldest first.')
    .option('--instance <name>', 'only events of this account')
    .addOption(typeOption())
    .option('--since <when>', 'only events since then: a duration (24h) or a time (ISO 8601)', sinceOption)
    .option('--limit <count>', 'how many, at most 500', '50')
    .option('--cursor <cursor>', 'continue after a page that was shown before')
    .option('--json', 'print { items, cursor } as one line of JSON')
    .addHelpText(
      'after',
      `
Events are stored for accounts that have an endpoint: everpost event endpoint create

Examples:
  everpost event list --since 1h
  everpost event list --instance main --type message.received`,
    )
    .action(async ({ json, ...query }: ListOptions) => {
      const { terminal } = context;
      const page = await withApi(context, (api) => api.listEvents({ query }));
      if (json) return terminal.out(JSON.stringify(page));
      if (page.items.length === 0) return terminal.err('No events found.');
      for (const one of page.items) terminal.out(eventLine(one));
      if (page.items.length >= Number(query.limit)) {
        terminal.err(`More: the same command with --cursor ${page.cursor}`);
      }
    });
}
