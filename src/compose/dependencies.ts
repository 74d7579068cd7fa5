import type { Client } from '@temporalio/client';
import { present, type Clock, type InstanceDirectory, type ReachedFaultPoint } from '../contract/index.js';
import { applyLateEvidence, askJournal, reconcileActivity, type Times } from '../activities/index.js';
import type { Config } from '../config/index.js';
import { timesOfInstances } from '../domain/index.js';
import { createGateway, createSharedRateGate, operationContracts, type Gateway } from '../gateway/index.js';
import { EVENTS_WAKE, type Ledger } from '../ledger/index.js';
import { createMetrics, type Metrics } from '../metrics/index.js';
import {
  amendmentRuns,
  campaignRuns,
  createApi,
  createBackground,
  createCampaignWaker,
  createChangeBell,
  createLoadMeter,
  createMessageDrivers,
  createMetricsServer,
  createNotifier,
  createWaker,
  createWorkflowInputs,
  endShiftTry,
  jobRuns,
  onAuthorizedWith,
  startRunStarter,
  syncScheduleWith,
  temporalSchedules,
  templateRuns,
  type ChangeBell,
  type LoadMeter,
  type WakeInstance,
} from '../starter/index.js';
import { createOptOuts, createReceiver, type Receiver } from '../webhooks/index.js';
import {
  amendmentSweeper,
  askAboutUnresolved,
  campaignSweeper,
  configureInstances,
  settleCampaigns,
  createEventPoster,
  endWithoutReceipts,
  eraseRecipients,
  expireMessages,
  pollNotifications,
  rejectByTemplate,
  retentionJobs,
  saveGatewayClocks,
  scheduleSweeper,
  startBackgroundJob,
  startDelivering,
  startRecurringJobs,
  startWorker,
  sweeper,
  takeOverShifts,
  templateSweeper,
  wakeInstances,
  watchInstances,
  type Log,
  type RunningWorker,
} from '../worker/index.js';
import { packageVersion } from './package-version.js';
import { runScheduleWith } from './run-schedule.js';
import type { Teardown } from './teardown.js';
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
    gate: createSharedRateGate({
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

function wakersWith({
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

/** A browser on this machine may use either name. */
function originsOf(localUrl: string | undefined): string[] {
  return localUrl === undefined ? [] : [localUrl, localUrl.replace('127.0.0.1', 'localhost')];
}

/** Starts the HTTP API, which hands notifications to the receiver. */
export async function startApiService(
  { config, log, clock, ledger, instances, gateway, receiver, temporal, bell, load, metrics, teardown }: Dependencies,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string }> {
  const { client, close } = temporalClient(temporal);
  teardown.add('Temporal client of the API', close);
  const api = createApi({
    client,
    ledger,
    instances,
    receiver,
    clock,
    log,
    apiKeys: config.http.openApiKeys(log),
    publicUrl: config.publicUrl,
    allowedHosts: config.http.allowedHosts,
    allowPrivateCallbacks: config.callbacks.allowPrivate,
    maxImportBytes: config.http.maxImportBytes,
    ...present({ encryption: temporal.encryption }),
    codecOrigins: [...config.http.codecOrigins, ...originsOf(temporal.uiUrl)],
    bell,
    load,
    metrics,
    checkOperation: (name, request) => gateway.check(name, request),
    operationDocs: operationContracts,
    version: packageVersion(),
  });
  const { url } = await api.listen({ host, port });
  teardown.add('HTTP API', () => api.close());
  log({ level: 'info', message: 'API and webhook receiver listen', url });
  return { url };
}

/** Serves the metrics of a process without the API. */
export async function startMetricsService(
  { config, log, clock, ledger, instances, metrics, teardown }: Dependencies,
  address: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string }> {
  const apiKeys = config.http.openApiKeys(log);
  const server = createMetricsServer({ ledger, instances, clock, apiKeys, metrics, log });
  const { url } = await server.listen(address);
  teardown.add('metrics', () => server.close());
  log({ level: 'info', message: 'metrics listen', url });
  return { url };
}

/** Starts a worker. The teardown drains it before the other parts. */
export async function startWorkerService(
  {
    config,
    log,
    clock,
    ledger,
    instances,
    gateway,
    receiver,
    temporal,
    bell,
    load,
    metrics,
    reached,
    times,
    teardown,
  }: Dependencies,
  { graceMs }: { readonly graceMs?: number } = {},
): Promise<RunningWorker> {
  const { client, close } = temporalClient(temporal);
  teardown.add('Temporal client of the worker', close);
  const { namespace, connectionOptions, encryption } = temporal;
  const { wake, wakeAll } = wakersWith({ client, ledger, clock, log, teardown });
  const processTimes = times ?? config.times;
  const timesOf = timesOfInstances(instances, processTimes);
  const shared = { ledger, gateway, clock, times: processTimes, timesOf };
  const runs = campaignRuns({ client });
  const schedules = temporalSchedules({ client });
  const worker = await startWorker({
    runSchedule: runScheduleWith({
      temporal: { client },
      ledger,
      clock,
      instances,
      gateway,
      sources: {
        ...config.sources,
        allowPrivate: config.callbacks.allowPrivate,
        maxBytes: config.http.maxImportBytes,
      },
      log,
      wake: (instance) => void wake(instance),
    }),
    temporal: { namespace, connectionOptions: connectionOptions(), ...present({ encryption }) },
    inputs: createWorkflowInputs({
      ledger,
      instances,
      checkOperation: (name, request) => gateway.check(name, request),
      allowPrivateCallbacks: config.callbacks.allowPrivate,
    }),
    ...shared,
    instances,
    wake: (instance) => void wake(instance),
    recorded(ids) {
      load.count(ids.length);
      for (const id of ids) bell.ring(id);
      receiver.signal();
    },
    reached,
    log,
    ...present({ graceMs }),
  });
  teardown.add('worker', () => worker.stop());
  const listening = ledger.wakes.listen((instance) => {
    worker.wake(instance);
  });
  teardown.add('wakes of instances', () => listening.close());
  const onAuthorized = onAuthorizedWith({ ledger, instances, clock, wake: wakeAll });
  const drivers = createMessageDrivers({ client });
  const reconcile = reconcileActivity(shared);
  const jobs = { ledger, clock, log };
  for (const job of [
    expireMessages(jobs),
    rejectByTemplate(jobs),
    takeOverShifts({
      dispatch: ledger.dispatch,
      endTry: (shift) => endShiftTry({ client }, shift),
      process: worker.processId,
      log,
    }),
    wakeInstances(jobs, (instance) => void wake(instance)),
    configureInstances({ ...jobs, instances }, (instance) => void wake(instance)),
    endWithoutReceipts(jobs, (id) => askJournal(shared, id)),
    askAboutUnresolved(jobs, (messageId) => reconcile({ messageId })),
    sweeper({ ...jobs, drivers, namespace }),
    campaignSweeper({ ...jobs, drivers: runs, namespace }),
    templateSweeper({ ...jobs, drivers: templateRuns({ client }), namespace }),
    scheduleSweeper({
      ...jobs,
      temporal: schedules,
      sync: syncScheduleWith({ ledger, temporal: schedules, clock }),
    }),
    settleCampaigns({ ...jobs, drivers: runs, namespace }),
    amendmentSweeper({ ...jobs, start: amendmentRuns({ client }).start }),
    startRecurringJobs({ ...jobs, start: jobRuns({ client }).start }),
    watchInstances({ ...jobs, instances, gateway, onAuthorized }),
    eraseRecipients({ ...jobs, ...config.notifications }),
    ...retentionJobs(jobs, {
      ...config.notifications,
      eventsKeptForMs: config.events.keptForMs,
      auditKeptForMs: config.auditKeptForMs,
      messagesKeptForMs: config.messagesKeptForMs,
    }),
  ]) {
    const running = startBackgroundJob(job, { leases: ledger.leases, holder: worker.identity, log });
    teardown.add(job.name, () => running.stop());
  }
  const poster = createEventPoster(config.callbacks);
  teardown.add('event client', () => poster.close());
  const deliverer = startDelivering({
    ledger,
    poster,
    holder: worker.identity,
    clock,
    onAttempted: metrics.deliveryAttempted,
    log,
  });
  teardown.add('delivery of events', () => deliverer.stop());
  const starter = startRunStarter({
    ledger,
    holder: worker.identity,
    start: drivers.start,
    isBusy: () => load.isBusy(),
    log,
  });
  teardown.add('start of message workflows', () => starter.stop());
  const { leases } = ledger;
  const polls = pollNotifications({ instances, gateway, receiver, leases, holder: worker.identity, log });
  teardown.add('poll notifications', () => polls.stop());
  log({ level: 'info', message: 'worker polls', identity: worker.identity, namespace });
  return worker;
}
