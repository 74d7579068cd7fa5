import { IllegalStateError } from '@temporalio/common';
import { Runtime, type LogLevel as TemporalLogLevel, type Logger, type LogMetadata } from '@temporalio/worker';
import type { Log, LogEntry } from '../contract/index.js';

/**
 * Makes Temporal's runtime use our log and removes its signal handlers, since everpost handles signals itself. There is
 * one runtime per process, so an installed one stays.
 * @param metricsAddress  where the SDK serves its metrics. @default nowhere
 */
export function installTemporalRuntime(log: Log, metricsAddress?: string): void {
  try {
    Runtime.install({
      logger: temporalLogger(log),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
        ...(metricsAddress !== undefined && {
          metrics: {
            prometheus: {
              bindAddress: metricsAddress,
              countersTotalSuffix: true,
              unitSuffix: true,
              useSecondsForDurations: true,
            },
          },
        }),
      },
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
  const at = (level: LogEntry['level']) => (message: string, meta?: LogMetadata) => {
    // Without symbol keys and big integers, since JSON has neither.
    const facts: [string, unknown][] = Object.entries(meta ?? {}).filter(([key]) => !NOT_FOR_LOGS.has(key));
    const readable = facts.map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]);
    const isQuiet = message === WITHOUT_WORKFLOWS || isRepeated(meta);
    log({ level: isQuiet ? 'debug' : level, message, ...Object.fromEntries(readable) });
  };
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
