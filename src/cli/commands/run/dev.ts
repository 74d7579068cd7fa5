import path from 'node:path';
import { loadDevStack, type DevStackFacts } from '../../../tools/dev/index.js';
import type { CommandGroup } from '../../command-group.js';
import { createLog } from '../../log.js';
import { parsed, portOption } from '../../options.js';
import { runService } from '../../run-service.js';

export function addDevCommand(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('dev', {
    description: 'Run everything on this machine: Temporal, ledger, simulator, worker, API and webhook receiver.',
    options: {
      '--http-port <port>': parsed(
        portOption,
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
      const config = context.config();
      const { startDevStack } = await loadDevStack();
      const log = createLog(config.logLevel);
      context.exitCode = await runService({
        log,
        stopWithinMs: 9_500,
        start: async (service) => {
          const stack = await startDevStack({
            ...service,
            config,
            log,
            dataDir: dataDir === undefined ? config.dataDir : path.resolve(terminal.cwd, dataDir),
            http: {
              host: config.http.host,
              port: httpPort ?? config.http.port,
              isAsked: httpPort !== undefined || config.http.isPortAsked,
            },
            knownPorts: true,
            notice: (text) => terminal.err(text),
          });
          const lines = json ? [JSON.stringify({ ready: true, ...stack.facts })] : readyLines(stack.facts, dataDir);
          for (const line of lines) terminal.out(line);
          return stack;
        },
      });
    },
  });
}

/** @param asked  the data directory as given on the command line; other commands need the same option */
function readyLines(
  { apiUrl, temporalAddress, temporalUiUrl, simulatorUrl, dataDir }: DevStackFacts,
  asked: string | undefined,
): string[] {
  const there = asked === undefined ? '' : ` --data-dir ${asked}`;
  const instance = simulatorUrl === undefined ? 'NAME' : 'main';
  return [
    'everpost is ready.',
    `  API         ${apiUrl}  (its page: ${apiUrl}/docs)`,
    `  Temporal    ${temporalAddress}`,
    ...(temporalUiUrl === undefined ? [] : [`  Web UI      ${temporalUiUrl}`]),
    ...(simulatorUrl === undefined ? [] : [`  Simulator   ${simulatorUrl}  (instance main)`]),
    `  Data        ${dataDir}`,
    `Try: everpost send${there} --instance ${instance} --to 15551234567 --text "Hello" --wait delivered`,
    'Ctrl-C stops it.',
  ];
}
