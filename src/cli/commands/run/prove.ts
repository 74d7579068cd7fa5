import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { AppError, OnUnknown } from '../../../contract/index.js';
import type { Ledger } from '../../../ledger/index.js';
import {
  PRODUCT_COMMAND,
  PROVE_TIMES,
  WEAKNESSES,
  failuresOf,
  killedAsAsked,
  loadProve,
  makePlan,
  planLine,
  proofJson,
  proofTable,
  weakened,
} from '../../../tools/prove/index.js';
import { ExitCode, type CommandContext } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { byDefault, choice, numberOption, parsed, type Given, type OptionSpec, type Specs } from '../../options.js';
import { createLog } from './log.js';
import { never, runService } from './run-service.js';
import { runDevStack } from './dev.js';

/** About a third of the messages go to recipients of campaigns. */
const DEFAULT_PERCENT = 33;

const WITHOUT = {
  '--without <rule>': choice(WEAKNESSES, 'disable a rule of the send protocol, to show that the run then fails'),
} as const;

const OPTIONS = {
  '--kills <count>': byDefault(12, countOption('number of times that everpost is killed')),
  '--messages <count>': countOption('number of messages to send (default: three per kill, ten with several workers)'),
  '--campaigns <percent>': byDefault(
    DEFAULT_PERCENT,
    parsed((text) => {
      const percent = text === 'none' ? 0 : Number(text);
      if (!Number.isInteger(percent) || percent < 0 || percent > 100)
        throw new InvalidArgumentError('must be a whole number from 0 to 100, or none');
      return percent;
    }, 'percentage of the messages that go to recipients of campaigns, or none'),
  ),
  '--seed <number>': countOption('seed of the messages, faults and their order (default: random)'),
  '--minutes <count>': countOption('give up after this many minutes (default: computed from kills and messages)'),
  '--workers <count>': byDefault(1, countOption('number of everpost processes; one is killed while the others work')),
  '--database-url <url>': 'PostgreSQL server for several workers; a database is created there and dropped',
  '--other-version <dir>':
    'folder with the build of another version: processes start as it, are upgraded to this one and rolled back',
  '--notifications <way>': byDefault('push', choice(['push', 'poll'], 'how notifications arrive')),
  '--no-notification-faults': 'do not lose, repeat, delay or reorder notifications',
  '--on-unknown <choice>': choice(Object.values(OnUnknown), 'onUnknown of every message (default: mixed)'),
  '--json': 'print the proof as one line of JSON',
  ...WITHOUT,
} as const;

export function addProveCommand(program: CommandGroup): void {
  program.add('prove', {
    description: 'Kill everpost and inject faults at random on this machine, then account for every message.',
    options: OPTIONS,
    help: `The run starts its own Temporal server, simulated gateway and everpost in a temporary directory, and ignores
the configured ones. It sends and edits single messages, and imports, starts, pauses and resumes campaigns,
two at a time. It kills everpost with SIGKILL at random, at every fault point of a send, between two
recipients of a campaign, and before a campaign's run continues as new. It kills and restarts Temporal's
server, makes the gateway unavailable, and loses, delays, repeats, reorders and corrupts responses and
notifications. At the end it compares the ledger with the messages that the phones received. Several workers
share a PostgreSQL and send for four instances, so that one worker sends while another is killed; each campaign
sends from all of them, and loses and regains accounts. With another version, processes begin as that version; this
one migrates the ledger meanwhile, and one process after the other is upgraded, and rolled back at the end.

Exit code: 0 only if no message was lost, sent twice or left unexplained; the ledger knows every message that
the gateway accepted; no campaign sent while it was paused, or reports an end that differs from its
recipients'; no kill left more outcomes unknown than the window and four; and every planned fault happened.
With --on-unknown auto --no-notification-faults and a thousand messages, at most 2 % may be unresolved. After
a failure the directory is kept. Runs of fewer than sixteen messages have no campaigns.

Examples:
  everpost prove --kills 200 --messages 600 --seed 1
  everpost prove --kills 200 --workers 2 --database-url postgres://postgres@127.0.0.1:5432/postgres --seed 1`,
    async action(options) {
      program.context.exitCode = await runProof(options, program.context);
    },
  });
  addProductCommand(program);
}

async function runProof(
  options: Given<Specs, typeof OPTIONS>,
  { terminal, config }: CommandContext,
): Promise<ExitCode> {
  const { kills, campaigns, seed = Math.floor(Math.random() * 1_000_000), json, without } = options;
  const { workers, databaseUrl, otherVersion, notifications, notificationFaults, onUnknown } = options;
  const { messages = (workers === 1 ? 3 : 10) * kills } = options;
  if (workers > 1 && databaseUrl === undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      'Several workers need a shared PostgreSQL server where a database may be created: --database-url postgres://…',
    );
  }
  if (otherVersion !== undefined && (workers === 1 || !existsSync(path.resolve(terminal.cwd, otherVersion, 'dist')))) {
    throw new AppError(
      'CONFIG_INVALID',
      'A rolling upgrade needs --workers 2 or more, and --other-version the folder of a built everpost.',
    );
  }
  // A round takes about six seconds on two idle cores, and the gateway releases two messages a second. The last wait is
  // long: an instance posts one message at a time while the outcomes of three are unknown.
  const { minutes = Math.ceil((kills * 20 + messages + 400) / 60) } = options;
  const { temporal, logLevel, logFormat } = config();
  const log = createLog(logLevel === 'info' ? 'error' : logLevel, logFormat);
  const { prove } = await loadProve();
  const say = json ? (line: string) => terminal.err(line) : (line: string) => terminal.out(line);
  const asked = onUnknown === undefined ? {} : { onUnknown };
  const isRolling = otherVersion !== undefined;
  const size = { kills, messages, campaignPercent: campaigns, seed, workers, notificationFaults, isRolling };
  const plan = makePlan({ ...size, ...asked });
  if (isRolling && plan.rounds.filter(({ replacement }) => replacement).length < 2 * workers)
    throw new AppError('CONFIG_INVALID', 'A rolling upgrade needs more rounds: raise --kills.');
  const kind = [
    ...(campaigns === DEFAULT_PERCENT ? [] : [`--campaigns ${campaigns}`]),
    ...(workers === 1 ? [] : [`--workers ${workers}`]),
    ...(isRolling ? ['--other-version …'] : []),
    ...(notifications === 'push' ? [] : ['--notifications poll']),
    ...(notificationFaults ? [] : ['--no-notification-faults']),
    ...(onUnknown === undefined ? [] : [`--on-unknown ${onUnknown}`]),
    `--seed ${seed}`,
  ];
  say(`everpost prove --kills ${kills} --messages ${messages} ${kind.join(' ')}: at most ${minutes} minutes`);
  say(planLine(plan));
  let isProven = false;
  const exitCode = await runService({
    log,
    start: async ({ teardown, stopping }) => {
      const dir = await mkdtemp(path.join(os.tmpdir(), 'everpost-prove-'));
      teardown.add('directory', async () => {
        if (isProven || stopping.aborted) await rm(dir, { recursive: true, force: true });
        else terminal.err(`The data of this run is kept in ${dir}`);
      });
      const proving = prove({
        plan,
        dir,
        binary: temporal.binary,
        env: terminal.env,
        without,
        databaseUrl,
        otherVersion: otherVersion === undefined ? undefined : path.resolve(terminal.cwd, otherVersion),
        notifications,
        log,
        teardown,
        stopping,
        limitMs: minutes * 60_000,
        tell: (line) => (terminal.live ?? say)(line),
        notice: (text) => terminal.err(text),
      });
      const ended = proving.then((proof) => {
        terminal.live?.('');
        const failures = failuresOf(proof);
        isProven = failures.length === 0;
        const verdict = isProven
          ? [`Proven in ${proof.seconds} s: nothing lost, nothing sent twice, nothing unexplained.`]
          : [`Not proven, after ${proof.seconds} s:`, ...failures.map((failure) => `  ${failure}`)];
        for (const line of json ? [proofJson(proof)] : ['', ...proofTable(proof), '', ...verdict]) terminal.out(line);
        return isProven ? ExitCode.done : ExitCode.failed;
      });
      return { ended };
    },
  });
  return isProven ? exitCode : ExitCode.failed;
}

/** The process that `prove` starts and kills: `everpost dev` without the simulator and Temporal. */
function addProductCommand(program: CommandGroup): void {
  const { context } = program;
  program.add(PRODUCT_COMMAND, {
    isHidden: true,
    description: '',
    options: WITHOUT,
    async action({ without }) {
      // The parent process is gone, and nothing else would end this one.
      process.once('disconnect', () => process.exit(ExitCode.failed));
      const underTest = {
        reached: killedAsAsked(),
        times: PROVE_TIMES,
        ledger: (ledger: Ledger) => (without === undefined ? ledger : weakened(ledger, without)),
      };
      const settings = { config: context.config(), knownPorts: false, underTest };
      context.exitCode = await runDevStack(context, settings, () => {
        process.send?.('ready');
        return never();
      });
    },
  });
}

function countOption(description: string): OptionSpec<number> {
  return numberOption(1, 0xffff_ffff, 'must be a whole number from 1', description);
}
