/**
 * What everpost needs of the server of DATABASE_URL. Every process that opens or migrates the ledger checks it first.
 *
 * SERVER-1 The server is PostgreSQL 15 or newer. The tests run on the oldest and the newest version.
 * SERVER-2 A connection is a session of the server. A pooler that lends its connections for a transaction delivers no
 *    wakes, and runs a prepared statement on a connection that does not have it.
 * SERVER-3 The server ends a transaction that a frozen process holds. A pooler may drop the settings that say so.
 */
import type { PoolClient } from 'pg';
import { AppError, codeOf } from '../../contract/index.js';
import { barePool, idleClient } from './postgres-pool.js';

/** As `server_version_num`. Older versions are no longer maintained. */
const OLDEST_VERSION = 150_000;
/** A session gets its own notification within milliseconds. */
const HEARD_WITHIN_MS = 2_000;
const CHANNEL = 'everpost_session';
/** PostgreSQL's `protocol_violation`, with which PgBouncer rejects a setting of a new connection. */
const REJECTED = '08P01';

const DIRECTLY = 'Name PostgreSQL itself in DATABASE_URL, at its own port';
const SETTINGS = 'statement_timeout and idle_in_transaction_session_timeout';

/**
 * @param options.oldest  @default 150000, PostgreSQL 15
 * @throws AppError CONFIG_INVALID; the driver's error if the server cannot be reached
 */
export async function checkServer(databaseUrl: string, { oldest = OLDEST_VERSION } = {}): Promise<void> {
  const pool = barePool(databaseUrl, 2);
  try {
    const session = await idleClient(pool);
    try {
      const { rows } = await session.query<{ version: number; name: string; pid: number; limited: boolean }>(`
        select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
          pg_backend_pid() as pid,
          current_setting('statement_timeout') <> '0' and current_setting('idle_in_transaction_session_timeout') <> '0' as limited`);
      const { version, name, pid, limited } = rows[0]!;
      if (version < oldest) {
        const needed = `${oldest / 10_000} or newer. Upgrade the server (pg_upgrade)`;
        throw unsuitable(`its server is PostgreSQL ${name}, and everpost needs ${needed}`);
      }
      // A pooler gives its clients ids of its own.
      if (pid === Reflect.get(session, 'processID')) return;
      // SERVER-3.
      if (!limited) throw unsuitable(`a connection pooler ignores ${SETTINGS}. ${DIRECTLY}, or set both for its role`);
      const other = await idleClient(pool);
      const isSession = await hears(session, other).finally(() => other.release());
      if (!isSession) throw unsuitable(`a connection pooler shares its connections between transactions. ${DIRECTLY}`);
    } finally {
      session.release();
    }
  } catch (error) {
    if (codeOf(error) !== REJECTED) throw error;
    throw unsuitable(`a connection pooler rejects ${SETTINGS}. ${DIRECTLY}`);
  } finally {
    await pool.end();
  }
}

/** SERVER-2: whether a session that listens gets what another one announces. */
async function hears(session: PoolClient, other: PoolClient): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await session.query(`listen ${CHANNEL}`);
    const isHeard = new Promise<boolean>((resolve) => {
      session.once('notification', () => resolve(true));
      timer = setTimeout(() => resolve(false), HEARD_WITHIN_MS);
    });
    await other.query(`notify ${CHANNEL}`);
    return await isHeard;
  } finally {
    clearTimeout(timer);
  }
}

function unsuitable(why: string): AppError {
  const message = `DATABASE_URL cannot be used: ${why}. See docs/scale.md.`;
  return new AppError('CONFIG_INVALID', message, { problems: [{ path: 'DATABASE_URL', message: why }] });
}
