import type { Log } from '../../../contract/index.js';
import { pino } from 'pino';
import type { LogLevel } from '../../../config/index.js';

/** Fields whose values the log replaces, at any of the first three levels. */
const SECRET_FIELDS = ['token', 'tokens', 'apiTokenInstance', 'webhookUrlToken', 'authorization', 'password', 'apiKey'];

/** Logs lines of JSON to standard error, so that standard output has only results. */
export function createLog(level: LogLevel): Log {
  const logger = pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
      serializers: { error: (error: unknown) => errorFacts(error, logger.isLevelEnabled('debug')) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
  return (entry) => {
    if (!logger.isLevelEnabled(entry.level)) return;
    const { level: at, message, ...facts } = entry;
    logger[at](facts, message);
  };
}

/** The code, message and causes of an error, and its stack at the debug level. */
function errorFacts(error: unknown, withStack: boolean): unknown {
  if (!(error instanceof Error)) return String(error);
  return {
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    ...(error.cause === undefined ? {} : { cause: errorFacts(error.cause, withStack) }),
    ...(withStack ? { stack: error.stack } : {}),
  };
}
