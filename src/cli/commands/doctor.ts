import type { CommandGroup } from '../command-group.js';
import type { Finding } from '../doctor/finding.js';
import type { FixedSettings } from '../doctor/fix-settings.js';
import { ExitCode } from '../exit-code.js';

export function addDoctorCommand(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('doctor', {
    description: 'Check Temporal, worker, ledger, API and every instance with its webhook settings; say what to do.',
    options: {
      '--fix': 'correct the settings of the accounts; asks before each account',
      '--yes': 'do not ask: for scripts',
      '--json': 'print the findings as one line of JSON',
    },
    help: `Examines the stack that the environment names, else the everpost dev of the data directory; never another one on default
ports. A check without a response is unknown, with the reason, and counts as a problem. Of the open runs the first 200 are
checked for tasks and activities that fail repeatedly.

Changes nothing without --fix. With it, only settings that differ are set at the gateway (setSettings), by way of the API:
this restarts the account, for up to five minutes. EVERPOST_PUBLIC_URL is the address for notifications.
An instance without a webhookToken gets one, written into the instances file and set at the gateway. It is not shown.
Exit code: 0 all is well, or was corrected; 1 something is broken or unknown; 2 --fix without --yes and without a terminal.

Examples:
  everpost doctor
  EVERPOST_PUBLIC_URL=https://hooks.example.com everpost doctor --fix`,
    async action({ fix, yes, json }, command) {
      if (yes && !fix) return command.error('error: --yes belongs to --fix');
      const { examine } = await import('../doctor/examine.js');
      const { findings, changes } = await examine(context.config());
      if (!json) for (const line of findings.flatMap(findingLines)) terminal.out(line);
      const { fixSettings } = await import('../doctor/fix-settings.js');
      const fixed = fix ? await fixSettings(context, changes, { yes: yes === true }) : [];
      if (json) terminal.out(JSON.stringify({ findings, ...(fix ? { fixed } : {}) }));
      else for (const line of fixed.flatMap(fixedLines)) terminal.out(line);
      if (!isWell(findings, fixed)) context.exitCode = ExitCode.failed;
    },
  });
}

/** A setting may take five minutes to show: it is enough that the gateway accepted it. */
function isWell(findings: readonly Finding[], fixed: readonly FixedSettings[]): boolean {
  const set = new Set(fixed.filter(({ outcome }) => outcome === 'set').map(({ instance }) => `instance ${instance}`));
  return findings.every(
    ({ verdict, isFixable, subject }) =>
      verdict === 'ok' || verdict === 'advice' || (verdict === 'broken' && isFixable && set.has(subject)),
  );
}

function findingLines({ verdict, subject, found, remedy }: Finding): string[] {
  const line = `${verdict.padEnd(7)} ${subject.padEnd(16)} ${found}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(25)}→ ${remedy}`];
}

function fixedLines({ instance, settings, outcome, why, wroteTo }: FixedSettings): string[] {
  const label = `instance ${instance}`.padEnd(16);
  const written = wroteTo === undefined ? [] : [`${label} written: webhookToken into ${wroteTo}`];
  const atGateway = wroteTo === undefined ? settings : settings.filter((name) => name !== 'webhookToken');
  if (atGateway.length === 0) return written;
  const reason = why === undefined ? '' : ` (${why})`;
  return [...written, `${label} ${outcome}${reason}: ${atGateway.join(', ')}`];
}
