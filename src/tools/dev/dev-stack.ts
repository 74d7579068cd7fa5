/**
 * Runs everything on one machine: this process and a Temporal server. The start has this order, so that checks come
 * first:
 *
 *   lock the data directory → ledger and Temporal → API and receiver → simulator → worker
 *
 * A configured Temporal server, database or instances file is used, and the local part is not started. A stop goes in
 * the reverse order.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Times } from '../../activities/index.js';
import { atRest } from '../../codec/index.js';
import {
  failureOf,
  loadServices,
  loadTemporal,
  localTemporal,
  type ServiceContext,
  type TemporalPlace,
} from '../../compose/index.js';
import { fixedInstances, simulatorInstance, SIMULATOR_PORT, type Config } from '../../config/index.js';
import {
  AppError,
  Secret,
  codeOf,
  present,
  type InstanceDirectory,
  type ReachedFaultPoint,
  type Log,
} from '../../contract/index.js';
import { closeDataDir, lockDataDir, makeDataDir, openLedger, type Ledger } from '../../ledger/index.js';
import { assertProtected } from '../../api/index.js';
import { choosePorts, findTemporalCli, preferPorts, startDevServer, type DevServer } from '../local-temporal/index.js';
import { writeDevRecord, type DevStackFacts } from './dev-record.js';
import { startLocalSimulator } from './local-simulator.js';

export interface DevStackOptions extends ServiceContext {
  readonly config: Config;
  readonly log: Log;
  /** Whether Temporal and the simulator prefer their default ports. If false, they use any free port. */
  readonly knownPorts: boolean;
  /** Receives a sentence for each slow step. */
  readonly notice: (text: string) => void;
  /** Only for `prove` and tests. */
  readonly underTest?: {
    readonly reached: ReachedFaultPoint;
    readonly times: Times;
    /** Replaces the opened ledger. */
    readonly ledger: (opened: Ledger) => Ledger;
  };
}

/** Keeps a stop within ten seconds, Temporal's server included. It may interrupt a request to the gateway. */
const WORKER_GRACE_MS = 2_500;

/**
 * Starts all parts of `everpost dev`.
 * @returns when they are up; `ended` resolves with the reason when a part has ended unexpectedly: the rest would seem
 *   to run, but do no work
 * @throws AppError DATA_DIR_IN_USE | PORT_IN_USE | TEMPORAL_BINARY_MISSING | TEMPORAL_UNAVAILABLE | CONFIG_INVALID …
 */
export async function startDevStack(
  options: DevStackOptions,
): Promise<{ readonly facts: DevStackFacts; readonly ended: Promise<Error> }> {
  const { config, log, teardown, stopping, underTest } = options;
  const { dataDir, http } = config;
  const { assembleDependencies, startApiService, startTracing, startWorkerService } = await loadServices();
  await prepareDataDir(dataDir, log);
  const lock = await lockDataDir(path.join(dataDir, 'dev.lock'));
  teardown.add('data directory', () => lock.release());

  // All checks come before the first start.
  // Temporal's Web UI starts before the API, and needs the API's address to decrypt payloads.
  const isPortFixed = config.temporal.encryption === undefined || (http.isPortAsked && http.port !== 0);
  const [port = http.port] = isPortFixed ? [] : await preferPorts(http.host, [http.port]);
  // A port that the operator chose must be free; instead of the default, any other port will do.
  if (http.isPortAsked) await assertPortFree(http.host, port);
  const accounts: Accounts =
    config.instances === undefined ? planSimulator(options) : { instances: config.instances.open(log) };
  const { instances } = accounts;
  assertProtected(http.host, { hasKeys: http.hasApiKeys, instances });

  // If one fails, the other one is in the teardown already.
  const opening = [openTemporal(options, port), openConfiguredLedger(options)] as const;
  await Promise.allSettled(opening);
  const [temporal, ledger] = await Promise.all(opening);
  stopping.throwIfAborted();
  // Only programs of this machine can use the API, so that events may reach this machine too.
  const allowPrivate = config.callbacks.allowPrivate || !http.isExposed;
  const tracing = await startTracing(options);
  const dependencies = assembleDependencies({
    config: { ...config, callbacks: { allowPrivate } },
    log,
    ledger: underTest?.ledger(ledger) ?? ledger,
    instances,
    temporal: temporal.place,
    reached: underTest?.reached,
    times: underTest?.times,
    tracing,
    teardown,
  });

  const listen = (chosen: number) => startApiService(dependencies, { host: http.host, port: chosen });
  const api = http.isPortAsked ? await listen(port) : await orAnyPort('The API', port, listen, options.notice);
  const simulator = await accounts.startSimulator?.(api.url);
  stopping.throwIfAborted();
  const worker = await startWorkerService(dependencies, { graceMs: WORKER_GRACE_MS });

  const facts: DevStackFacts = {
    apiUrl: api.url,
    temporalAddress: temporal.address,
    ...present({ temporalUiUrl: temporal.server?.uiUrl, simulatorUrl: simulator?.url }),
    dataDir,
  };
  teardown.add('addresses', await writeDevRecord(facts));
  const text = "Temporal's server ended unexpectedly; see temporal.log in the data directory.";
  const failures = [failureOf(worker.ended)];
  if (temporal.server !== undefined) failures.push(temporal.server.exited.then(() => new Error(text)));
  return { facts, ended: Promise.race(failures) };
}

/**
 * Checks the port before other parts are started.
 * @throws AppError PORT_IN_USE
 */
async function assertPortFree(host: string, port: number): Promise<void> {
  await choosePorts(host, [port]).catch((cause: unknown) => {
    throw new AppError(
      'PORT_IN_USE',
      `everpost cannot listen on ${host}:${port}: another program uses the port, or this machine does not have the address. Stop that program, or choose another port (EVERPOST_HTTP_PORT or --http-port; 0 picks a free one).`,
      { cause },
    );
  });
}

/** Makes the data directory readable for its owner only, the files of Temporal's server included. */
async function prepareDataDir(dataDir: string, log: Log): Promise<void> {
  process.umask(0o077);
  try {
    await makeDataDir(dataDir);
    const openMode = await closeDataDir(dataDir);
    if (openMode !== undefined) {
      const message = `Other users can read the data directory ${dataDir} (mode ${openMode}), which holds messages and phone numbers. Close it: chmod 700 ${dataDir}`;
      log({ level: 'warn', message });
    }
  } catch (error) {
    const code = codeOf(error) ?? 'unknown reason';
    throw new AppError(
      'CONFIG_INVALID',
      `The data directory ${dataDir} cannot be created (${code}). Choose a writable one: --data-dir or EVERPOST_DATA_DIR.`,
      { cause: error },
    );
  }
}

/** @returns also the server, if this process has started it */
async function openTemporal(
  options: DevStackOptions,
  codecPort: number,
): Promise<{ place: TemporalPlace; address: string; server?: DevServer }> {
  const { config, notice, knownPorts, teardown, stopping } = options;
  const { isNamed, address, namespace, binary, encryption } = config.temporal;
  const { prepareTemporal } = await loadTemporal();
  if (isNamed) {
    await prepareTemporal(config.temporal);
    return { place: config.temporal, address };
  }
  const [port, uiPort] = knownPorts ? [7233, 8233] : [0, 0];
  const { path: cliPath } = await findTemporalCli({ ...binary, notice });
  const server = await startDevServer({
    cliPath,
    dir: config.dataDir,
    notice,
    port,
    uiPort,
    orOtherPorts: true,
    ...present({ codecEndpoint: encryption && `http://127.0.0.1:${codecPort}/codec` }),
    namespace,
    stopping,
  });
  teardown.add(
    'Temporal server',
    () => server.stop(),
    () => process.kill(server.pid, 'SIGKILL'),
  );
  stopping.throwIfAborted();
  if (knownPorts && !server.address.endsWith(`:${port}`)) {
    notice(
      `Another program uses port ${port} or ${uiPort}. Temporal listens at ${server.address} instead, its Web UI at ${server.uiUrl}.`,
    );
  }
  const place = localTemporal(server.address, config.temporal, server.uiUrl);
  // The data directory of an older version lacks newer search attributes.
  await prepareTemporal(place);
  return { place, address: server.address, server };
}

async function openConfiguredLedger({ config, teardown }: DevStackOptions): Promise<Ledger> {
  const { databaseUrl, dataDir, temporal } = config;
  const location = databaseUrl === undefined ? { dataDir } : { databaseUrl: databaseUrl.reveal() };
  const ledger = await openLedger(location, { atRest: atRest(temporal.encryption) });
  teardown.add('ledger', () => ledger.close());
  return ledger;
}

interface Accounts {
  readonly instances: InstanceDirectory;
  /** Starts the simulator if no instance is configured. */
  readonly startSimulator?: (apiUrl: string) => Promise<{ readonly url: string }>;
}

/**
 * The API starts before the simulator, which pushes to it at once, and the API needs the instance at its start. So the
 * instance has the simulator's default address first, and its real address once the simulator listens.
 */
function planSimulator({ config, knownPorts, log, notice, teardown }: DevStackOptions): Accounts {
  const host = '127.0.0.1';
  const token = new Secret(randomUUID());
  const at = (url: string) => fixedInstances([simulatorInstance(url, token)]);
  let instances = at(`http://${host}:${SIMULATOR_PORT}`);
  async function startSimulator(apiUrl: string): Promise<{ readonly url: string }> {
    const dataFile = path.join(config.dataDir, 'simulator.jsonl');
    const listen = (port: number) => startLocalSimulator({ host, port, dataFile, receiver: { apiUrl, token }, log });
    const simulator = knownPorts ? await orAnyPort('The simulator', SIMULATOR_PORT, listen, notice) : await listen(0);
    teardown.add('simulator', () => simulator.close());
    instances = at(simulator.url);
    return simulator;
  }
  return { instances: { get: (name) => instances.get(name), names: () => instances.names() }, startSimulator };
}

/**
 * Listens on the default port. If another program uses it, listens on a free port and prints a notice.
 * @param listen  throws AppError PORT_IN_USE if the port is taken. No check comes before it, so there is no race.
 */
async function orAnyPort<Listening extends { readonly url: string }>(
  part: string,
  port: number,
  listen: (port: number) => Promise<Listening>,
  notice: (text: string) => void,
): Promise<Listening> {
  try {
    return await listen(port);
  } catch (error) {
    if (port === 0 || !(error instanceof AppError) || error.code !== 'PORT_IN_USE') throw error;
    const listening = await listen(0);
    notice(`Another program uses port ${port}. ${part} listens at ${listening.url} instead.`);
    return listening;
  }
}
