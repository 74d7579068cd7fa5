import { writeWebhookToken } from '../../config/index.js';
import { AppError, isRecord, type Finding } from '../../contract/index.js';
import { ExitCode, withApi, type CommandContext } from '../command-context.js';
import type { CommandGroup } from '../command-group.js';
import type { NeededChange } from '../../doctor/index.js';
import { words } from '../table.js';
import { agrees } from '../terminal.js';

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
      const { examine } = await import('../examination/examine.js');
      const { findings, changes } = await examine(context.config());
      for (const { verdict, subject, found, remedy } of json ? [] : findings) {
        terminal.out(`${verdict.padEnd(7)} ${subject.padEnd(16)} ${found}`);
        if (remedy !== undefined) terminal.out(`${' '.repeat(25)}→ ${remedy}`);
      }
      const fixed = fix ? await fixSettings(context, changes, yes === true) : [];
      if (json) terminal.out(JSON.stringify({ findings, ...(fix ? { fixed } : {}) }));
      else for (const line of fixed.flatMap(fixedLines)) terminal.out(line);
      if (!isWell(findings, fixed)) context.exitCode = ExitCode.failed;
    },
  });
}

/** An accepted setting counts as corrected: the gateway may show it up to five minutes later. */
function isWell(findings: readonly Finding[], fixed: readonly FixedSettings[]): boolean {
  const isCorrected = ({ isFixable, subject }: Finding) =>
    isFixable && fixed.some(({ instance, outcome }) => outcome === 'set' && subject === `instance ${instance}`);
  return findings.every(
    (finding) =>
      finding.verdict === 'ok' ||
      finding.verdict === 'advice' ||
      (finding.verdict === 'broken' && isCorrected(finding)),
  );
}

function fixedLines({ instance, settings, outcome, why, wroteTo }: FixedSettings): string[] {
  const label = `instance ${instance}`.padEnd(16);
  const written = wroteTo === undefined ? [] : [`${label} written: webhookToken into ${wroteTo}`];
  const atGateway = wroteTo === undefined ? settings : settings.filter((name) => name !== 'webhookToken');
  if (atGateway.length === 0) return written;
  const reason = why === undefined ? '' : ` (${why})`;
  return [...written, `${label} ${outcome}${reason}: ${atGateway.join(', ')}`];
}

/** The result for one account's settings. */
interface FixedSettings extends Outcome {
  readonly instance: string;
  /** Names only: a value may be a token. */
  readonly settings: readonly string[];
}

interface Outcome {
  readonly outcome: 'set' | 'refused' | 'not answered' | 'may have been set' | 'left as they are';
  /** The instances file, if the webhookToken was written to it. */
  readonly wroteTo?: string;
  /** The code and the gateway's text, if it rejected the change. */
  readonly why?: string;
}

const RESTARTS = 'This restarts the account for up to five minutes; its queue waits.';
const ELSEWHERE = 'nothing was set. In a script: everpost doctor --fix --yes';
const RESPONSE_MS = 60_000;

/**
 * Applies the changes, account by account, once the operator agrees. Uses the API like every operation, so that a
 * worker that reconciles a lost response later knows about the restart.
 * @param isAgreed  an operator has agreed already
 * @throws AppError INPUT_INVALID without a terminal
 */
async function fixSettings(context: CommandContext, changes: readonly NeededChange[], isAgreed: boolean) {
  const fixed: FixedSettings[] = [];
  for (const needed of changes) {
    const { instance, change, webhookToken } = needed;
    const names = Object.keys(change);
    // Names without values, which may be tokens.
    const written = webhookToken && `webhookToken will be written to ${instancesFile(context)}.`;
    const set = names.length === 0 ? undefined : `${names.join(', ')} will be set. ${RESTARTS}`;
    context.terminal.err(words([`instance ${instance}:`, written, set], ' '));
    const isWanted = isAgreed || (await agrees(context.terminal, 'Set them now?', ELSEWHERE));
    const outcome: Outcome = isWanted ? await applyChange(context, needed) : { outcome: 'left as they are' };
    fixed.push({ instance, settings: [...(webhookToken === undefined ? [] : ['webhookToken']), ...names], ...outcome });
  }
  return fixed;
}

/**
 * Writes the file first: the other order could leave a token at the gateway that is stored nowhere. Beyond loopback,
 * the receiver already refuses notifications without a token; on loopback it takes them until the gateway sends the new
 * one.
 */
async function applyChange(context: CommandContext, needed: NeededChange): Promise<Outcome> {
  const { instance, change, webhookToken } = needed;
  if (webhookToken === undefined) return setAtGateway(context, needed);
  const wroteTo = instancesFile(context);
  try {
    await writeWebhookToken(wroteTo, instance, webhookToken);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'refused', why: error.message };
  }
  const outcome: Outcome = Object.keys(change).length === 0 ? { outcome: 'set' } : await setAtGateway(context, needed);
  return { ...outcome, wroteTo };
}

function instancesFile(context: CommandContext): string {
  const { instances } = context.config();
  if (instances === undefined) throw new AppError('INTERNAL', 'A webhook token was created without an instances file.');
  return instances.filePath;
}

async function setAtGateway(context: CommandContext, { instance, change: request }: NeededChange): Promise<Outcome> {
  try {
    const operation = { method: 'setSettings', body: { instance, request }, query: { wait: 'true' } } as const;
    const done = await withApi(context, (api) => api.beginOperation({ ...operation, waitMs: RESPONSE_MS }));
    const why = words([done.code, done.text], ': ');
    switch (done.state) {
      case 'done':
        return isRecord(done.result) && done.result['saveSettings'] === true
          ? { outcome: 'set' }
          : { outcome: 'refused', why: 'saveSettings is not true' };
      case 'failed':
        return { outcome: 'refused', why };
      case 'may_have_happened':
        return { outcome: 'may have been set', why };
      case 'pending':
      case 'sending':
        return { outcome: 'not answered', why: 'no worker runs, or the gateway does not respond; everpost retries it' };
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'API_UNREACHABLE') throw error;
    return { outcome: 'not answered', why: `${error.message} Then run: everpost doctor --fix` };
  }
}
