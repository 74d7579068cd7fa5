import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { AppError } from '../contract/index.js';
import { statementName } from './statement-name.js';
import { storable } from './storable.js';

/** Long enough for a server across an ocean, short enough for a readiness check. */
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of ours takes a second; one that does waits for a lock that was not released. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** When not even the server's word that it took too long has come, the connection is dead without a sign. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** A worker that was frozen inside a transaction must not keep its rows locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;

/**
 * A pool of connections to PostgreSQL for Kysely.
 * @param maxConnections   per process
 * @param responseTimeoutMs  after which a connection that does not answer is given up; the system itself takes a
 *   quarter of an hour to notice, and a few such connections would be all that the pool has
 */
export function openPostgresPool(
  databaseUrl: string,
  maxConnections: number,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
): PostgresPool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    application_name: 'everpost',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  // Without a listener a broken connection ends the process. Its user gets the error from the query itself, and
  // the pool drops an idle one by itself: nothing is left to do here, for either kind.
  pool.on('error', ignoreBrokenConnection);
  pool.on('connect', (client) => client.on('error', ignoreBrokenConnection));
  return { connect: () => connect(pool, responseTimeoutMs), end: () => pool.end() };
}

function ignoreBrokenConnection(): void {
  // See openPostgresPool.
}

/** @throws AppError CONFIG_INVALID when the connection string cannot be read, which shows only here */
async function connect(pool: Pool, responseTimeoutMs: number): Promise<PostgresPoolClient> {
  try {
    return checkedOut(await pool.connect(), responseTimeoutMs);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL')) throw error;
    // The error itself holds the connection string, password included.
    throw new AppError(
      'CONFIG_INVALID',
      'DATABASE_URL cannot be read. Give it as postgres://user:password@host:5432/name.',
    );
  }
}

function checkedOut(client: PoolClient, responseTimeoutMs: number): PostgresPoolClient {
  let isReleased = false;
  const release = (isDead: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    client.release(isDead);
  };
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    // The pool breaks a dead connection off, and so the query ends as every query of a broken connection does.
    const timer = setTimeout(() => release(true), responseTimeoutMs);
    try {
      return await client.query({ name: statementName(text), text, values: parameters.map(storable) });
    } finally {
      clearTimeout(timer);
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => release(false) };
}
