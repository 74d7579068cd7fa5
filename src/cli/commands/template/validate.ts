import type { Command } from 'commander';
import { validateTemplate } from '../../../domain/index.js';
import { readStructuredFile } from '../../../client/index.js';
import type { CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { findingLine } from './template-text.js';

export function addTemplateValidateCommand(template: Command, context: CommandContext): void {
  template
    .command('validate')
    .description("Check a template's file against every documented limit. Needs no API and sends nothing.")
    .argument('<file>', "createTemplate's fields under the gateway's names, as YAML or JSON")
    .option('--json', 'print { ok, errors, warnings } as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 no errors, 1 some; 2 when the file cannot be read. Warnings change nothing.

Example:
  everpost template validate order-ready.yaml`,
    )
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const { terminal } = context;
      const { errors, warnings } = validateTemplate(
        await readStructuredFile(file, terminal.cwd, "The template's file"),
      );
      const ok = errors.length === 0;
      context.exitCode = ok ? ExitCode.done : ExitCode.failed;
      if (json) return terminal.out(JSON.stringify({ ok, errors, warnings }));
      for (const finding of errors) terminal.out(`error    ${findingLine(finding)}`);
      for (const finding of warnings) terminal.out(`warning  ${findingLine(finding)}`);
      terminal.out(`${file}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}`);
    });
}

function count(number: number, what: string): string {
  return `${number === 0 ? 'no' : number} ${what}${number === 1 ? '' : 's'}`;
}
