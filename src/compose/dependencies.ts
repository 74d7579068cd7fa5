/** The dependencies of the services of a process, and how they are opened. */
import {
  AppError,
  type Secret,
  type Clock,
  type InstanceDirectory,
  type ReachedFaultPoint,
  type Log,
  type Tracing,
} from '../contract/index.js';
import { applyLateEvidence, type Times } from '../activities/index.js';
import { atRest } from '../codec/index.js';
import { SIMULATOR_PORT, fixedInstances, simulatorInstance, type Config } from '../config/index.js';
import { createGateway, createRateGate } from '../gateway/index.js';
import { EVENTS_WAKE, migrateLedger, openLedger, type Ledger } from '../ledger/index.js';
import { createMetrics, type Metrics } from '../metrics/index.js';
import { createChangeBell } from '../api/index.js';
import { createBackground, createLoadMeter, createWaker, onAuthorizedWith, readTaskQueues } from '../starter/index.js';
import { createIncoming, createReceiver } from '../webhooks/index.js';
import { createReadiness, createSdkTelemetry, saveGatewayClocks } from '../worker/index.js';
import { createMessageSpans, openTracing } from '../tracing/index.js';
import { packageVersion } from './package-version.js';
import type { Teardown } from './teardown.js';
import { temporalClient } from './temporal.js';
import type { TemporalPlace } from './temporal-place.js';

/** The dependencies that are opened first; the others are created from them. */
interface OpenedDependencies {
  readonly config: Config;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly temporal: TemporalPlace;
  readonly reached?: ReachedFaultPoint | undefined;
  /** @default the config's */
  readonly times?: Times | undefined;
  /** Absent: no traces. */
  readonly tracing?: Tracing | undefined;
  readonly teardown: Teardown;
}

/** A request for metrics waits no longer for Temporal. */
const TASK_QUEUES_WITHIN_MS = 1_000;

/** The dependencies of the API and the worker. */
export type Dependencies = ReturnType<typeof assembleDependencies>;

export function assembleDependencies(opened: OpenedDependencies) {
  const { log, ledger, instances, temporal, reached, tracing, teardown } = opened;
  const clock: Clock = { nowMs: () => Date.now() };
  const { client, connection, close } = temporalClient(temporal);
  teardown.add('Temporal client', close);
  const taskQueues = () => readTaskQueues({ client, temporalTimeoutMs: TASK_QUEUES_WITHIN_MS });
  const readiness = createReadiness();
  const sdkTelemetry = createSdkTelemetry();
  const worker = { missing: readiness.missing, ofSdk: sdkTelemetry.read };
  const metrics = createMetrics({ ledger, instances, clock, taskQueues, worker });
  const gateway = openGateway({ ...opened, clock, metrics });
  const background = createBackground();
  teardown.add('wakes under way', () => background.ended());
  const wake = background.track(createWaker({ client, ledger, clock, log }));
  const onAuthorized = onAuthorizedWith({ ledger, instances, clock, wake });
  /** Wakes the waiting requests of this process when a row changes. */
  const bell = createChangeBell();
  /** The load of this process. Background work waits while it is busy. */
  const load = createLoadMeter();
  const spans = tracing && createMessageSpans({ tracing, ledger, clock, log });
  // It also applies notifications that another process stored before it died.
  const receiver = createReceiver({
    ledger,
    instances,
    clock,
    log,
    reached,
    onStored(instance) {
      load.count();
      metrics.notificationReceived(instance);
    },
    onEvents: () => ledger.wakes.announce(EVENTS_WAKE),
    onChanged: (id) => bell.ring(id),
    onReceipts: spans?.received,
    onDecided: spans?.decided,
    onEditsDue: (instance) => void wake(instance),
    onAuthorized,
    lateEvidence: (...notification) => applyLateEvidence({ ledger, clock }, ...notification),
    incoming: createIncoming({ ledger, instances, clock, log }),
  });
  teardown.add('webhook receiver', () => receiver.close());
  return {
    ...opened,
    clock,
    metrics,
    readiness,
    sdkTelemetry,
    gateway,
    client,
    connection,
    receiver,
    bell,
    load,
    spans,
    onAuthorized,
    /** Wakes the dispatcher of an instance. */
    wake: (instance: string) => void wake(instance),
  };
}

/** The one gateway client of a process. Its rate gates are shared with every process of the same ledger. */
function openGateway({
  config,
  log,
  clock,
  ledger,
  instances,
  metrics,
  tracing,
  teardown,
}: OpenedDependencies & { readonly clock: Clock; readonly metrics: Metrics }) {
  const gateway = createGateway({
    instances,
    clock,
    gatewayTimeoutMs: config.times.gatewayTimeoutMs,
    gate: createRateGate({
      buckets: ledger.rateLimitBuckets,
      onBlockNotShared(instance, operation, error) {
        const message = 'a rate limit block could not be shared with other workers';
        log({ level: 'warn', message, instance, operation, error });
      },
    }),
    onClock: saveGatewayClocks(ledger.gatewayClocks, clock, log),
    onCalled: metrics.gatewayCalled,
    onExchanged: metrics.gatewayExchanged,
    tracing,
    log,
  });
  teardown.add('gateway client', () => gateway.close());
  return gateway;
}

/**
 * Opens the resources that a separate worker or API shares with other processes: Temporal and a PostgreSQL ledger.
 * @param command  for the message, e.g. `everpost worker`
 * @throws AppError CONFIG_INVALID without DATABASE_URL | LEDGER_OLDER | LEDGER_NEWER | LEDGER_UNAVAILABLE
 */
export async function openSharedDependencies(
  command: string,
  { config, log, teardown }: Pick<OpenedDependencies, 'config' | 'log' | 'teardown'>,
): Promise<Dependencies> {
  const { temporal } = config;
  const instances =
    config.instances?.open(log) ?? fixedInstances([simulatorInstance(`http://127.0.0.1:${SIMULATOR_PORT}`)]);
  const tracing = await startTracing({ config, log, teardown });
  if (config.databaseUrl === undefined) throw withoutDatabase(command);
  const location = { databaseUrl: config.databaseUrl.reveal() };
  const ledger = await openLedger(location, { atRest: atRest(temporal.encryption) });
  teardown.add('ledger', () => ledger.close());
  return assembleDependencies({ config, log, ledger, instances, temporal, tracing, teardown });
}

/** @returns undefined if no collector is configured */
export async function startTracing({
  config,
  log,
  teardown,
}: Pick<OpenedDependencies, 'config' | 'log' | 'teardown'>): Promise<Tracing | undefined> {
  if (config.tracing === undefined) return undefined;
  const { tracing, close } = await openTracing(config.tracing, { version: packageVersion(), log });
  teardown.add('traces', close);
  return tracing;
}

/** @throws AppError CONFIG_INVALID without a PostgreSQL | LEDGER_NEWER | LEDGER_UNAVAILABLE */
export async function migrateSharedLedger(
  { databaseUrl, migrateDatabaseUrl = databaseUrl }: Config,
  { dryRun }: { readonly dryRun: boolean },
): Promise<readonly string[]> {
  if (migrateDatabaseUrl === undefined) throw withoutDatabase('everpost migrate');
  const usedBy = databaseUrl && userOf(databaseUrl);
  const isOther = usedBy !== undefined && usedBy !== userOf(migrateDatabaseUrl);
  return migrateLedger({ databaseUrl: migrateDatabaseUrl.reveal(), dryRun, ...(isOther && { usedBy }) });
}

function userOf(databaseUrl: Secret): string | undefined {
  return decodeURIComponent(new URL(databaseUrl.reveal()).username) || undefined;
}

function withoutDatabase(command: string): AppError {
  return new AppError(
    'CONFIG_INVALID',
    `${command} needs a ledger that other processes can share: set DATABASE_URL to a PostgreSQL. Without one, everpost dev runs everything in one process with an embedded ledger.`,
    { problems: [{ path: 'DATABASE_URL', message: 'is not set' }] },
  );
}
