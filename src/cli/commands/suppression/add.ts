import { present } from '../../../contract/index.js';
import type { Command } from 'commander';
import type { SuppressionScope } from '../../../contract/index.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { COUNTRY_OPTION, scopeOption, suppressionLine } from './suppression-text.js';

interface AddOptions {
  readonly instance?: string;
  readonly scope?: SuppressionScope;
  readonly country?: string;
  readonly note?: string;
  readonly json?: true;
}

export function addSuppressionAddCommand(suppression: Command, context: CommandContext): void {
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
