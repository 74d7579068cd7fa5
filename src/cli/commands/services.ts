import path from 'node:path';
import type { Command } from 'commander';
import { loadServices, loadTemporal } from '../../compose/index.js';
import { SIMULATOR_PORT } from '../../config/index.js';
import { loadLocalSimulator } from '../../tools/dev/index.js';
import { portOption, type CommandContext } from '../command-context.js';
import { createLog } from '../log.js';
import { runService } from '../run-service.js';

/** A request to the gateway under way ends by itself within its timeout; the rest of a stop is short beside it. */
const STOP_BEYOND_GATEWAY_TIMEOUT_MS = 15_000;

export function addWorkerCommand(program: Command, context: CommandContext): void {
  program
    .command('worker')
    .description('Run only a worker. Several share the work; each needs the same DATABASE_URL and Temporal.')
    .option('--json', 'print one line of JSON once it takes work')
    .addHelpText(
      'after',
      `
SIGTERM drains it: it takes no more work, and exits when its work has ended.

Example:
  DATABASE_URL=postgres://… TEMPORAL_ADDRESS=temporal:7233 EVERPOST_INSTANCES_FILE=instances.json everpost worker`,
    )
    .action(async ({ json }: { readonly json?: true }) => {
      const config = context.config();
      const log = createLog(config.logLevel);
      const { openSharedDependencies, startMetricsService, startWorkerService } = await loadServices();
      context.exitCode = await runService({
        log,
        stopWithinMs: config.times.gatewayTimeoutMs + STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown, stopping }) => {
          const dependencies = await openSharedDependencies('everpost worker', { config, log, teardown });
          const { prepareTemporal } = await loadTemporal();
          await prepareTemporal(dependencies.temporal);
          stopping.throwIfAborted();
          const { host, metricsPort: port } = config.http;
          const metrics = port === undefined ? undefined : await startMetricsService(dependencies, { host, port });
          const worker = await startWorkerService(dependencies);
          const facts = {
            ready: true,
            identity: worker.identity,
            temporalAddress: config.temporal.address,
            ...(metrics && { metricsUrl: `${metrics.url}/metrics` }),
          };
          context.terminal.out(json ? JSON.stringify(facts) : `Worker ${worker.identity} takes work.`);
          return { ended: failureOf(worker.ended) };
        },
      });
    });
}

export function addApiCommand(program: Command, context: CommandContext): void {
  program
    .command('api')
    .description('Run only the HTTP API and the webhook receiver.')
    .option('--http-port <port>', 'port to listen on; 0 picks a free one (default: 8080)', portOption)
    .option('--json', 'print one line of JSON when it listens')
    .addHelpText(
      'after',
      `
Example:
  DATABASE_URL=postgres://… TEMPORAL_ADDRESS=temporal:7233 EVERPOST_API_KEYS=… EVERPOST_HTTP_HOST=0.0.0.0 everpost api`,
    )
    .action(async ({ httpPort, json }: { readonly httpPort?: number; readonly json?: true }) => {
      const config = context.config();
      const log = createLog(config.logLevel);
      const { openSharedDependencies, startApiService } = await loadServices();
      context.exitCode = await runService({
        log,
        stopWithinMs: STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown }) => {
          const dependencies = await openSharedDependencies('everpost api', { config, log, teardown });
          const { url } = await startApiService(dependencies, {
            host: config.http.host,
            port: httpPort ?? config.http.port,
          });
          context.terminal.out(json ? JSON.stringify({ ready: true, apiUrl: url }) : `API listens at ${url}`);
          return { ended: never() };
        },
      });
    });
}

export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('Bring the ledger of DATABASE_URL up to date. Workers and the API do the same when they start.')
    .option('--json', 'print one line of JSON when it is up to date')
    .addHelpText(
      'after',
      `
Run it once before a new version starts, with a database user that may change tables. A second run changes nothing.

Example:
  DATABASE_URL=postgres://… everpost migrate`,
    )
    .action(async ({ json }: { readonly json?: true }) => {
      const { openSharedLedger } = await loadServices();
      const ledger = await openSharedLedger('everpost migrate', context.config());
      await ledger.close();
      context.terminal.out(json ? JSON.stringify({ upToDate: true }) : 'The ledger is up to date.');
    });
}

export function addSimulatorCommand(program: Command, context: CommandContext): void {
  program
    .command('simulator')
    .description(
      'Run only the gateway simulator: any instance id, by default 1101000001 with the token simulator-token.',
    )
    .option('--port <port>', 'port to listen on; 0 picks a free one', portOption, SIMULATOR_PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data-file <path>', 'keep everything accepted in this file, and go on from it')
    .option('--json', 'print one line of JSON when it listens')
    .addHelpText(
      'after',
      `
Its control endpoints are under /_sim/: instances, with what comes in there, clock, faults of requests and of notifications,
delivered, requests, reset …; docs/simulator.md lists them. Without a webhookUrl its notifications wait to be fetched.

Example:
  everpost simulator --port 8090 --data-file simulator.jsonl`,
    )
    .action(async ({ port, host, dataFile, json }: SimulatorCommandOptions) => {
      const log = createLog(context.config().logLevel);
      const { startLocalSimulator } = await loadLocalSimulator();
      context.exitCode = await runService({
        log,
        stopWithinMs: STOP_BEYOND_GATEWAY_TIMEOUT_MS,
        start: async ({ teardown }) => {
          const simulator = await startLocalSimulator({
            host,
            port,
            log,
            ...(dataFile === undefined ? {} : { dataFile: path.resolve(context.terminal.cwd, dataFile) }),
          });
          teardown.add('simulator', () => simulator.close());
          const { url } = simulator;
          context.terminal.out(
            json ? JSON.stringify({ ready: true, simulatorUrl: url }) : `Simulator listens at ${url}`,
          );
          return { ended: never() };
        },
      });
    });
}

interface SimulatorCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly dataFile?: string;
  readonly json?: true;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

async function failureOf(ended: Promise<void>): Promise<Error> {
  return ended.then(never, (error: unknown) => new Error('The worker ended unexpectedly.', { cause: error }));
}
