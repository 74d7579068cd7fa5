/** The services of a process: a worker, an API, or both. */
import { randomUUID } from 'node:crypto';
import { Secret, present } from '../contract/index.js';
import { decideByEvidence, pollJournal, reconcileRound, settleLost } from '../activities/index.js';
import { timesOfInstances } from '../domain/index.js';
import { checkInstance, checkTemporal } from '../doctor/index.js';
import { createApi, createWorkerServer } from '../api/index.js';
import { createConsole } from '../console/index.js';
import {
  campaignRuns,
  createOutboxSender,
  createWorkflowInputs,
  endShiftTry,
  followCampaignWith,
  jobRuns,
  lastRunOf,
  messageRuns,
  readTaskQueues,
  runOccurrenceWith,
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
  beginCampaigns,
  checkRunningCampaigns,
  endCampaigns,
  createEventPoster,
  endWithoutReceipts,
  eraseRecipients,
  endEdits,
  expireMessages,
  openSourceWith,
  pollNotifications,
  rejectByTemplate,
  settleClears,
  showCampaigns,
  settleRemoved,
  retentionJobs,
  scheduleSweeper,
  sealAgain,
  sendOutbox,
  startBackgroundJob,
  deliverEvents,
  startMessageRuns,
  startRecurringJobs,
  startWorker,
  sweeper,
  takeOverShifts,
  templateSweeper,
  wakeInstances,
  watchClock,
  watchInstances,
  watchPools,
  watchQueues,
  type RunningWorker,
} from '../worker/index.js';
import type { Dependencies } from './dependencies.js';
import { setupCommands } from './temporal.js';
import { packageVersion } from './package-version.js';

export { assembleDependencies, migrateSharedLedger, openSharedDependencies, startTracing } from './dependencies.js';

/** Probes give up after about five seconds. */
const PROBE_WITHIN_MS = 3_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Starts the HTTP API, which hands notifications to the receiver. */
export async function startApiService(dependencies: Dependencies, address: Address): Promise<{ readonly url: string }> {
  const { config, log, gateway, metrics, temporal, teardown, instances, client, connection } = dependencies;
  const times = dependencies.times ?? config.times;
  const api = createApi({
    ...dependencies,
    decideByEvidence: decideByEvidence({ ...dependencies, times, timesOf: timesOfInstances(instances, times) }),
    metrics: {
      ...metrics,
      apiRequested(request) {
        metrics.apiRequested(request);
        log({ level: 'debug', message: 'the API responded', ...request, durationMs: Math.round(request.durationMs) });
      },
    },
    apiKeys: config.http.openApiKeys(log),
    publicUrl: config.publicUrl,
    allowedHosts: config.http.allowedHosts,
    allowPrivateCallbacks: config.callbacks.allowPrivate,
    maxImportBytes: config.http.maxImportBytes,
    keyLimits: config.http.keyLimits,
    ...present({ encryption: temporal.encryption }),
    // A browser on this machine may use either name.
    codecOrigins: [
      ...config.http.codecOrigins,
      ...(temporal.uiUrl === undefined ? [] : [temporal.uiUrl, temporal.uiUrl.replace('127.0.0.1', 'localhost')]),
    ],
    checkOperation: (name, request) => gateway.check(name, request),
    // Changes that an account needs are made by `everpost doctor --fix`.
    examination: {
      temporal: () => checkTemporal({ client, connection, setupCommands }),
      async account(name) {
        const newToken = config.instances && new Secret(randomUUID());
        const options = { isExposed: config.http.isExposed, publicUrl: config.publicUrl, newToken };
        return (await checkInstance(gateway, instances.get(name), options)).findings;
      },
    },
    pages: createConsole,
    temporalUiUrl: config.temporal.webUiUrl ?? temporal.uiUrl,
  });
  const { url } = await api.listen(address);
  teardown.add('HTTP API', () => api.close());
  log({ level: 'info', message: 'API and webhook receiver listen', url });
  return { url };
}

/** Serves the health and the metrics of a worker without the API. */
export async function startProbeService(
  { config, log, clock, ledger, instances, metrics, readiness, teardown }: Dependencies,
  address: Address,
): Promise<{ readonly url: string }> {
  const apiKeys = config.http.openApiKeys(log);
  const { keyLimits } = config.http;
  const server = createWorkerServer({ ledger, instances, clock, apiKeys, keyLimits, metrics, readiness, log });
  const { url } = await server.listen(address);
  teardown.add('health and metrics', () => server.close());
  log({ level: 'info', message: 'health and metrics listen', url });
  return { url };
}

/** Starts a worker. The teardown drains it before the other parts. */
export async function startWorkerService(
  dependencies: Dependencies,
  { graceMs }: { readonly graceMs?: number } = {},
): Promise<RunningWorker> {
  const { config, log, clock, ledger, instances, gateway, teardown } = dependencies;
  const { client, temporal, bell, load, wake, readiness, sdkTelemetry } = dependencies;
  const { namespace } = temporal;
  const { allowPrivate } = config.callbacks;
  const times = dependencies.times ?? config.times;
  const shared = { ledger, gateway, clock, times, timesOf: timesOfInstances(instances, times) };
  const sources = { ...config.sources, allowPrivate, maxBytes: config.http.maxImportBytes };
  const clocks = watchClock({ dispatch: ledger.dispatch, clock, log });
  // A failure is logged by its first round as a background job.
  await clocks.job.round().catch(() => undefined);
  const { metricsPort } = config.http;
  const { deploymentName, buildId = packageVersion() } = config.temporal;
  const worker = await startWorker({
    ...dependencies,
    ...shared,
    version: { ...present({ deploymentName }), buildId },
    ...(metricsPort === undefined ? {} : { sdkMetricsAddress: await sdkTelemetry.open() }),
    clocks,
    runSchedule: runScheduleWith({ ...dependencies, temporal: { client }, sources }),
    inputs: createWorkflowInputs({
      ledger,
      instances,
      checkOperation: (name, request) => gateway.check(name, request),
      allowPrivateCallbacks: allowPrivate,
    }),
    recorded(ids) {
      load.count(ids.length);
      for (const id of ids) bell.ring(id);
    },
    ...present({ graceMs }),
  });
  teardown.add('worker', () => worker.stop());
  readiness.follow({
    isPolling: () => worker.isPolling(),
    askTemporal: () => readTaskQueues({ client, temporalTimeoutMs: PROBE_WITHIN_MS }),
    clockProblem: clocks.problem,
    roundLateMs: () => worker.roundLateMs(),
  });
  const listening = ledger.wakes.listen((instance) => {
    worker.wake(instance);
  });
  teardown.add('wakes of instances', () => listening.close());
  const ofMessages = messageRuns({ client });
  const runs = campaignRuns({ client });
  const schedules = temporalSchedules({ client });
  const jobs = { ...dependencies, namespace };
  const poster = createEventPoster(config.callbacks);
  teardown.add('event client', () => poster.close());
  const { jobRan, deliveryAttempted } = dependencies.metrics;
  const loop = { leases: ledger.leases, holder: worker.identity, log, isClockRight: clocks.isRight, onRound: jobRan };
  for (const job of [
    clocks.job,
    expireMessages(jobs),
    endEdits(jobs),
    rejectByTemplate(jobs),
    settleRemoved(jobs),
    readiness.reporting(
      takeOverShifts({
        dispatch: ledger.dispatch,
        endTry: (shift) => endShiftTry({ client }, shift),
        process: worker.processId,
        serving: () => worker.serving(),
        log,
      }),
    ),
    wakeInstances(jobs, wake),
    configureInstances(jobs, wake),
    endWithoutReceipts(jobs, (id) => pollJournal(shared, id)),
    pollUnresolved(jobs, () => reconcileRound(shared)),
    sweeper({ ...jobs, drivers: ofMessages }),
    campaignSweeper({ ...jobs, drivers: runs }),
    templateSweeper({ ...jobs, drivers: templateRuns({ client }) }),
    scheduleSweeper({
      ...jobs,
      temporal: schedules,
      sync: syncScheduleWith({ ledger, temporal: schedules, clock }),
    }),
    beginCampaigns(jobs, wake),
    watchPools(jobs, wake),
    endCampaigns(jobs),
    checkRunningCampaigns(jobs),
    showCampaigns(jobs, runs.show),
    amendmentSweeper({ ...jobs, start: runs.startAmendment }),
    startRecurringJobs({ ...jobs, start: jobRuns({ client }).start }),
    watchInstances(jobs),
    watchQueues(jobs, wake),
    settleClears(jobs, (clear) => settleLost({ ...shared, wake }, clear, 'OPERATION_MAY_HAVE_HAPPENED')),
    sealAgain(jobs),
    eraseRecipients({ ...jobs, ...config.notifications }),
    ...retentionJobs(jobs, {
      ...config.notifications,
      eventsKeptForMs: config.events.keptForMs,
      auditKeptForMs: config.auditKeptForMs,
      messagesKeptForMs: config.messagesKeptForMs,
    }),
    deliverEvents({ ...dependencies, poster, onAttempted: deliveryAttempted }),
    startMessageRuns({ ledger, clock, namespace, start: ofMessages.start, isBusy: () => load.isBusy() }),
    sendOutbox({
      ...jobs,
      send: createOutboxSender({ client }, (id) => ledger.campaigns.progress(id, clock.nowMs())),
      isBusy: () => load.isBusy(),
      wakes: bell.listen,
    }),
    pollNotifications(dependencies, loop),
  ]) {
    const running = startBackgroundJob(job, loop);
    teardown.add(job.name, () => running.stop());
  }
  log({ level: 'info', message: 'worker polls', identity: worker.identity, namespace, buildId });
  return worker;
}

/** Creates the function with which a worker runs one occurrence of a schedule. */
export function runScheduleWith({
  temporal,
  gateway,
  sources,
  log,
  ...rest
}: Pick<Dependencies, 'ledger' | 'clock' | 'instances' | 'gateway' | 'log' | 'wake'> & {
  readonly temporal: TemporalAccess;
  readonly sources: Parameters<typeof openSourceWith>[0];
}): RunOccurrence {
  const runs = campaignRuns(temporal);
  return runOccurrenceWith({
    ...rest,
    namespace: runs.namespace,
    lastRun: (workflowId) => lastRunOf(temporal, workflowId),
    followCampaign: followCampaignWith(runs, log),
    // A worker calls the gateway directly: Temporal retries its attempt.
    askGateway: async <Result>(...[method, instance, request]: Parameters<AskGateway>) =>
      (await gateway.call(instance, method, request)).response as Result,
    openSource: openSourceWith(sources),
  });
}
