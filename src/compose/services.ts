/** The services of a process: a worker, an API, or both. */
import { present } from '../contract/index.js';
import { pollJournal, reconcileActivity } from '../activities/index.js';
import { timesOfInstances } from '../domain/index.js';
import { operationContracts } from '../gateway/index.js';
import {
  amendmentRuns,
  campaignRuns,
  createApi,
  createMetricsServer,
  createWorkflowInputs,
  endShiftTry,
  followCampaignWith,
  jobRuns,
  lastRunOf,
  messageRuns,
  onAuthorizedWith,
  runOccurrenceWith,
  startRunStarter,
  syncScheduleWith,
  temporalSchedules,
  templateRuns,
  type AskGateway,
  type RunOccurrence,
  type TemporalAccess,
} from '../starter/index.js';
import {
  amendmentSweeper,
  pollUnresolved,
  campaignSweeper,
  configureInstances,
  endCampaigns,
  createEventPoster,
  endWithoutReceipts,
  eraseRecipients,
  expireMessages,
  openSourceWith,
  pollNotifications,
  rejectByTemplate,
  retentionJobs,
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
  type RunningWorker,
} from '../worker/index.js';
import { wakersWith, type Dependencies } from './dependencies.js';
import { packageVersion } from './package-version.js';
import { temporalClient } from './temporal.js';

export { assembleDependencies, openSharedDependencies, openSharedLedger } from './dependencies.js';

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
  const ofMessages = messageRuns({ client });
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
    endWithoutReceipts(jobs, (id) => pollJournal(shared, id)),
    pollUnresolved(jobs, (messageId) => reconcile({ messageId })),
    sweeper({ ...jobs, drivers: ofMessages, namespace }),
    campaignSweeper({ ...jobs, drivers: runs, namespace }),
    templateSweeper({ ...jobs, drivers: templateRuns({ client }), namespace }),
    scheduleSweeper({
      ...jobs,
      temporal: schedules,
      sync: syncScheduleWith({ ledger, temporal: schedules, clock }),
    }),
    endCampaigns({ ...jobs, drivers: runs, namespace }),
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
    start: ofMessages.start,
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

interface RunScheduleDependencies extends Pick<Dependencies, 'ledger' | 'clock' | 'instances' | 'gateway' | 'log'> {
  readonly temporal: TemporalAccess;
  readonly sources: Parameters<typeof openSourceWith>[0];
  wake(instance: string): void;
}

/** Creates the function with which a worker runs one occurrence of a schedule. */
export function runScheduleWith({ temporal, gateway, sources, log, ...rest }: RunScheduleDependencies): RunOccurrence {
  const runs = campaignRuns(temporal);
  return runOccurrenceWith({
    ...rest,
    namespace: runs.namespace,
    lastRun: (workflowId) => lastRunOf(temporal, workflowId),
    followCampaign: followCampaignWith({ runs, log }),
    // A worker calls the gateway directly: Temporal retries its attempt.
    askGateway: async <Result>(...[method, instance, request]: Parameters<AskGateway>) =>
      (await gateway.call(instance, method, request)).response as Result,
    openSource: openSourceWith(sources),
  });
}
