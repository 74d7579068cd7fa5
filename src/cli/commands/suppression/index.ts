import { type Command, Option } from 'commander';
import { type CommandContext, withApi } from '../../command-context.js';
import { addSuppressionImportCommand } from './import.js';
import { present, SuppressionScope, SuppressionSource } from '../../../contract/index.js';
import { COUNTRY_OPTION, scopeOption, suppressionLine } from './suppression-text.js';
import { ExitCode } from '../../exit-code.js';
import { pageOptions, type PageOptions } from '../../table.js';

export function addSuppressionCommands(program: Command, context: CommandContext): void {
  const suppression = program
    .command('suppression')
    .description(
      'Manage the list of recipients who get no messages. A recipient who writes STOP is added automatically.',
    );
  addSuppressionAddCommand(suppression, context);
  addSuppressionRemoveCommand(suppression, context);
  addSuppressionListCommand(suppression, context);
  addSuppressionImportCommand(suppression, context);
}

interface AddOptions {
  readonly instance?: string;
  readonly scope?: SuppressionScope;
  readonly country?: string;
  readonly note?: string;
  readonly json?: true;
}

function addSuppressionAddCommand(suppression: Command, context: CommandContext): void {
  suppression
    .command('add')
    .description(
      'Add a recipient to the list. Once the command returns, no message that the entry covers is posted to them.',
    )
    .argument('<number>', 'phone number or chat id')
    .option('--instance <name>', 'for this account only (default: for all)')
    .addOption(scopeOption())
    .option(...COUNTRY_OPTION)
    .option('--note <words>', 'why, in your own words')
    .option('--json', 'print the entry as one line of JSON')
    .addHelpText(
      'after',
      `
Adding again changes nothing. What is in the gateway's queue already still goes out.

Examples:
  everpost suppression add 15551234567 --note "asked by phone"
  everpost suppression add 15551234567 --scope all --instance main`,
    )
    .action(async (to: string, { instance, scope, country, note, json }: AddOptions) => {
      const entry = await withApi(context, (api) =>
        api.addSuppression({
          body: {
            to,
            ...present({ instance, scope, defaultCountry: country, note }),
          },
        }),
      );
      context.terminal.out(json ? JSON.stringify(entry) : suppressionLine(entry));
    });
}

interface RemoveOptions {
  readonly instance?: string;
  readonly country?: string;
  readonly json?: true;
}

function addSuppressionRemoveCommand(suppression: Command, context: CommandContext): void {
  suppression
    .command('remove')
    .description('Remove a recipient from the list, whatever the source of the entry. Be sure that they agree.')
    .argument('<number>', 'phone number or chat id')
    .option('--instance <name>', "only this account's own entries (default: every entry)")
    .option(...COUNTRY_OPTION)
    .option('--json', 'print { removed, left } as one line of JSON')
    .addHelpText(
      'after',
      `
Entries are kept with the time they were removed: everpost suppression list --to … --removed
Exit code: 0 no entry is left, 1 entries for other accounts, or for all, are left; 2 wrong use.

Example:
  everpost suppression remove 15551234567`,
    )
    .action(async (to: string, { instance, country, json }: RemoveOptions) => {
      const { terminal } = context;
      const response = await withApi(context, (api) =>
        api.removeSuppression({
          body: {
            to,
            ...present({ instance, defaultCountry: country }),
          },
        }),
      );
      if (response.left.length > 0) context.exitCode = ExitCode.failed;
      if (json) return terminal.out(JSON.stringify(response));
      if (response.removed.length === 0) terminal.out('Nothing was there to remove.');
      for (const entry of response.removed) terminal.out(suppressionLine(entry));
      for (const entry of response.left) terminal.out(`still holds: ${suppressionLine(entry)}`);
    });
}

interface ListOptions extends PageOptions {
  readonly to?: string;
  readonly country?: string;
  readonly instance?: string;
  readonly source?: string;
  readonly scope?: string;
  readonly removed?: true;
}

function addSuppressionListCommand(suppression: Command, context: CommandContext): void {
  pageOptions(
    suppression
      .command('list')
      .description('List the entries, newest first, with their source and time.')
      .option('--to <number>', 'only this phone or chat id')
      .option(...COUNTRY_OPTION)
      .option('--instance <name>', 'only entries that apply to this account: its own, and those for all')
      .addOption(new Option('--source <source>', 'only of this source').choices(Object.values(SuppressionSource)))
      .addOption(new Option('--scope <scope>', 'only of this scope').choices(Object.values(SuppressionScope)))
      .option('--removed', 'also entries that were removed'),
  )
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
