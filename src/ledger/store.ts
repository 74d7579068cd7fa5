import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../contract/index.js';
import { ledgerError } from './database-error.js';
import type { Schema } from './schema.js';

/** What statements are run on: the database itself or a transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** The one way to the database: whatever it throws leaves here as our own error. */
export class Store {
  readonly #db: Db;
  #closed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Statements that stand each for itself. */
  run<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#guarded(() => work(this.#db));
  }

  /** All or nothing. With the embedded database everything else waits until it ends: keep it short. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#guarded(() => this.#db.transaction().execute(work));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#db.destroy();
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) {
      throw new AppError('LEDGER_UNAVAILABLE', 'Ledger unavailable: it was closed in this process. Start it again.');
    }
    try {
      return await work();
    } catch (error) {
      throw ledgerError(error);
    }
  }
}
