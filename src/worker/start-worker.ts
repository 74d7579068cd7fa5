import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { setInterval } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  NativeConnection,
  Worker,
  type InjectedSinks,
  type NativeConnectionOptions,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import {
  createActivities,
  explainRejection,
  reconcileActivity,
  recordReading,
  type ActivityDependencies,
  type Times,
} from '../activities/index.js';
import { dataConverter } from '../codec/index.js';
import type { TemporalConfig } from '../config/index.js';
import {
  AppError,
  TASK_QUEUE,
  dispatchTaskQueue,
  present,
  type AttemptOutcome,
  type ReachedFaultPoint,
  type Log,
  type LogEntry,
} from '../contract/index.js';
import {
  createDispatcher,
  systemTimers,
  withLinks,
  type Dispatcher,
  type DispatcherDependencies,
  type Timers,
} from '../dispatch/index.js';
import type { DueAttempt } from '../ledger/index.js';
import type { MessageSpans } from '../tracing/index.js';
import type { ClockWatch } from './clock-watch.js';
import { installTemporalRuntime } from './temporal-runtime.js';
import type { FaultPointSinks } from '../workflows/index.js';

export interface WorkerVersion {
  readonly buildId: string;
  /** @default the worker is not versioned */
  readonly deploymentName?: string;
}

export interface WorkerOptions extends Pick<
  ActivityDependencies,
  'inputs' | 'ledger' | 'gateway' | 'instances' | 'clock' | 'timesOf' | 'wake' | 'reached' | 'tracing' | 'runSchedule'
> {
  readonly times: Times;
  readonly temporal: Pick<TemporalConfig, 'namespace' | 'connectionOptions' | 'encryption'>;
  /** Shown in Temporal's Web UI. With a deployment's name, only its current version gets work. */
  readonly version: WorkerVersion;
  readonly log: Log;
  /** SKEW-1. @default the clock is always right */
  readonly clocks?: Pick<ClockWatch, 'guard'> | undefined;
  /** Called with the messages whose outcomes were just recorded. */
  readonly recorded?: DispatcherDependencies['recorded'];
  /** Absent: no traces. */
  readonly spans?: Pick<MessageSpans, 'duringPoll' | 'accepted'> | undefined;
  /** Where Temporal's SDK serves its metrics. @default nowhere */
  readonly sdkMetricsAddress?: string;
  /** @default the bundle of the build */
  readonly bundlePath?: string;
  /** @default 'everpost' */
  readonly taskQueue?: string;
  /**
   * How long activities may continue after {@link RunningWorker.stop} before they are cancelled. The claim then shows a
   * send that had begun. @default HTTP timeout + 5 s, so that a request under way ends by itself
   */
  readonly graceMs?: number;
}

export interface RunningWorker {
  /** The name of this worker in Temporal's Web UI and in evidence. */
  readonly identity: string;
  /** Identifies this start, since a container may restart with the same identity. */
  readonly processId: string;
  readonly buildId: string;
  /** Whether it accepts tasks. */
  isPolling(): boolean;
  /** Notifies the shift of the instance, if it runs here, that a message is due. */
  wake(instance: string): void;
  /** The instances that it serves (PRESENCE-6). */
  serving(): readonly string[];
  /** For how long a round of its dispatcher has been due without ending, in milliseconds. */
  roundLateMs(): number;
  /** Accepts no more tasks, lets activities end and closes its connection. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the worker has ended, and rejects if it failed. */
  readonly ended: Promise<void>;
}

/** How many workflows stay in memory between two tasks. A cached one costs some hundred kB of memory outside the old space; 200 fit a small container. */
const MAX_CACHED_RUNS = 100;
const MAX_CACHED_INSTANCES = 100;
/** How long workflow tasks wait for a dead worker's cache. Temporal's default is 10 s. */
const STICKY_MS = 3_000;
/** An idle instance is delayed by it. */
const INSTANCE_STICKY_MS = 1_000;
const GRACE_BEYOND_GATEWAY_TIMEOUT_MS = 5_000;
/**
 * After a restart thousands of runs may be due. More at once would not be faster, since one thread replays them: it would
 * delay what sends, and each would take longer than the ten seconds after which Temporal begins a task again.
 */
const MOST_RUNS_AT_ONCE = 10;
/** Each shift holds a slot for minutes. A slot costs as little as a promise. */
const MOST_INSTANCES = 5_000;

/**
 * Connects to Temporal and works until stopped. It closes its own connection; the caller closes ledger and gateway.
 * @throws AppError TEMPORAL_UNAVAILABLE if the server cannot be reached
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { temporal, log, times, taskQueue = TASK_QUEUE } = options;
  const identity = `everpost-${process.pid}@${os.hostname()}`;
  const processId = randomUUID();
  const graceMs = options.graceMs ?? times.gatewayTimeoutMs + GRACE_BEYOND_GATEWAY_TIMEOUT_MS;
  installTemporalRuntime(log, options.sdkMetricsAddress);
  const stopping = new AbortController();
  const encodesFailures = temporal.encryption !== undefined;
  const workflowBundle = await readBundle(options.bundlePath ?? BUILT_BUNDLE_PATH, { encodesFailures });
  const connection = await connect(temporal.connectionOptions());
  const dispatcher = openDispatcher(options);
  const shared = {
    connection,
    namespace: temporal.namespace,
    dataConverter: dataConverter(temporal.encryption),
    identity,
    activities: createActivities({ ...options, worker: identity, processId, stopping: stopping.signal }, dispatcher),
    shutdownGraceTime: graceMs,
    // An activity that ignores its cancellation must not keep the process alive.
    shutdownForceTime: graceMs + 2_000,
    workflowBundle,
    maxConcurrentWorkflowTaskExecutions: MOST_RUNS_AT_ONCE,
    sinks: faultPointSinks(options.reached),
    workerDeploymentOptions: deploymentOf(options.version),
  };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      maxCachedWorkflows: MAX_CACHED_RUNS,
      stickyQueueScheduleToStartTimeout: STICKY_MS,
    }),
    Worker.create({
      ...shared,
      taskQueue: dispatchTaskQueue(taskQueue),
      maxCachedWorkflows: MAX_CACHED_INSTANCES,
      stickyQueueScheduleToStartTimeout: INSTANCE_STICKY_MS,
      maxConcurrentActivityTaskExecutions: MOST_INSTANCES,
      // The SDK delays heartbeats for most of the heartbeat timeout, and the Web UI shows only the last one.
      maxHeartbeatThrottleInterval: '1 second',
    }),
  ]).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });

  const ended = runToTheirEnd(workers, connection);
  // The caller observes `ended` later. An earlier rejection must not end the process.
  ended.catch(() => undefined);

  return {
    identity,
    processId,
    buildId: options.version.buildId,
    isPolling: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    wake: (instance) => {
      dispatcher.wake(instance);
    },
    serving: () => dispatcher.serving(),
    roundLateMs: () => dispatcher.lateMs(),
    ended,
    async stop() {
      stopping.abort();
      shutDown(workers);
      await ended;
    },
  };
}

const UNVERSIONED = 'everpost';

/**
 * Runs continue on a new version: they live for months and only show rows, and each release replays the histories of the
 * one before.
 */
function deploymentOf({ deploymentName, buildId }: WorkerVersion): WorkerDeploymentOptions {
  if (deploymentName === undefined)
    return { version: { deploymentName: UNVERSIONED, buildId }, useWorkerVersioning: false };
  const version = { deploymentName, buildId };
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

interface DispatcherOptions extends Pick<
  WorkerOptions,
  | 'ledger'
  | 'gateway'
  | 'clock'
  | 'times'
  | 'timesOf'
  | 'instances'
  | 'reached'
  | 'recorded'
  | 'tracing'
  | 'spans'
  | 'log'
> {
  /** @default no other process serves an instance */
  readonly wake?: WorkerOptions['wake'];
  /** @default the timers of Node */
  readonly timers?: Timers;
  /** SKEW-1. @default the clock is always right */
  readonly clocks?: Pick<ClockWatch, 'guard'> | undefined;
}

/** Creates the dispatcher of this process. It uses the same witnesses as the activities. */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { ledger, gateway, clock, times, timesOf, instances, reached, recorded, tracing, spans, log } = options;
  const { timers = systemTimers } = options;
  const deps = { ledger, gateway, clock, times, timesOf };
  const reconcile = reconcileActivity(deps);
  return createDispatcher({
    ledger: options.clocks?.guard(ledger.dispatch) ?? ledger.dispatch,
    gateway,
    instances,
    clock,
    timers,
    timesOf,
    editConfirmTimeoutMs: times.editConfirmTimeoutMs,
    reached,
    tracing,
    log,
    withLink: withLinks({ gateway, files: ledger.files, clock }),
    explainRejection: (attempt, error) => explainRejection(deps, attempt, error),
    reconcile(messageId) {
      const poll = () => reconcile({ messageId });
      return spans === undefined ? poll() : spans.duringPoll(messageId, poll);
    },
    listed: (instance, listing) => recordReading(ledger, instance, listing),
    wakeElsewhere: (instance) => options.wake?.(instance),
    pauseIfFailing: (id) => ledger.campaigns.pauseIfFailing(id, clock.nowMs()),
    onOutcome: (due, outcome) => log(outcomeEntry(due, outcome)),
    ...present({ recorded, accepted: spans?.accepted }),
  });
}

/** A line for each outcome; the info level has those that an operator may look for. */
export function outcomeEntry(
  { instance, messageId, campaignId }: DueAttempt,
  { kind, ...facts }: AttemptOutcome,
): LogEntry {
  const isExpected = kind === 'accepted' || kind === 'not_accepted';
  return {
    level: isExpected ? 'debug' : 'info',
    message: 'a message has an outcome',
    instance,
    messageId,
    ...present({ campaignId }),
    outcome: kind,
    ...('code' in facts ? { code: facts.code } : {}),
    ...('idMessage' in facts ? { idMessage: facts.idMessage } : {}),
  };
}

async function connect(options: NativeConnectionOptions): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    const address = options.address ?? 'its default address';
    throw unavailable(
      `Temporal is not reachable at ${address}. Start it, or set TEMPORAL_ADDRESS (and TEMPORAL_API_KEY or TEMPORAL_TLS where it needs them).`,
      error,
    );
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('TEMPORAL_UNAVAILABLE', message, { cause });
}

/** Every worker registers the sink, since a workflow cannot know whether it exists. A replay does not report again. */
export function faultPointSinks(reached?: ReachedFaultPoint): InjectedSinks<FaultPointSinks> {
  return { faultPoints: { reached: { fn: (_run, point) => reached?.(point), callDuringReplay: false } } };
}

/** The path of the bundle that the build writes, beside the modules, so that a copied `dist` is complete. */
const BUILT_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

const PLAIN = 'everpost:plain-failures';
const ENCODED = 'everpost:encoded-failures';

/** Reads the workflow code for a worker. With `encodesFailures`, messages and stacks of failures are encrypted too. */
export async function readBundle(
  path: string,
  { encodesFailures }: { readonly encodesFailures: boolean },
): Promise<{ readonly codePath: string } | { readonly code: string }> {
  if (!encodesFailures) return { codePath: path };
  const code = await readFile(path, 'utf8');
  if (!code.includes(PLAIN)) throw new Error(`The workflow bundle ${path} cannot encode failures. Build it again.`);
  return { code: code.replace(PLAIN, ENCODED) };
}

type RunnableWorker = Pick<Worker, 'run' | 'getState' | 'shutdown'>;
const FAILURE_POLL_MS = 1_000;

/**
 * Ends both workers when one of them ends, since half a worker would seem alive without working.
 * @throws AppError TEMPORAL_UNAVAILABLE when one failed, whether or not the SDK ends its run
 */
export async function runToTheirEnd(
  workers: readonly RunnableWorker[],
  connection: Pick<NativeConnection, 'close'>,
): Promise<void> {
  const running = workers.map((worker) =>
    worker.run().finally(() => {
      shutDown(workers);
    }),
  );
  const closed = Promise.allSettled(running).then(async () => connection.close());
  const hasEnded = new AbortController();
  try {
    await Promise.race([closed, failureOf(workers, hasEnded.signal)]);
    await Promise.all(running);
  } finally {
    hasEnded.abort();
    shutDown(workers);
  }
}

/**
 * Rejects when a worker has failed, e.g. because a proxy answered in Temporal's place. The SDK's run of a worker that
 * failed may never settle, even after Temporal is back; this process would then neither work nor end.
 */
async function failureOf(workers: readonly RunnableWorker[], signal: AbortSignal): Promise<void> {
  for await (const _ of setInterval(FAILURE_POLL_MS, undefined, { signal, ref: false })) {
    if (workers.every((worker) => worker.getState() !== 'FAILED')) continue;
    throw unavailable(
      'The worker failed: Temporal, or a proxy before it, refused its requests. The error was logged. Start it again.',
    );
  }
}

function shutDown(workers: readonly RunnableWorker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
