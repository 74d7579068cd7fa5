import { sql } from 'kysely';
import { Client } from 'pg';
import type { Store } from '../storage/store.js';
import { Handlers, type Listening, type WakeHandler, type WakeLedger } from './wakes.js';

/** The first wake is sent at once; wakes within this time are sent together. */
const TOGETHER_MS = 5;

/** Over `notify` and `listen` of PostgreSQL. */
export class PostgresWakes implements WakeLedger {
  readonly #store: Store;
  readonly #databaseUrl: string;
  readonly #handlers = new Handlers();
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
    this.#listener ??= new WakeListener(this.#databaseUrl, (instance) => this.#handlers.call(instance));
    return this.#handlers.add(handler, () => {
      if (this.#handlers.size === 0) this.#stopListening();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#announced.clear();
    clearTimeout(this.#pause);
    this.#handlers.clear();
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
      await this.#store.run((db) =>
        sql`/* announce_wakes */ select pg_notify('everpost_wakes', instance) from unnest(${instances}::text[]) as instance`.execute(
          db,
        ),
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
export class WakeListener {
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
