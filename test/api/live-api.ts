/** The API over HTTP with everything behind it: receiver, ledger, a worker on Temporal's server, the simulator. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { inject } from 'vitest';
import { createActivities, decideByEvidence } from '../../src/activities/index.js';
import { dataConverter } from '../../src/codec/index.js';
import {
  Secret,
  dispatchTaskQueue,
  instanceWorkflowId,
  present,
  type Clock,
  type EncryptionKeys,
  type Tracing,
} from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { createMetrics } from '../../src/metrics/index.js';
import { startSimulator } from '../../src/simulator/index.js';
import { createApi, createChangeBell, type ApiOptions } from '../../src/api/index.js';
import {
  createOutboxSender,
  createBackground,
  messageRuns,
  readTaskQueues,
  createWaker,
  createWorkflowInputs,
} from '../../src/starter/index.js';
import { runScheduleWith } from '../../src/compose/services.js';
import { createIncoming, createReceiver } from '../../src/webhooks/index.js';
import { AdvancedTimers } from '../support/advanced-timers.js';
import {
  beginCampaigns,
  openDispatcher,
  endCampaigns,
  startBackgroundJob,
  sendOutbox,
  startMessageRuns,
} from '../../src/worker/index.js';
import { readBundle } from '../../src/worker/start-worker.js';
import { aLedger } from '../support/ledger/ledger.js';
import type { TemporalForTests } from '../support/temporal/temporal.js';
import { Turnstile } from '../support/turnstile.js';
import { JSON_TYPE, aDirectory, anInstance, read } from './api-parts.js';
import { documentedApi } from './documented-api.js';

/** More than a slow machine needs. */
const TIMES = {
  postingDeadlineMs: 60_000,
  gatewayTimeoutMs: 60_000,
  settleTimeMs: 1_000,
  editConfirmTimeoutMs: 60_000,
};

/** Sooner than in the product: the end of every campaign waits for it. */
const SETTLE_EVERY_MS = 250;

const WEBHOOK_TOKEN = 'hook-token';

export type LiveApi = Awaited<ReturnType<typeof aLiveApi>>;

/** By default the log is discarded, and payloads in Temporal are not encrypted. */
interface LiveApiOptions {
  readonly log?: (entry: unknown) => void;
  readonly encryption?: EncryptionKeys;
  readonly tracing?: Tracing;
}

export async function aLiveApi(
  temporal: TemporalForTests,
  taskQueue: string,
  { log = () => undefined, encryption, tracing }: LiveApiOptions = {},
) {
  let aheadMs = 0;
  const clock: Clock = { nowMs: () => Date.now() + aheadMs };
  const ledger = await aLedger();
  const simulator = await startSimulator({ clock });
  const instances = aDirectory(
    anInstance({
      baseUrl: simulator.url,
      apiTokenInstance: new Secret('simulator-token'),
      webhookTokens: [new Secret(WEBHOOK_TOKEN)],
      statusMeanings: { '503': 'not_accepted' },
    }),
  );
  const turnstile = new Turnstile();
  const metrics = createMetrics({ ledger, instances, clock, taskQueues: () => readTaskQueues({ client, taskQueue }) });
  const gateway = createGateway({
    instances,
    clock,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    gate: turnstile,
    onCalled: metrics.gatewayCalled,
    onExchanged: metrics.gatewayExchanged,
    tracing,
  });
  const bell = createChangeBell();
  const client = clientOfThisTest(temporal, dataConverter(encryption));
  const incoming = createIncoming({ ledger, instances, clock, log });
  const receiver = createReceiver({
    ledger,
    instances,
    clock,
    incoming,
    log,
    onStored: metrics.notificationReceived,
    onChanged: bell.ring,
  });
  const options: ApiOptions = {
    client,
    taskQueue,
    ledger,
    instances,
    receiver,
    decideByEvidence: decideByEvidence({ ledger, gateway, clock, times: TIMES, timesOf: () => TIMES }),
    checkOperation: (name, request) => gateway.check(name, request),
    clock,
    apiKeys: () => [],
    ...present({ encryption }),
    metrics,
    tracing,
    log,
    bell,
  };
  const api = documentedApi(createApi(options));
  const queueWithoutWorker = `${taskQueue}-without-worker`;
  const lonelyApi = documentedApi(createApi({ ...options, taskQueue: queueWithoutWorker, temporalTimeoutMs: 500 }));
  const { url } = await api.listen({ host: '127.0.0.1', port: 0 });
  const lonely = await lonelyApi.listen({ host: '127.0.0.1', port: 0 });

  const control = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${simulator.url}/_sim/${path}`, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The simulator refused ${method} ${path}: ${await response.text()}`);
  };
  await control('PATCH', 'instances/1101000001', {
    settings: {
      webhookUrl: `${url}/webhooks/main`,
      webhookUrlToken: WEBHOOK_TOKEN,
      outgoingWebhook: 'yes',
      outgoingAPIMessageWebhook: 'yes',
      editedMessageWebhook: 'yes',
      incomingWebhook: 'yes',
      delaySendMessagesMilliseconds: 500,
    },
  });

  const checkOperation = gateway.check.bind(gateway);
  const inputs = createWorkflowInputs({ ledger, instances, checkOperation });
  const recorded = (ids: readonly string[]): void => {
    for (const id of ids) bell.ring(id);
  };
  const timers = new AdvancedTimers();
  const times = { times: TIMES, timesOf: () => TIMES };
  const dispatcher = openDispatcher({ ledger, gateway, clock, timers, ...times, instances, recorded, tracing, log });
  const listening = ledger.wakes.listen((instance) => {
    dispatcher.wake(instance);
  });
  const stopping = new AbortController();
  const background = createBackground();
  const wake = background.track(createWaker({ client, taskQueue, ledger, clock, log }));
  const allSources = mkdtempSync(join(tmpdir(), 'everpost-sources-'));
  const sourcesDir = join(allSources, 'main');
  mkdirSync(sourcesDir);
  const runSchedule = runScheduleWith({
    temporal: { client, taskQueue },
    ledger,
    clock,
    instances,
    gateway,
    sources: { directory: allSources, env: () => undefined, allowPrivate: true, maxBytes: 1_000_000 },
    log,
    wake: (instance) => void wake(instance),
  });
  const activities = createActivities(
    {
      inputs,
      ledger,
      gateway,
      instances,
      clock,
      wake: (instance) => void wake(instance),
      runSchedule,
      worker: 'worker-under-test',
      processId: 'process-under-test',
      stopping: stopping.signal,
      tracing,
      ...times,
      log,
    },
    dispatcher,
  );
  const shared = {
    activities,
    shutdownGraceTime: '1 second',
    dataConverter: dataConverter(encryption),
  } as const;
  const encodesFailures = encryption !== undefined;
  const workflowBundle = await readBundle(inject('temporal').workflowBundlePath, { encodesFailures });
  const workers = await Promise.all([
    temporal.createWorker({ ...shared, workflowBundle, taskQueue }),
    temporal.createWorker({ ...shared, workflowBundle, taskQueue: dispatchTaskQueue(taskQueue) }),
  ]);
  const working = Promise.all(workers.map((worker) => worker.run()));
  const { start } = messageRuns({ client, taskQueue });
  const loop = { leases: ledger.leases, holder: 'worker-under-test', log };
  const { namespace } = client.options;
  const ofCampaigns = { ledger, namespace, clock, log };
  const jobs = [
    { ...beginCampaigns(ofCampaigns, (instance) => void wake(instance)), everyMs: SETTLE_EVERY_MS },
    { ...endCampaigns(ofCampaigns), everyMs: SETTLE_EVERY_MS },
    startMessageRuns({ ledger, clock, namespace, start }),
    sendOutbox({
      ledger,
      clock,
      log,
      send: createOutboxSender({ client, taskQueue }, (id) => ledger.campaigns.progress(id, clock.nowMs())),
      wakes: bell.listen,
    }),
  ].map((job) => startBackgroundJob(job, loop));

  return {
    url,
    simulator,
    ledger,
    /** Decides how many requests of an operation leave. @default all */
    turnstile,
    client,
    taskQueue,
    /** The folder of recipients' files for schedules of `main`. */
    sourcesDir,
    /** One request to the simulator's control endpoints. */
    control,
    call: callerOf(url),
    /** The same through an API whose task queue has no worker. */
    callWithoutWorker: callerOf(lonely.url),
    /** The messages on this recipient's phone. */
    phoneOf: (to: string) => simulator.delivered().filter(({ chatId }) => chatId === `${to}@c.us`),
    /** Of the clock of API, worker and simulator. */
    advance(ms: number) {
      aheadMs += ms;
      timers.advance(ms);
    },
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.stop()));
      stopping.abort();
      for (const worker of workers) worker.shutdown();
      await working;
      listening.close();
      await background.ended();
      for (const queue of [taskQueue, queueWithoutWorker]) {
        const dispatching = temporal.client.workflow.getHandle(
          `${instanceWorkflowId('main')}:${dispatchTaskQueue(queue)}`,
        );
        await dispatching.terminate('The test has ended.').catch(() => undefined);
      }
      await Promise.all([api.close(), lonelyApi.close()]);
      await receiver.close();
      await simulator.close();
      await gateway.close();
      await ledger.close();
      rmSync(allSources, { recursive: true });
    },
  };
}

/** The workflow of an instance is named after it, and parallel tests have an instance of the same name. */
function clientOfThisTest({ connection, namespace }: TemporalForTests, converter: DataConverter): Client {
  return new Client({
    dataConverter: converter,
    connection,
    namespace,
    interceptors: {
      workflow: [
        {
          // Tests share the names of instances; each campaign has an id of its own.
          signalWithStart: (input, next) => {
            const { workflowId, taskQueue } = input.options;
            if (!workflowId.startsWith(instanceWorkflowId(''))) return next(input);
            return next({ ...input, options: { ...input.options, workflowId: `${workflowId}:${taskQueue}` } });
          },
        },
      ],
    },
  });
}

function callerOf(url: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    read(
      await fetch(url + path, {
        method,
        headers: { ...(body === undefined ? {} : JSON_TYPE), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
}
