import { Client } from 'pg';
import { AppError, type Secret } from '../contract/index.js';

const CONNECT_WITHIN_MS = 10_000;
/** The time limit of one statement, which reads the first or the next rows. */
const STATEMENT_WITHIN_MS = 5 * 60_000;
const ROWS_AT_ONCE = 1_000;
/** The longest error text that is shown. A longer text of the server may contain rows. */
const MAX_WORDS = 300;

/**
 * Reads the rows of a query as NDJSON without null columns, in a read-only transaction. A cursor accepts only one
 * query. Errors have the text of the server or the code of the connection failure, never the connection string.
 * @throws AppError SCHEDULE_RUN_FAILED
 */
export async function* openQuery(connection: Secret, query: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const client = await connect(connection);
  const breakOff = () => void client.end();
  signal.addEventListener('abort', breakOff, { once: true });
  try {
    await client.query('begin read only');
    // In the extended protocol PostgreSQL accepts only one statement.
    await client.query({ text: `declare everpost_recipients no scroll cursor for ${query}`, queryMode: 'extended' } as {
      text: string;
    });
    for (;;) {
      const { rows } = await client.query<Record<string, unknown>>(`fetch ${ROWS_AT_ONCE} from everpost_recipients`);
      if (rows.length === 0) break;
      yield Buffer.from(rows.map((row) => `${JSON.stringify(fieldsOf(row))}\n`).join(''));
    }
    await client.query('rollback');
  } catch (error) {
    throw failed(error);
  } finally {
    signal.removeEventListener('abort', breakOff);
    await client.end();
  }
}

async function connect(connection: Secret): Promise<Client> {
  const options = {
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    application_name: 'everpost recipients',
    options: '-c default_transaction_read_only=on',
  };
  let client;
  try {
    client = new Client({ ...options, connectionString: connection.reveal() });
  } catch {
    // The error itself contains the connection string.
    throw new AppError('SCHEDULE_RUN_FAILED', 'The connection string of the recipients cannot be read.');
  }
  // A broken connection fails the query. Without a listener the event would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw failed(error);
  }
  return client;
}

/** Converts numbers, booleans and times to strings, and omits null columns. */
function fieldsOf(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).flatMap(([name, value]) => fieldOf(name, value)));
}

function fieldOf(name: string, value: unknown): [string, unknown][] {
  if (value === null || value === undefined) return [];
  if (value instanceof Date) return [[name, value.toISOString()]];
  return typeof value === 'object' ? [[name, JSON.stringify(value)]] : [[name, value]];
}

function failed(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection';
  // Errors of PostgreSQL have a severity. Other errors may name the host and the user.
  const words = error instanceof Error && 'severity' in error ? `: ${error.message.slice(0, MAX_WORDS)}` : '';
  return new AppError('SCHEDULE_RUN_FAILED', `The query for the recipients failed (${code})${words}`);
}
