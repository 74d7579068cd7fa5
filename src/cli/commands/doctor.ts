import type { CommandGroup } from '../command-group.js';
import type { Finding } from '../doctor/finding.js';
import type { FixedSettings } from '../doctor/fix-settings.js';
import { ExitCode } from '../command-context.js';

export function addDoctorCommand(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('doctor', {
    description:
      'Check Temporal, worker, ledger, API and the webhook settings of every instance; print a remedy for each problem.',
    options: {
      '--fix': 'correct the settings of the accounts; asks before each account',
      '--yes': 'skip the confirmation, for scripts',
      '--json': 'print the findings as one line of JSON',
    },
    help: `The doctor checks the stack that the environment names, else the everpost dev of the data directory; never
another stack on default ports. A check without a response is reported as unknown, with the reason, and counts
as a problem. The doctor checks the first 200 open runs for tasks and activities that fail repeatedly.

Without --fix the doctor changes nothing. With --fix it sets only the settings that differ (setSettings),
through the API: this restarts the account for up to five minutes. EVERPOST_PUBLIC_URL is the address for
notifications. An instance without a webhookToken gets one, which is written to the instances file, set at the
gateway, and never printed.
Exit code: 0 no problems, or all corrected; 1 something is broken or unknown; 2 --fix without --yes and
without a terminal.

Examples:
  everpost doctor
  EVERPOST_PUBLIC_URL=https://hooks.example.com everpost doctor --fix`,
    async action({ fix, yes, json }, command) {
      if (yes && !fix) return command.error('error: --yes requires --fix');
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

/** An accepted setting counts as corrected: the gateway may show it up to five minutes later. */
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
