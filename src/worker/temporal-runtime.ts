import { IllegalStateError } from '@temporalio/common';
import {
  Runtime,
  type LogLevel as TemporalLogLevel,
  type Logger,
  type LogMetadata,
  type NativeConnection,
  type Worker,
} from '@temporalio/worker';
import { setInterval } from 'node:timers/promises';
import { AppError } from '../contract/index.js';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** One line of a log: an event and its fields. It never contains a token, a phone number or a message text. */
export interface LogEntry {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [fact: string]: unknown;
}
export type Log = (entry: LogEntry) => void;

/**
 * Makes Temporal's runtime use our log and removes its signal handlers, since everpost handles signals itself. There is
 * one runtime per process, so an installed one stays.
 */
export function installTemporalRuntime(log: Log): void {
  try {
    Runtime.install({
      logger: temporalLogger(log),
      shutdownSignals: [],
      telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
}

/** A warning of the SDK about a worker without workflows, such as the one for shifts. */
const WITHOUT_WORKFLOWS = 'No workflows registered, not polling for workflow tasks';

/** Fields in which the SDK logs whole tasks with payloads, and its options with all workflow code. */
const NOT_FOR_LOGS: ReadonlySet<string> = new Set(['task', 'taskEncoded', 'taskToken', 'workflowInfo', 'options']);

/**
 * The source of a log line for each retry of each poller, several per second while Temporal is unavailable. The log
 * gets one per minute.
 */
const RETRIES = 'temporalio_client::retry';
const RETRY_LINE_EVERY_MS = 60_000;

/** @param nowMs  a monotonic clock */
export function temporalLogger(log: Log, nowMs = (): number => performance.now()): Logger {
  let nextRetryLineMs = 0;
  function isRepeated(meta: LogMetadata | undefined): boolean {
    if (meta?.['target'] !== RETRIES) return false;
    if (nowMs() < nextRetryLineMs) return true;
    nextRetryLineMs = nowMs() + RETRY_LINE_EVERY_MS;
    return false;
  }
  const at = (level: LogEntry['level']) => (message: string, meta?: LogMetadata) =>
    log({
      level: message === WITHOUT_WORKFLOWS || isRepeated(meta) ? 'debug' : level,
      message,
      ...readable(meta),
    });
  return {
    trace: at('trace'),
    debug: at('debug'),
    // The SDK logs every step of its life cycle. Our log has what operators need.
    info: at('debug'),
    warn: at('warn'),
    error: at('error'),
    log: (level: TemporalLogLevel, message, meta) => at(LEVELS[level])(message, meta),
  };
}

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Removes symbol keys and converts big integers, since JSON has neither. */
function readable(meta: LogMetadata | undefined): Record<string, unknown> {
  const facts: [string, unknown][] = Object.entries(meta ?? {}).filter(([key]) => !NOT_FOR_LOGS.has(key));
  return Object.fromEntries(facts.map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]));
}

type RunnableWorker = Pick<Worker, 'run' | 'getState' | 'shutdown'>;
type Connection = Pick<NativeConnection, 'close'>;

const FAILURE_POLL_MS = 1_000;

/**
 * Ends both workers when one of them ends, since half a worker would seem alive without working.
 * @throws AppError TEMPORAL_UNAVAILABLE when one failed, whether or not the SDK ends its run
 */
export async function runToTheirEnd(workers: readonly RunnableWorker[], connection: Connection): Promise<void> {
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
    throw new AppError(
      'TEMPORAL_UNAVAILABLE',
      'The worker failed: Temporal, or a proxy before it, refused its requests. The error was logged. Start it again.',
    );
  }
}

export function shutDown(workers: readonly RunnableWorker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** The path of the bundle that the build writes, beside the modules, so that a copied `dist` is complete. */
export const BUILT_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

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
