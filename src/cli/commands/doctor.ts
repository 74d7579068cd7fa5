import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type { Finding } from '../doctor/finding.js';
import { ExitCode } from '../exit-code.js';

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('Check Temporal, worker, ledger, API and every instance with its webhook settings; say what to do.')
    .option('--json', 'print the findings as one line of JSON')
    .addHelpText(
      'after',
      `
Changes nothing. Exit code: 0 all is well, 1 something is broken.

Example:
  everpost doctor`,
    )
    .action(async ({ json }: { readonly json?: true }) => {
      const { examine } = await import('../doctor/examine.js');
      const findings = await examine(context.config());
      for (const line of json ? [JSON.stringify({ findings })] : findings.flatMap(findingLines)) {
        context.terminal.out(line);
      }
      if (findings.some(({ verdict }) => verdict === 'broken')) context.exitCode = ExitCode.failed;
    });
}

function findingLines({ verdict, subject, found, remedy }: Finding): string[] {
  const line = `${verdict.padEnd(7)} ${subject.padEnd(16)} ${found}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(25)}→ ${remedy}`];
}
