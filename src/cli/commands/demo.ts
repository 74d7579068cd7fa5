import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig, type Config, type Environment } from '../../config/index.js';
import { createApiClient } from '../../client/index.js';
import type { CommandContext } from '../command-context.js';
import type { DevStack } from '../compose/dev-stack.js';
import { playScenes, resultTable } from '../demo/play-scenes.js';
import type { SceneResult } from '../demo/scene.js';
import { SCENES } from '../demo/scenes.js';
import { simulatorControls } from '../demo/simulator-controls.js';
import { ExitCode } from '../exit-code.js';
import { createLog } from '../log.js';
import { runService } from '../run-service.js';
import type { Terminal } from '../terminal.js';

export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('Run the main features on this machine, against the simulator, and check that each succeeds.')
    .option('--keep', 'keep everything running afterwards, until Ctrl-C')
    .addHelpText(
      'after',
      `
Starts a Temporal server, a ledger, a simulator and a worker of its own, in a directory that is removed at the end.
TEMPORAL_ADDRESS, DATABASE_URL and EVERPOST_INSTANCES_FILE are ignored.
Exit code: 0 only if everything shown succeeded.`,
    )
    .action(async ({ keep }: { readonly keep?: true }) => {
      const { terminal } = context;
      terminal.out('everpost demo: starting Temporal, ledger, simulator, worker and API …');
      const config = ownConfig(terminal.env, terminal.cwd);
      const log = createLog(config.logLevel);
      const { startDevStack } = await import('../compose/dev-stack.js');
      let results: SceneResult[] = [];
      const exitCode = await runService({
        log,
        stopWithinMs: 9_500,
        start: async (service) => {
          const dataDir = await mkdtemp(path.join(os.tmpdir(), 'everpost-demo-'));
          service.teardown.add('demo directory', () => rm(dataDir, { recursive: true, force: true }));
          const stack = await startDevStack({
            ...service,
            config,
            log,
            dataDir,
            http: { host: '127.0.0.1', port: 0, isAsked: true },
            knownPorts: false,
            notice: (text) => terminal.err(text),
          });
          terminal.out(`Temporal's Web UI: ${stack.facts.temporalUiUrl}`);
          const played = play(stack, service.stopping, terminal, keep).then(async (seen) => {
            results = seen;
            if (!keep) return ExitCode.done;
            terminal.out(`Everything goes on running; the API is ${stack.facts.apiUrl}. Ctrl-C ends it.`);
            return new Promise<never>(() => undefined);
          });
          return { ended: Promise.race([stack.ended, played]) };
        },
      });
      const allCameTrue = results.length === SCENES.length && results.every(({ cameTrue }) => cameTrue);
      context.exitCode = allCameTrue ? exitCode : ExitCode.failed;
    });
}

/** The demo plays alone: a configured server has other workers, a configured instance has recipients behind it. */
function ownConfig(env: Environment, cwd: string): Config {
  const kept = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH', 'EVERPOST_LOG_LEVEL'];
  const own = Object.fromEntries(kept.map((name) => [name, env[name]]));
  const level = own['EVERPOST_LOG_LEVEL'] ?? 'error';
  // Reviewers who answer within a second are asked as often.
  return loadConfig({ ...own, EVERPOST_LOG_LEVEL: level, EVERPOST_TEMPLATE_POLL_INTERVALS: '1s' }, { cwd });
}

/** The Web UI ends with the demo: its address is named only where it stays. */
export function closingText(keep: true | undefined, temporalUiUrl: string | undefined): string {
  const what = 'Each single message is a workflow of Temporal, and so is each campaign and template';
  if (keep) return `${what}: see its Web UI, ${temporalUiUrl}`;
  return `${what}. To look at them in Temporal's Web UI: npm run demo -- --keep`;
}

async function play(
  { facts }: DevStack,
  stopping: AbortSignal,
  terminal: Terminal,
  keep: true | undefined,
): Promise<SceneResult[]> {
  const { apiUrl, simulatorUrl, temporalUiUrl } = facts;
  if (simulatorUrl === undefined) throw new Error('The demo has no simulator.');
  const api = createApiClient({ url: apiUrl });
  try {
    const results = await playScenes(SCENES, { api, simulator: simulatorControls(simulatorUrl), stopping }, terminal);
    const failed = results.filter(({ cameTrue }) => !cameTrue).length;
    for (const line of ['', ...resultTable(results), '']) terminal.out(line);
    terminal.out(failed === 0 ? 'All of it succeeded.' : `${failed} of ${results.length} did not come true.`);
    terminal.out(closingText(keep, temporalUiUrl));
    return results;
  } finally {
    await api.close();
  }
}
