import { Pool, type Dispatcher } from 'undici';

/**
 * A request whose response is lost holds its connection until nothing listens any more, so there are spare ones.
 */
const CONNECTIONS_PER_ORIGIN = 64;

export interface Connections {
  to(origin: string): Dispatcher;
  /** Ends every connection and whatever is under way on it. */
  close(): Promise<void>;
}

/**
 * Kept-alive connections, a pool per origin, one request at a time on each: with pipelining, one lost response would
 * make the ones behind it unknown as well.
 */
export function createConnections(connectTimeoutMs: number): Connections {
  const pools = new Map<string, Pool>();
  let closed = false;
  return {
    to(origin) {
      const known = pools.get(origin);
      if (known !== undefined) return known;
      const pool = new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        allowH2: false,
        connectTimeout: connectTimeoutMs,
      });
      // A pool made after close is closed at once: its requests end as not sent.
      if (closed) void pool.destroy();
      pools.set(origin, pool);
      return pool;
    },
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
