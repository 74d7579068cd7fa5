import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { demoConfig, isAllShown, playDemo, type SceneResult } from '../../../tools/demo/index.js';
import { loadDevStack } from '../../../tools/dev/index.js';
import type { CommandGroup } from '../../command-group.js';
import { ExitCode } from '../../exit-code.js';
import { createLog } from '../../log.js';
import { runService } from '../../run-service.js';

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
      const config = demoConfig(terminal.env, terminal.cwd);
      const log = createLog(config.logLevel);
      const { startDevStack } = await loadDevStack();
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
          const played = playDemo(stack.facts, service.stopping, terminal, keep).then(async (seen) => {
            results = seen;
            if (!keep) return ExitCode.done;
            terminal.out(`Everything keeps running; the API is ${stack.facts.apiUrl}. Ctrl-C stops it.`);
            return new Promise<never>(() => undefined);
          });
          return { ended: Promise.race([stack.ended, played]) };
        },
      });
      context.exitCode = isAllShown(results) ? exitCode : ExitCode.failed;
    },
  });
}
