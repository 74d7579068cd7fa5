import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { AppError, codeOf } from '../../contract/index.js';
import { OF_THE_CONNECTION } from './database-error.js';
import { statementName, storable } from './statements.js';

/** Long enough for a server across an ocean, short enough for a readiness check. */
const CONNECT_TIMEOUT_MS = 5_000;
/** No statement takes a second; a slower one waits for a lock that was not released. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** PostgreSQL's `query_canceled`. */
const TOOK_TOO_LONG = '57014';
/** If not even the server's timeout error has arrived, the connection is dead without a sign. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** A worker that was frozen inside a transaction must not keep its rows locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000;
const LIMITS: Readonly<Record<'statement_timeout' | 'idle_in_transaction_session_timeout', number>> = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/**
 * A plan for a nearly empty table scans the whole table. It stays in use until the server analyzes the table, also
 * after the table has grown. Each lifetime of a connection's plans is twice the one before, since planning takes a
 * quarter of the server's time if it is repeated every ten seconds; after a minute the server has analyzed what grew.
 */
const PLAN_LIFETIME_MS = 10_000;
const LONGEST_PLAN_LIFETIME_MS = 60_000;
/** Every statement is short, and compiling one costs the server up to a second of processor time. */
const WITHOUT_JIT = '-c jit=off';

/** Each new connection plans all its statements, for the first lifetime again. */
const IDLE_CONNECTION_MS = 10 * 60_000;

export interface PoolTimes {
  /**
   * After this time a connection that does not answer is closed. The operating system takes a quarter of an hour to
   * notice, and a few such connections would exhaust the pool.
   */
  readonly responseTimeoutMs?: number;
  /** After this time a new connection plans its prepared statements again, for the current size of the tables. */
  readonly planLifetimeMs?: number;
  /** The server's own time limits, in milliseconds; 0 is none. */
  readonly limits?: typeof LIMITS;
}

/** One connection, without time limits: a migration of a large table takes as long as it takes. */
export function openMigrationPool(databaseUrl: string): PostgresPool {
  const limits = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return openPostgresPool(databaseUrl, 1, { responseTimeoutMs: LONGEST_TIMER_MS, limits });
}

/**
 * A pool of connections to PostgreSQL for Kysely.
 * @param maxConnections  per process
 */
export function openPostgresPool(
  databaseUrl: string,
  maxConnections: number,
  { responseTimeoutMs = RESPONSE_TIMEOUT_MS, planLifetimeMs = PLAN_LIFETIME_MS, limits = LIMITS }: PoolTimes = {},
): PostgresPool {
  const pool = barePool(databaseUrl, maxConnections, limits);
  const plans = new WeakMap<PoolClient, { readonly expireAtMs: number; readonly lifetimeMs: number }>();
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await idleClient(pool);
    const connection = checkedOut(client, responseTimeoutMs, () =>
      plans.set(client, { expireAtMs: -Infinity, lifetimeMs: planLifetimeMs / 2 }),
    );
    const nowMs = performance.now();
    const former = plans.get(client);
    if (former !== undefined && nowMs < former.expireAtMs) return connection;
    if (former !== undefined) await connection.discardPlans();
    const lifetimeMs =
      former === undefined ? planLifetimeMs : Math.min(LONGEST_PLAN_LIFETIME_MS, former.lifetimeMs * 2);
    plans.set(client, { expireAtMs: nowMs + lifetimeMs, lifetimeMs });
    return connection;
  };
  return { connect, end: () => pool.end() };
}

/** The pool of the driver, with the settings of every connection of everpost. */
export function barePool(databaseUrl: string, maxConnections: number, limits = LIMITS): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    application_name: 'everpost',
    options: WITHOUT_JIT,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    ...limits,
  });
  // Without a listener a broken connection ends the process. A caller gets the error from its query, and the pool drops
  // an idle connection, so the listener does nothing.
  pool.on('error', ignoreBrokenConnection);
  pool.on('connect', (client) => client.on('error', ignoreBrokenConnection));
  return pool;
}

function ignoreBrokenConnection(): void {
  // See barePool.
}

/** @throws AppError CONFIG_INVALID if the connection string cannot be parsed, which is detected only here */
export async function idleClient(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (codeOf(error) !== 'ERR_INVALID_URL') throw error;
    // The error itself contains the connection string with its password.
    throw new AppError(
      'CONFIG_INVALID',
      'DATABASE_URL cannot be parsed. Use this form: postgres://user:password@host:5432/name',
    );
  }
}

/**
 * @param tookTooLong  called when the server cancelled a statement: its plan may date from when a table was small
 * @returns `discardPlans`: makes the server plan each prepared statement again at its next use; on an error the connection
 *   is closed
 */
function checkedOut(
  client: PoolClient,
  responseTimeoutMs: number,
  tookTooLong: () => void,
): PostgresPoolClient & { discardPlans(): Promise<void> } {
  let isReleased = false;
  let isUseless = false;
  const release = (isDead: boolean): void => {
    if (isReleased) return;
    isReleased = true;
    client.release(isDead);
  };
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    // The pool closes a dead connection, and the query fails like every query of a broken connection.
    const timer = setTimeout(() => release(true), responseTimeoutMs);
    try {
      return await client.query({ name: statementName(text), text, values: parameters.map(storable) });
    } catch (error) {
      if (codeOf(error) === TOOK_TOO_LONG) tookTooLong();
      // After the rollback, so that the caller gets this error.
      if (OF_THE_CONNECTION.has(codeOf(error))) isUseless = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  const discardPlans = async (): Promise<void> => {
    try {
      await query('discard plans', []);
    } catch (error) {
      release(true);
      throw error;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => release(isUseless), discardPlans };
}
