import { AppError, codeOf } from '../../contract/index.js';

/**
 * Codes after which the same call may be retried: the store was unreachable or stopping, or chose our transaction as a
 * deadlock victim. SQLSTATE and Node's network codes together, since callers treat them alike.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  '08000': 'the connection failed',
  '08001': 'the connection could not be made',
  '08003': 'the connection does not exist',
  '08004': 'the server refused the connection',
  '08006': 'the connection broke',
  '08P01': 'the connection does not speak the protocol any more',
  '0A000': 'the connection has plans from before a change of the tables',
  '25006': 'the server takes no writes: it is a standby, or became one',
  '25P03': 'a transaction was idle for too long',
  '26000': 'the connection lost its prepared statements, e.g. in a pooler',
  '28000': 'the server does not allow this user',
  '28P01': 'the password is wrong',
  '3D000': 'the database does not exist',
  '40001': 'a concurrent change was first',
  '40P01': 'two transactions waited for each other',
  '53100': 'the disk is full',
  '53200': 'the server is out of memory',
  '53300': 'the server has too many connections: raise its max_connections, or run fewer processes',
  '55P03': 'a lock was not free in time',
  '57014': 'the statement timed out',
  '57P01': 'an administrator stopped the server',
  '57P02': 'the server crashed',
  '57P03': 'the server is starting or stopping',
  '57P05': 'the connection was idle for too long',
  '58000': 'the system failed below the server',
  '58030': 'reading or writing the disk failed',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNREFUSED: 'no server listens there',
  ECONNRESET: 'the connection broke',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is unknown',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'the connection timed out',
};

/**
 * Codes that a connection repeats until it is closed. A new one may reach the server that is the primary now.
 */
export const OF_THE_CONNECTION: ReadonlySet<unknown> = new Set(['08P01', '0A000', '25006', '26000']);

/** Errors of drivers that have no code. */
const UNAVAILABLE_WORDS: readonly RegExp[] = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Client (has encountered a connection error|was closed)/,
  /^Cannot use a pool after calling end/,
  /^driver has already been destroyed/,
  /^PGlite is clos(ed|ing)/,
];

const UNIQUE_VIOLATION = '23505';

/** Converts a driver's error to our own error, without the contents of rows that drivers add. */
export function ledgerError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : '';
  const reason = code === undefined ? undefined : UNAVAILABLE[code];
  if (reason !== undefined || UNAVAILABLE_WORDS.some((pattern) => pattern.test(words))) {
    return new AppError(
      'LEDGER_UNAVAILABLE',
      `Ledger unavailable (${code ?? 'connection lost'}): ${reason ?? 'the connection broke'}. ` +
        'Check that the database of DATABASE_URL is reachable or, without one, that the data directory (--data-dir, ' +
        'EVERPOST_DATA_DIR) is writable: everpost doctor. Then retry.',
      { cause: withoutContents(error) },
    );
  }
  return new AppError(
    'INTERNAL',
    `The ledger failed (${code ?? 'no code'}): this is a bug, not your input. Report it with the log's cause.`,
    { cause: withoutContents(error) },
  );
}

/** The name of the violated index or constraint, if a row already existed. */
export function violatedUnique(error: unknown): string | undefined {
  if (codeOf(error) !== UNIQUE_VIOLATION || !(error instanceof Error && 'constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

/** Fields of a driver's error that contain only our names, never values of a row. */
const NAMING_FIELDS = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

/**
 * A driver's error may carry the statement's parameters and whole rows (`detail`, `params`, and in data exceptions the
 * message itself): phone numbers and texts. Only loggable fields are copied.
 */
function withoutContents(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error || 'params' in error)) return error;
  const fields: Record<string, unknown> = {};
  for (const name of NAMING_FIELDS) {
    const value: unknown = Reflect.get(error, name);
    if (value !== undefined) fields[name] = value;
  }
  const isDataException = codeOf(error)?.startsWith('22') ?? false;
  const copy = Object.assign(new Error(isDataException ? 'a value was rejected' : error.message), fields);
  const trace = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  copy.stack = [`${copy.name}: ${copy.message}`, ...(trace ?? [])].join('\n');
  return copy;
}
