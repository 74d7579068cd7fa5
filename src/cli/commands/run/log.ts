import { isatty } from 'node:tty';
import { pino } from 'pino';
import { unknownVariableRemedy, type Config, type LogFormat, type LogLevel } from '../../../config/index.js';
import type { Log } from '../../../contract/index.js';
import { printable } from '../../terminal.js';

/** Fields whose values the log replaces, at any of the first three levels. */
const SECRET_FIELDS = ['token', 'tokens', 'apiTokenInstance', 'webhookUrlToken', 'authorization', 'password', 'apiKey'];

/** The log of a service, which first names the variables without an effect. Commands leave that to the doctor. */
export function openLog({
  logLevel,
  logFormat,
  unknownVariables,
}: Pick<Config, 'logLevel' | 'logFormat' | 'unknownVariables'>): Log {
  const log = createLog(logLevel, logFormat);
  for (const unknown of unknownVariables) {
    const message = `${unknown.name} is no variable of everpost and has no effect. ${unknownVariableRemedy(unknown)}`;
    log({ level: 'warn', message, variable: unknown.name });
  }
  return log;
}

/**
 * Logs to standard error, so that standard output has only results.
 * @param format  @default lines of JSON; text on a terminal
 */
export function createLog(level: LogLevel, format: LogFormat = isatty(2) ? 'text' : 'json'): Log {
  const output = pino.destination({ fd: 2, sync: true });
  const lineOf = format === 'text' ? readable : (line: string) => line;
  const logger = pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[secret]' },
      serializers: { error: (error: unknown) => errorFacts(error, logger.isLevelEnabled('debug')) },
    },
    { write: (line) => void output.write(`${printable(lineOf(line.trimEnd()))}\n`) },
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

/** A line of JSON as an operator reads it: `10:21:03.120 WARN  gateway failed  instance=main code=GATEWAY_BUSY`. */
export function readable(line: string): string {
  const { level, time, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const shown = Object.entries(facts).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const isPlain = typeof value !== 'string' || /^[^\s"=]+$/.test(text);
    return `${name}=${isPlain ? text : JSON.stringify(text)}`;
  });
  return [
    String(time).slice(11, 23),
    String(level).toUpperCase().padEnd(5),
    msg,
    ...(shown.length > 0 ? ['', ...shown] : []),
  ].join(' ');
}
