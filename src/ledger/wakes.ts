import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Store } from './storage/store.js';

/** Used in place of an instance's name when events were recorded. No instance has this name. */
export const EVENTS_WAKE = '* events';

/**
 * Announces between the processes of a ledger that something may be due for an instance.
 *
 * WAKE-1 Write, then announce: rows are committed before their announcement, so that a dispatcher that gets it finds
 *    them. Announcements inside the writing transaction would serialise the commits of all such transactions.
 * WAKE-2 An announcement may be lost, or delivered more than once; it contains only the instance's name. A sweeper
 *    replaces lost ones.
 */
export interface WakeLedger {
  /** Never throws, and nothing waits for it. Announcements that arrive together are sent together. */
  announce(instance: string): void;
  /**
   * Calls the handler with each announced instance, of this process or another one, until it is closed. Reconnects when
   * the connection is lost.
   */
  listen(handler: WakeHandler): Listening;
}

type WakeHandler = (instance: string) => void;

interface Listening {
  close(): void;
}

const ANNOUNCED = 'announced';

/** @returns a listening that may be closed more than once; the same handler may listen twice */
function listenTo(emitter: EventEmitter, handler: WakeHandler, onClosed: () => void = () => undefined): Listening {
  const own = (instance: string): void => handler(instance);
  emitter.on(ANNOUNCED, own);
  return {
    close: () => {
      emitter.off(ANNOUNCED, own);
      onClosed();
    },
  };
}

/** For an embedded ledger, which only one process uses. */
export class ProcessWakes implements WakeLedger {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #announced = new Set<string>();

  announce(instance: string): void {
    // Not in the caller's stack: an error of a handler must not fail the announcement.
    if (this.#announced.size === 0) setImmediate(() => this.#callHandlers());
    this.#announced.add(instance);
  }

  listen(handler: WakeHandler): Listening {
    return listenTo(this.#emitter, handler);
  }

  close(): void {
    this.#emitter.removeAllListeners();
  }

  #callHandlers(): void {
    const announced = this.#announced;
    this.#announced = new Set();
    for (const instance of announced) this.#emitter.emit(ANNOUNCED, instance);
  }
}

/** The first wake is sent at once; wakes within this time are sent together. */
const TOGETHER_MS = 5;

/** Over `notify` and `listen` of PostgreSQL. */
export class PostgresWakes implements WakeLedger {
  readonly #store: Store;
  readonly #databaseUrl: string;
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  #listener: WakeListener | undefined;
  #announced = new Set<string>();
  #pause: NodeJS.Timeout | undefined;
  #isAnnouncing = false;
  #isClosed = false;

  constructor(store: Store, databaseUrl: string) {
    this.#store = store;
    this.#databaseUrl = databaseUrl;
  }

  announce(instance: string): void {
    if (this.#isClosed) return;
    this.#announced.add(instance);
    if (!this.#isAnnouncing) void this.#notify();
  }

  listen(handler: WakeHandler): Listening {
    this.#listener ??= new WakeListener(this.#databaseUrl, (instance) => this.#emitter.emit(ANNOUNCED, instance));
    return listenTo(this.#emitter, handler, () => {
      if (this.#emitter.listenerCount(ANNOUNCED) === 0) this.#stopListening();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#announced.clear();
    clearTimeout(this.#pause);
    this.#emitter.removeAllListeners();
    this.#stopListening();
  }

  #stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  async #notify(): Promise<void> {
    this.#isAnnouncing = true;
    const instances = [...this.#announced];
    this.#announced.clear();
    try {
      await this.#store.rows(
        sql`/* announce_wakes */ select pg_notify('everpost_wakes', instance) from unnest(${instances}::text[]) as instance`,
      );
    } catch {
      // WAKE-2: the sweeper wakes these instances.
    }
    if (this.#isClosed) return;
    this.#pause = setTimeout(() => {
      this.#isAnnouncing = false;
      if (this.#announced.size > 0) void this.#notify();
    }, TOGETHER_MS);
  }
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A query detects a connection that is dead without an error. */
const PROBE_EVERY_MS = 15_000;
const PROBE_TIMEOUT_MS = 5_000;
const RECONNECT_FROM_MS = 100;
const RECONNECT_UP_TO_MS = 5_000;

/** One listening connection, which is reopened whenever it is lost. */
class WakeListener {
  readonly #databaseUrl: string;
  readonly #heard: (instance: string) => void;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(databaseUrl: string, heard: (instance: string) => void) {
    this.#databaseUrl = databaseUrl;
    this.#heard = heard;
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    end(this.#client);
    this.#client = undefined;
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'everpost wakes',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    this.#client = client;
    // Without a listener for errors a broken connection ends the process.
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload = '' }) => this.#heard(payload));
    try {
      await client.connect();
      await client.query('listen everpost_wakes');
      this.#failures = 0;
      this.#probeLater(client);
    } catch {
      this.#lost(client);
    }
  }

  #probeLater(client: Client): void {
    if (client !== this.#client) return;
    this.#timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.#probeLater(client),
        () => this.#lost(client),
      );
    }, PROBE_EVERY_MS);
    this.#timer.unref();
  }

  /** Announcements until the next connection listens are lost (WAKE-2). */
  #lost(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    end(client);
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const longestMs = Math.min(RECONNECT_FROM_MS * 2 ** this.#failures, RECONNECT_UP_TO_MS);
    this.#failures += 1;
    // Spread, so that processes that lost the same server do not reconnect at the same time.
    this.#timer = setTimeout(() => void this.#connect(), longestMs * (0.5 + Math.random() / 2));
    this.#timer.unref();
  }
}

function end(client: Client | undefined): void {
  client?.end().catch(() => undefined);
}
