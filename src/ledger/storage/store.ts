import type { Kysely, RawBuilder, Transaction } from 'kysely';
import { AppError, codeOf, type AtRest } from '../../contract/index.js';
import type { Schema } from './schema.js';
import { ledgerError } from './database-error.js';

/** Statements run on the database itself or in a transaction. */
export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** The only access to the database: its errors are converted to our own. */
export class Store {
  readonly #db: Db;
  #closed = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /** For single statements without a transaction. */
  run<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.#guarded(() => work(this.#db));
  }

  /** The rows of one statement. An undefined parameter is null. */
  rows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return this.run(async (db) => (await statement.execute(db)).rows);
  }

  /** The first row of one statement. */
  async row<Row>(statement: RawBuilder<Row>): Promise<Row | undefined> {
    const [row] = await this.rows(statement);
    return row;
  }

  /** All or nothing. With the embedded database all other work waits until the end, so keep it short. */
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
      throw new AppError(
        'LEDGER_UNAVAILABLE',
        'Ledger unavailable: it was closed in this process. Start everpost again.',
      );
    }
    try {
      return await work();
    } catch (error) {
      throw ledgerError(error);
    }
  }
}

/** The row of a statement that always has exactly one, such as a count or an insert without a conflict. */
export async function onlyRow<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row> {
  const { rows } = await statement.execute(db);
  return rows[0] as Row;
}

/** The statements of one subject; each is a property of the ledger. */
export abstract class LedgerPart {
  protected readonly database: Store;

  constructor(store: Store) {
    this.database = store;
  }

  /** A method that does no more than this, without a transaction. */
  protected statement<Given extends readonly unknown[], Result>(run: (db: Db, ...given: Given) => Promise<Result>) {
    return (...given: Given): Promise<Result> => this.database.run((db) => run(db, ...given));
  }
}

/** A part with sealed columns. */
export abstract class SealingPart extends LedgerPart {
  protected readonly atRest: AtRest;

  constructor(store: Store, atRest: AtRest) {
    super(store);
    this.atRest = atRest;
  }
}

/** The store rolled this transaction back in favour of another one. */
const GAVE_WAY: ReadonlySet<unknown> = new Set(['40P01', '40001']);
/** How often work begins that the store rolled back in favour of another transaction. */
export const TRIES = 5;

/** Repeats a transaction that the store rolled back in favour of another one. */
export async function retryingTransaction<Result>(store: Store, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.transaction(work);
    } catch (error) {
      if (tries === TRIES || !gaveWay(error)) throw error;
    }
  }
}

export function gaveWay(error: unknown): boolean {
  return error instanceof AppError && GAVE_WAY.has(codeOf(error.cause));
}

/** How many rows are deleted in one statement, so that other statements run in between. */
const AT_ONCE = 1_000;

/**
 * @param forget  deletes at most `limit` old rows. @returns how many
 * @returns how many were deleted, once nothing old is left
 */
export async function forgetInParts(forget: (limit: number) => Promise<number>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const deleted = await forget(AT_ONCE);
    forgotten += deleted;
    if (deleted < AT_ONCE) return forgotten;
  }
}
