import { present } from '../../../contract/index.js';
import type { Command } from 'commander';
import { withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { COUNTRY_OPTION, suppressionLine } from './suppression-text.js';

interface RemoveOptions {
  readonly instance?: string;
  readonly country?: string;
  readonly json?: true;
}

export function addSuppressionRemoveCommand(suppression: Command, context: CommandContext): void {
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
