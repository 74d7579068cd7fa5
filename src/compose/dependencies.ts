/** The dependencies of the services of a process, and how they are opened. */
import type { Client } from '@temporalio/client';
import { AppError, type Clock, type InstanceDirectory, type ReachedFaultPoint, type Log } from '../contract/index.js';
import { applyLateEvidence, type Times } from '../activities/index.js';
import { SIMULATOR_PORT, fixedInstances, simulatorInstance, type Config } from '../config/index.js';
import { createGateway, createRateGate, type Gateway } from '../gateway/index.js';
import { EVENTS_WAKE, openLedger, type Ledger } from '../ledger/index.js';
import { createMetrics, type Metrics } from '../metrics/index.js';
import {
  createBackground,
  createCampaignWaker,
  createChangeBell,
  createLoadMeter,
  createNotifier,
  createWaker,
  onAuthorizedWith,
  type ChangeBell,
  type LoadMeter,
  type WakeInstance,
} from '../starter/index.js';
import { createOptOuts, createReceiver, type Receiver } from '../webhooks/index.js';
import { saveGatewayClocks } from '../worker/index.js';
import type { ServiceContext, Teardown } from './teardown.js';
import { temporalClient } from './temporal.js';
import type { TemporalPlace } from './temporal-place.js';

/** The dependencies of the API and the worker. */
export interface Dependencies {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly gateway: Gateway;
  /** Receives notifications, pushed to the API or polled by the worker. */
  readonly receiver: Receiver;
  readonly temporal: TemporalPlace;
  /** Wakes the waiting requests of this process when a row changes. */
  readonly bell: ChangeBell;
  /** The load of this process. Background work waits while it is busy. */
  readonly load: LoadMeter;
  readonly metrics: Metrics;
  readonly reached?: ReachedFaultPoint | undefined;
  /** @default the config's */
  readonly times?: Times | undefined;
  readonly teardown: Teardown;
}

/** The dependencies that are opened first; the others are created from them. */
export type OpenedDependencies = Omit<Dependencies, 'clock' | 'gateway' | 'receiver' | 'bell' | 'load' | 'metrics'>;

export function assembleDependencies(opened: OpenedDependencies): Dependencies {
  const clock: Clock = { nowMs: () => Date.now() };
  const metrics = createMetrics({ ...opened, clock });
  const gateway = openGateway({ ...opened, clock, metrics });
  const dependencies = { ...opened, clock, gateway, bell: createChangeBell(), load: createLoadMeter(), metrics };
  return { ...dependencies, receiver: openReceiver(dependencies) };
}

/** The one gateway client of a process. Its rate gates are shared with every process of the same ledger. */
function openGateway({
  config,
  log,
  clock,
  ledger,
  instances,
  metrics,
  teardown,
}: Omit<Dependencies, 'gateway' | 'receiver' | 'bell' | 'load'>): Gateway {
  const gateway = createGateway({
    instances,
    clock,
    gatewayTimeoutMs: config.times.gatewayTimeoutMs,
    gate: createRateGate({
      buckets: ledger.rateLimitBuckets,
      onBlockNotShared: (instance, operation, error) =>
        log({
          level: 'warn',
          message: 'a rate limit block could not be shared with other workers',
          instance,
          operation,
          error,
        }),
    }),
    onClock: saveGatewayClocks(ledger.gatewayClocks, clock, log),
    onCalled: metrics.gatewayCalled,
    onExchanged: metrics.gatewayExchanged,
    log,
  });
  teardown.add('gateway client', () => gateway.close());
  return gateway;
}

/** The only receiver of a process. It also applies notifications that another process stored before it died. */
function openReceiver({
  log,
  clock,
  ledger,
  instances,
  temporal,
  bell,
  load,
  metrics,
  reached,
  teardown,
}: Omit<Dependencies, 'receiver'>): Receiver {
  const { client, close } = temporalClient(temporal);
  teardown.add('Temporal client of the webhook receiver', close);
  const { wakeAll } = wakersWith({ client, ledger, clock, log, teardown });
  const onAuthorized = onAuthorizedWith({ ledger, instances, clock, wake: wakeAll });
  const receiver = createReceiver({
    ledger,
    instances,
    clock,
    log,
    reached,
    notify: createNotifier({ client }),
    isBusy: () => load.isBusy(),
    onStored(instance) {
      load.count();
      metrics.notificationReceived(instance);
    },
    onEvents: () => ledger.wakes.announce(EVENTS_WAKE),
    onChanged: (id) => bell.ring(id),
    onAuthorized,
    lateEvidence: (...notification) => applyLateEvidence({ ledger, clock }, ...notification),
    incoming: createOptOuts({ ledger, instances, clock, log }),
  });
  teardown.add('webhook receiver', () => receiver.close());
  return receiver;
}

interface Wakers {
  /** Wakes the dispatcher of an instance. */
  readonly wake: WakeInstance;
  /** Also wakes the instance's campaigns, because their wait reason has changed. */
  readonly wakeAll: WakeInstance;
}

export function wakersWith({
  teardown,
  ...dependencies
}: Pick<Dependencies, 'ledger' | 'clock' | 'log' | 'teardown'> & { readonly client: Client }): Wakers {
  const background = createBackground();
  teardown.add('wakes under way', () => background.ended());
  const wake = background.track(createWaker(dependencies));
  const { campaigns } = dependencies.ledger;
  const wakeCampaigns = background.track(createCampaignWaker({ ...dependencies, campaigns }));
  return { wake, wakeAll: async (instance) => void (await Promise.all([wake(instance), wakeCampaigns(instance)])) };
}

/**
 * Opens the resources that a separate worker or API shares with other processes: Temporal and a PostgreSQL ledger.
 * @param command  for the message, e.g. `everpost worker`
 * @throws AppError CONFIG_INVALID without DATABASE_URL | LEDGER_UNAVAILABLE
 */
export async function openSharedDependencies(
  command: string,
  { config, log, teardown }: Pick<ServiceContext, 'teardown'> & { readonly config: Config; readonly log: Log },
): Promise<Dependencies> {
  const instances = openInstances(config, log);
  const ledger = await openSharedLedger(command, config);
  teardown.add('ledger', () => ledger.close());
  return assembleDependencies({ config, log, ledger, instances, temporal: config.temporal, teardown });
}

/**
 * Opens the PostgreSQL ledger and brings its tables up to date.
 * @param command  for the message, e.g. `everpost migrate`
 * @throws AppError CONFIG_INVALID without DATABASE_URL | LEDGER_NEWER | LEDGER_UNAVAILABLE
 */
export async function openSharedLedger(command: string, config: Config): Promise<Ledger> {
  if (config.databaseUrl === undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      `${command} needs a ledger that other processes can share: set DATABASE_URL to a PostgreSQL. Without one, everpost dev runs everything in one process with an embedded ledger.`,
      { problems: [{ path: 'DATABASE_URL', message: 'is not set' }] },
    );
  }
  return openLedger({ databaseUrl: config.databaseUrl.reveal() });
}

/** The configured instances, else the instance of a simulator at its default address. */
function openInstances(config: Config, log: Log): InstanceDirectory {
  return config.instances?.open(log) ?? fixedInstances([simulatorInstance(`http://127.0.0.1:${SIMULATOR_PORT}`)]);
}
