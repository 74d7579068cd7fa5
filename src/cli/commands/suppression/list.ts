import { Option, type Command } from 'commander';
import { SuppressionScope, SuppressionSource } from '../../../contract/index.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { COUNTRY_OPTION, suppressionLine } from './suppression-text.js';

interface ListOptions {
  readonly to?: string;
  readonly country?: string;
  readonly instance?: string;
  readonly source?: string;
  readonly scope?: string;
  readonly removed?: true;
  readonly limit: string;
  readonly cursor?: string;
  readonly json?: true;
}

export function addSuppressionListCommand(suppression: Command, context: CommandContext): void {
  suppression
    .command('list')
    .description('List the entries, newest first, with their source and time.')
    .option('--to <number>', 'only this phone or chat id')
    .option(...COUNTRY_OPTION)
    .option('--instance <name>', 'only entries that apply to this account: its own, and those for all')
    .addOption(new Option('--source <source>', 'only of this source').choices(Object.values(SuppressionSource)))
    .addOption(new Option('--scope <scope>', 'only of this scope').choices(Object.values(SuppressionScope)))
    .option('--removed', 'also entries that were removed')
    .option('--limit <count>', 'how many, at most 500', '50')
    .option('--cursor <cursor>', 'continue after a page that was shown before')
    .option('--json', 'print { items, cursor } as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost suppression list --source stop_word
  everpost suppression list --to 15551234567 --removed`,
    )
    .action(async ({ json, country, removed, ...filter }: ListOptions) => {
      const page = await withApi(context, (api) =>
        api.listSuppressions({
          query: { ...filter, defaultCountry: country, removed: removed && 'true' },
        }),
      );
      if (json) return context.terminal.out(JSON.stringify(page));
      for (const entry of page.items) context.terminal.out(suppressionLine(entry));
      if (page.cursor !== undefined) context.terminal.err(`More: --cursor ${page.cursor}`);
    });
}
