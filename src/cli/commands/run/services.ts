import path from 'node:path';
import { failureOf, loadServices, loadTemporal } from '../../../compose/index.js';
import { SIMULATOR_PORT } from '../../../config/index.js';
import { makeCurrentCommand } from '../../../contract/index.js';
import { loadLocalSimulator } from '../../../tools/dev/index.js';
import type { CommandGroup } from '../../command-group.js';
import { byDefault, portOption } from '../../options.js';
import { openLog } from './log.js';
import { never, runService } from './run-service.js';

/** A gateway request under way ends within its timeout; this is for the rest of a stop. */
const STOP_BEYOND_GATEWAY_TIMEOUT_MS = 15_000;

/** Commands that run one part of everpost each. */
export function addServiceCommands(program: CommandGroup): void {
  const { context } = program;
  const { terminal } = context;
  program.add('worker', {
    description: 'Run only a worker. Several workers share the work; all need the same DATABASE_URL and Temporal.',
    options: { '--json': 'print one line of JSON once it polls for work' },
    help: `SIGTERM drains the worker: it takes no more work, and exits when its work has ended.

Example:
  DATABASE_URL=postgres://… TEMPORAL_ADDRESS=temporal:7233 EVERPOST_INSTANCES_FILE=instances.json everpost worker`,
    async action({ json }) {
      const config = context.config();
      const log = openLog(config);
      const { openSharedDependencies, startProbeService, startWorkerService } = await loadServices();
      context.exitCode = await runService({
        log,
        stopWithinMs: config.times.gatewayTimeoutMs + STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown, stopping }) => {
          const dependencies = await openSharedDependencies('everpost worker', { config, log, teardown });
          const { prepareTemporal } = await loadTemporal();
          await prepareTemporal(dependencies.temporal);
          stopping.throwIfAborted();
          const { host, metricsPort: port } = config.http;
          const probes = port === undefined ? undefined : await startProbeService(dependencies, { host, port });
          const worker = await startWorkerService(dependencies);
          const { identity, buildId } = worker;
          const { address: temporalAddress, namespace, deploymentName } = config.temporal;
          const facts = {
            ready: true,
            identity,
            buildId,
            temporalAddress,
            ...(probes && { metricsUrl: `${probes.url}/metrics` }),
          };
          if (json) terminal.out(JSON.stringify(facts));
          else if (deploymentName === undefined) terminal.out(`Worker ${identity} takes work.`);
          else
            terminal.out(
              `Worker ${identity} polls as ${deploymentName}:${buildId}. It takes work while that is the current version: ${makeCurrentCommand({ namespace, deploymentName, buildId })}`,
            );
          return { ended: failureOf(worker.ended) };
        },
      });
    },
  });
  program.add('api', {
    description: 'Run only the HTTP API and the webhook receiver.',
    options: {
      '--http-port <port>': portOption('port to listen on; 0 picks a free one (default: 8080)'),
      '--json': 'print one line of JSON when it listens',
    },
    help: `Example:
  DATABASE_URL=postgres://… TEMPORAL_ADDRESS=temporal:7233 EVERPOST_API_KEYS=… EVERPOST_HTTP_HOST=0.0.0.0 everpost api`,
    async action({ httpPort, json }) {
      const config = context.config();
      const log = openLog(config);
      const { openSharedDependencies, startApiService } = await loadServices();
      context.exitCode = await runService({
        log,
        stopWithinMs: STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown }) => {
          const dependencies = await openSharedDependencies('everpost api', { config, log, teardown });
          const { host, port } = config.http;
          const { url } = await startApiService(dependencies, { host, port: httpPort ?? port });
          terminal.out(json ? JSON.stringify({ ready: true, apiUrl: url }) : `API listens at ${url}`);
          return { ended: never() };
        },
      });
    },
  });
  program.add('migrate', {
    description: 'Migrate the ledger of DATABASE_URL to this version.',
    options: {
      '--dry-run': 'only print which migrations are missing',
      '--json': 'print one line of JSON',
    },
    help: `Run it before a new version starts. Processes of the old version continue meanwhile, unless the release notes say
otherwise. With EVERPOST_MIGRATE_DATABASE_URL it uses that role, and gives the role of DATABASE_URL the rights to use the
tables. No statement has a time limit; two runs at once are safe, and a second run changes nothing.

Examples:
  DATABASE_URL=postgres://… everpost migrate --dry-run
  DATABASE_URL=postgres://… everpost migrate`,
    async action({ dryRun = false, json }) {
      const { migrateSharedLedger } = await loadServices();
      const names = await migrateSharedLedger(context.config(), { dryRun });
      const upToDate = !dryRun || names.length === 0;
      if (json) terminal.out(JSON.stringify({ upToDate, [dryRun ? 'missing' : 'migrated']: names }));
      else if (names.length === 0) terminal.out('The ledger is up to date.');
      else terminal.out(`${dryRun ? 'Missing' : 'The ledger is up to date. Migrated'}: ${names.join(', ')}`);
    },
  });
  program.add('simulator', {
    description:
      'Run only the gateway simulator: any instance id, by default 1101000001 with the token simulator-token.',
    options: {
      '--port <port>': byDefault(SIMULATOR_PORT, portOption('port to listen on; 0 picks a free one')),
      '--host <address>': byDefault('127.0.0.1', 'address to listen on'),
      '--data-file <path>': 'store everything accepted in this file, and continue from it',
      '--json': 'print one line of JSON when it listens',
    },
    help: `The control endpoints are under /_sim/: instances, incoming messages, clock, faults of requests and
notifications, delivered, requests, reset …; docs/simulator.md lists them. Without a webhookUrl, notifications
wait until a client fetches them.

Example:
  everpost simulator --port 8090 --data-file simulator.jsonl`,
    async action({ port, host, dataFile, json }) {
      const log = openLog(context.config());
      const { startLocalSimulator } = await loadLocalSimulator();
      context.exitCode = await runService({
        log,
        stopWithinMs: STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown }) => {
          const file = dataFile === undefined ? {} : { dataFile: path.resolve(terminal.cwd, dataFile) };
          const simulator = await startLocalSimulator({ host, port, log, ...file });
          teardown.add('simulator', () => simulator.close());
          const { url } = simulator;
          terminal.out(json ? JSON.stringify({ ready: true, simulatorUrl: url }) : `Simulator listens at ${url}`);
          return { ended: never() };
        },
      });
    },
  });
}
