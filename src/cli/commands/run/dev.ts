/** The commands that run everything in one process: `everpost dev`, and the demo. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { demoConfig, playDemo } from '../../../tools/demo/index.js';
import { loadDevStack, type DevStackFacts, type DevStackOptions } from '../../../tools/dev/index.js';
import { ExitCode, type CommandContext } from '../../command-context.js';
import type { CommandGroup } from '../../command-group.js';
import { portOption } from '../../options.js';
import type { Terminal } from '../../terminal.js';
import { openLog } from './log.js';
import { never, runService } from './run-service.js';

/**
 * Runs everything in this process until a signal arrives, or a part ends.
 * @param started  called once everything runs; its end also ends the rest
 */
export async function runDevStack(
  { terminal }: CommandContext,
  settings: Pick<DevStackOptions, 'config' | 'knownPorts' | 'underTest'>,
  started: (facts: DevStackFacts, stopping: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const log = openLog(settings.config);
  const { startDevStack } = await loadDevStack();
  return runService({
    log,
    async start(service) {
      const stack = await startDevStack({ ...service, ...settings, log, notice: (text) => terminal.err(text) });
      return { ended: Promise.race([stack.ended, started(stack.facts, service.stopping)]) };
    },
  });
}

export function addDevCommand(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('dev', {
    description: 'Run everything on this machine: Temporal, ledger, simulator, worker, API and webhook receiver.',
    options: {
      '--http-port <port>': portOption(
        'port of the API and the receiver; 0 picks a free one (default: 8080, or a free one if 8080 is taken)',
      ),
      '--data-dir <path>': 'directory for all data (default: .everpost)',
      '--json': 'print one line of JSON with all addresses once everything runs',
    },
    help: `The command uses configured services instead of starting its own: TEMPORAL_ADDRESS, DATABASE_URL,
EVERPOST_INSTANCES_FILE. While it runs, the data directory records the addresses; commands with the same
--data-dir (or EVERPOST_DATA_DIR) use them. A second everpost dev can run on another data directory: it uses
free ports if the default ports are taken. Ctrl-C or SIGTERM stops everything within ten seconds; a second one
stops it immediately. After a kill, the next start continues.

Examples:
  everpost dev
  everpost dev --http-port 0 --data-dir /tmp/try --json`,
    async action({ httpPort, dataDir, json }) {
      context.override({ EVERPOST_DATA_DIR: dataDir, EVERPOST_HTTP_PORT: httpPort?.toString() });
      const settings = { config: context.config(), knownPorts: true };
      context.exitCode = await runDevStack(context, settings, (facts) => {
        const lines = json ? [JSON.stringify({ ready: true, ...facts })] : readyLines(facts, dataDir, terminal);
        for (const line of lines) terminal.out(line);
        return never();
      });
    },
  });
}

/** @param asked  the data directory as given on the command line; other commands need the same option */
function readyLines(
  { apiUrl, temporalAddress, temporalUiUrl, simulatorUrl, dataDir }: DevStackFacts,
  asked: string | undefined,
  { env, cwd }: Terminal,
): string[] {
  // How the operator started this program, for hints that can be pasted: npx does not put it on PATH.
  const [, program = ''] = process.argv;
  const byPath = program.endsWith('.js') ? `node ${path.relative(cwd, program)}` : 'everpost';
  const command = env['npm_command'] === 'exec' ? 'npx everpost' : byPath;
  const there = asked === undefined ? '' : ` --data-dir ${asked}`;
  const instance = simulatorUrl === undefined ? 'NAME' : 'main';
  return [
    'everpost is ready.',
    `  Console     ${apiUrl}  (open it in a browser)`,
    `  API         ${apiUrl}  (its page: ${apiUrl}/docs)`,
    `  Temporal    ${temporalAddress}`,
    ...(temporalUiUrl === undefined ? [] : [`  Web UI      ${temporalUiUrl}`]),
    ...(simulatorUrl === undefined ? [] : [`  Simulator   ${simulatorUrl}  (instance main)`]),
    `  Data        ${dataDir}`,
    'Try, in a second terminal:',
    `  ${command} send${there} --instance ${instance} --to 15551234567 --text "Hello" --wait delivered`,
    'Ctrl-C stops it.',
  ];
}

export function addDemoCommand(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('demo', {
    description: 'Run the main features on this machine, against the simulator, and check that each succeeds.',
    options: { '--keep': 'keep everything running afterwards, until Ctrl-C' },
    help: `The demo starts its own Temporal server, ledger, simulator and worker in a temporary directory, and removes it
at the end. It ignores TEMPORAL_ADDRESS, DATABASE_URL and EVERPOST_INSTANCES_FILE.
Exit code: 0 only if every feature succeeded.`,
    async action({ keep }) {
      terminal.out('everpost demo: starting Temporal, ledger, simulator, worker and API …');
      const dataDir = await mkdtemp(path.join(os.tmpdir(), 'everpost-demo-'));
      try {
        let hasSucceeded = false;
        const settings = { config: demoConfig(terminal, dataDir), knownPorts: false };
        const exitCode = await runDevStack(context, settings, async (facts, stopping) => {
          terminal.out(`Temporal's Web UI: ${facts.temporalUiUrl}`);
          hasSucceeded = await playDemo(facts, stopping, terminal, keep);
          if (!keep) return ExitCode.done;
          terminal.out(`Everything keeps running; the API is ${facts.apiUrl}. Ctrl-C stops it.`);
          return never();
        });
        context.exitCode = hasSucceeded ? exitCode : ExitCode.failed;
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  });
}
