import os from 'node:os';
import { NativeConnection, Worker, type NativeConnectionOptions } from '@temporalio/worker';
import { createActivities, type ActivityDependencies } from '../activities/index.js';
import { AppError, TASK_QUEUE } from '../contract/index.js';
import { faultPointSinks } from './fault-point-sinks.js';
import { installTemporalRuntime, type Log } from './temporal-runtime.js';
import { BUILT_BUNDLE_PATH, type WorkflowSource } from './workflow-bundle.js';

export interface WorkerOptions extends Pick<
  ActivityDependencies,
  'inputs' | 'ledger' | 'gateway' | 'clock' | 'times' | 'notify' | 'reached'
> {
  readonly temporal: { readonly connectionOptions: NativeConnectionOptions; readonly namespace: string };
  readonly log: Log;
  /** @default the bundle that the build made */
  readonly workflows?: WorkflowSource;
  /** @default 'everpost' */
  readonly taskQueue?: string;
  /**
   * How long activities may go on after {@link RunningWorker.stop}; then they are cancelled, and what a send had begun
   * is found by its claim. @default HTTP timeout + 5 s, so that a request under way ends by itself
   */
  readonly graceMs?: number;
  /** Workflows kept in memory between two tasks; others are replayed from history. @default 200 */
  readonly maxCachedWorkflows?: number;
}

export interface RunningWorker {
  /** Name of this worker in Temporal's Web UI and in the evidence. */
  readonly identity: string;
  /** True while it takes tasks. */
  isPolling(): boolean;
  /** Drains: takes no more tasks, lets activities end, closes its connection. May be called again. */
  stop(): Promise<void>;
  /** Settles when the worker has ended: by {@link stop}, or, rejecting, because it could not go on. */
  readonly ended: Promise<void>;
}

/** A cached workflow costs some hundred kB of memory outside the old space; 200 fit a small container. */
const MAX_CACHED_WORKFLOWS = 200;
const GRACE_BEYOND_GATEWAY_TIMEOUT_MS = 5_000;

/**
 * Connects to Temporal and works until stopped. Owns its connection; ledger and gateway stay the caller's.
 * @throws AppError TEMPORAL_UNAVAILABLE when the server cannot be reached
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { temporal, log, times } = options;
  const identity = `everpost-${process.pid}@${os.hostname()}`;
  const graceMs = options.graceMs ?? times.gatewayTimeoutMs + GRACE_BEYOND_GATEWAY_TIMEOUT_MS;
  installTemporalRuntime(log);
  const stopping = new AbortController();
  const connection = await connect(temporal.connectionOptions);
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: options.taskQueue ?? TASK_QUEUE,
    identity,
    ...workflowOptions(options.workflows ?? { bundlePath: BUILT_BUNDLE_PATH }),
    activities: createActivities({
      inputs: options.inputs,
      ledger: options.ledger,
      gateway: options.gateway,
      clock: options.clock,
      times,
      notify: options.notify,
      stopping: stopping.signal,
      reached: options.reached,
      worker: identity,
      log,
    }),
    sinks: faultPointSinks(options.reached),
    maxCachedWorkflows: options.maxCachedWorkflows ?? MAX_CACHED_WORKFLOWS,
    shutdownGraceTime: graceMs,
    // An activity that ignores its cancellation must not hold the process for ever.
    shutdownForceTime: graceMs + 2_000,
  }).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });

  const ended = runToItsEnd(worker, connection);
  // The composer of the process watches `ended`; a rejection before that must not end the process by itself.
  ended.catch(() => undefined);

  return {
    identity,
    isPolling: () => worker.getState() === 'RUNNING',
    ended,
    async stop() {
      stopping.abort();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

async function runToItsEnd(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } finally {
    await connection.close();
  }
}

async function connect(options: NativeConnectionOptions): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    const address = options.address ?? 'its default address';
    throw new AppError(
      'TEMPORAL_UNAVAILABLE',
      `Temporal is not reachable at ${address}. Start it, or set TEMPORAL_ADDRESS (and TEMPORAL_API_KEY or TEMPORAL_TLS where it needs them).`,
      { cause: error },
    );
  }
}

function workflowOptions(source: WorkflowSource) {
  return 'bundlePath' in source
    ? { workflowBundle: { codePath: source.bundlePath } }
    : { workflowsPath: source.workflowsPath };
}
