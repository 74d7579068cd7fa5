import type { Command } from 'commander';
import { AppError, SUPPRESSION_VERDICTS, type SuppressionScope } from '../../../contract/index.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { delimiterOption, openRecipients } from '../campaign/recipients-source.js';
import { COUNTRY_OPTION, scopeOption } from './suppression-text.js';

interface ImportOptions {
  readonly instance?: string;
  readonly scope?: SuppressionScope;
  readonly country?: string;
  readonly delimiter?: string;
  readonly json?: true;
}

/** So many are shown; with --json all that the response holds. */
const SHOWN_REJECTS = 20;

export function addSuppressionImportCommand(suppression: Command, context: CommandContext): void {
  suppression
    .command('import')
    .description('Add every recipient of a file to the list: one number a line, CSV with a header, or NDJSON.')
    .argument('<file>', 'the file, or - for standard input')
    .option('--instance <name>', 'for this account only (default: for all)')
    .addOption(scopeOption())
    .option(...COUNTRY_OPTION)
    .addOption(delimiterOption())
    .option('--json', 'print { lines, verdicts, rejects } as one line of JSON')
    .addHelpText(
      'after',
      `
Importing again changes nothing. Lines that were read before an import failed stay on the list.
Exit code: 0 every line is on the list; 1 some are not, or it broke off; 2 wrong use.

Examples:
  everpost suppression import opted-out.txt
  everpost suppression import opted-out.csv --country DE --instance main`,
    )
    .action(async (file: string, { instance, scope, country, delimiter, json }: ImportOptions) => {
      const { terminal } = context;
      const { body, type, sizeBytes } = await openRecipients(file, terminal, { mayBeList: true });
      const imported = await withApi(context, async (api) => {
        try {
          return await api.importSuppressions({
            file: { body, type, sizeBytes },
            query: { instance, scope, defaultCountry: country, delimiter },
          });
        } catch (error) {
          if (body.errored === null || body.errored === undefined) throw error;
          throw new AppError('INPUT_INVALID', `${file} could not be read to the end. Import it again for the rest.`, {
            cause: body.errored,
          });
        } finally {
          body.destroy();
        }
      });
      const { lines, verdicts, rejects } = imported;
      if (lines > verdicts.added + verdicts.already) context.exitCode = ExitCode.failed;
      if (json) return terminal.out(JSON.stringify(imported));
      terminal.out(`${lines} lines`);
      for (const verdict of SUPPRESSION_VERDICTS) {
        if (verdicts[verdict] > 0) terminal.out(`  ${verdict.padEnd(16)} ${verdicts[verdict]}`);
      }
      for (const { line, reason, value } of rejects.slice(0, SHOWN_REJECTS)) {
        terminal.out(`line ${line}: ${reason}: ${value}`);
      }
      if (rejects.length > SHOWN_REJECTS) terminal.out('… the others with --json');
    });
}
