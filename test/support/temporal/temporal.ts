import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { inject, test as base } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../../src/contract/index.js';
import { faultPointSinks } from '../../../src/worker/start-worker.js';
import { runsEverything } from '../runs.js';
import { testServerPath } from './temporal-programs.js';

/**
 * How many workflows a worker caches, with a name for the title. Without a cache each task replays its run from the
 * beginning, which is stricter: `npm test` runs only that.
 */
export const CACHES: readonly (readonly [name: string, maxCachedWorkflows: number])[] = [
  ...(runsEverything ? ([['with cached workflows', 100]] as const) : []),
  ['without the workflow cache', 0],
];

/** Common to both kinds of Temporal server. */
export interface TemporalForTests {
  readonly address: string;
  readonly namespace: string;
  readonly connection: Connection;
  readonly nativeConnection: NativeConnection;
  readonly client: Client;
  /** A worker with the workflows of src/workflows, bundled once for the run; they have no thread of their own. */
  createWorker(options: TestWorkerOptions): Promise<Worker>;
}

export interface TimeSkippingTemporal extends TemporalForTests {
  /** `sleep` moves this server's clock; `client` skips time while it awaits a result. */
  readonly env: TestWorkflowEnvironment;
  /** Awaits results without skipping time: the environment's own runs ahead of due events. */
  readonly plainClient: Client;
}

export type TestWorkerOptions = Pick<WorkerOptions, 'activities' | 'maxCachedWorkflows' | 'dataConverter'> & {
  readonly taskQueue: string;
} & Partial<WorkerOptions>;

/**
 * `test` with the fixtures of Temporal, each created when a test uses it:
 *
 * - `temporal`      the dev server that all files share
 * - `timeSkipping`  a separate server whose clock skips waits; a run left by a failed test would stop a shared clock
 * - `taskQueue`     named after the test's title, and unique
 *
 * Only files named `*.temporal.test.ts` may use the first two.
 */
export const test = base
  .extend('temporal', { scope: 'file' }, async ({}, { onCleanup }): Promise<TemporalForTests> => {
    const { address, namespace } = inject('temporal');
    const connected = await connectForTests(address, namespace);
    onCleanup(connected.close);
    return connected.temporal;
  })
  .extend('timeSkipping', async ({}, { onCleanup }): Promise<TimeSkippingTemporal> => {
    quietRuntime();
    const env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: await testServerPath() } },
    });
    onCleanup(() => env.teardown());
    const namespace = env.namespace ?? 'default';
    const { connection, nativeConnection, client, address } = env;
    // An unregistered search attribute would stop the skipping silently.
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(
        Object.entries(SEARCH_ATTRIBUTES).map(([name, kind]) => [name, INDEXED_VALUE_TYPE[kind]]),
      ),
    });
    return {
      env,
      address,
      namespace,
      connection,
      nativeConnection,
      client,
      plainClient: new Client({ connection, namespace }),
      createWorker: workerFactory(nativeConnection, namespace),
    };
  })
  .extend('taskQueue', ({ task }) => taskQueueOf(task.name));

/** Connects to a running server. */
export async function connectForTests(
  address: string,
  namespace: string,
): Promise<{ readonly temporal: TemporalForTests; readonly close: () => Promise<void> }> {
  quietRuntime();
  // The server is there; a process that still loads other files answers it late.
  const connection = await Connection.connect({ address, connectTimeout: '1 minute' });
  const nativeConnection = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  const createWorker = workerFactory(nativeConnection, namespace);
  return {
    temporal: { address, namespace, connection, nativeConnection, client, createWorker },
    async close() {
      await nativeConnection.close();
      await connection.close();
    },
  };
}

/** Temporal's numbers. */
const INDEXED_VALUE_TYPE = { Keyword: 2, KeywordList: 7 } as const;

/** A readable name in the Web UI that is unique to the test and run. */
function taskQueueOf(title: string): string {
  const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${words.slice(0, 60)}-${randomBytes(4).toString('hex')}`;
}

function workerFactory(connection: NativeConnection, namespace: string): TemporalForTests['createWorker'] {
  return (options) =>
    Worker.create({
      connection,
      namespace,
      workflowBundle: { codePath: inject('temporal').workflowBundlePath },
      sinks: faultPointSinks(),
      // Workflows run in this thread: a thread of their own loads the SDK again, for every worker.
      debugMode: true,
      ...options,
    });
}

// In the thread of the test, the SDK would follow each promise of the process until its end, for the stack traces of
// its Web UI: a promise would cost forty times as much.
globalHandlers.install();
globalHandlers['stopPromiseHook']();

let runtimeInstalled = false;

/** The SDK's own log lines would count as a test's output. `TEST_LOG_LEVEL=debug` shows them. */
function quietRuntime(): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  Runtime.install({ logger: new DefaultLogger(logLevel()) });
}

function logLevel(): 'DEBUG' | 'ERROR' {
  return process.env['TEST_LOG_LEVEL'] === 'debug' ? 'DEBUG' : 'ERROR';
}
