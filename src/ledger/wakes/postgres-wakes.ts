import { sql } from 'kysely';
import type { Store } from '../store.js';
import { Handlers } from './handlers.js';
import { WakeListener } from './wake-listener.js';
import type { Listening, WakeHandler, WakeLedger } from './wake-ledger.js';

/** The first goes out at once, and what comes within this time goes out together. */
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
