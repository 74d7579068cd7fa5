import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { PreparedStatements, type EmbeddedProtocol } from './pglite-prepared.js';
import { statementName } from './statement-name.js';
import { storable } from './storable.js';

/** The part of PGlite that is used, so that a newer one that still has it fits. */
export interface EmbeddedDatabase extends EmbeddedProtocol {
  query(sql: string, parameters: unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>;
  close(): Promise<void>;
}

/** Kysely over an embedded PostgreSQL. It has one connection, so its holder keeps the others waiting, in order. */
export class PGliteDialect implements Dialect {
  readonly #database: EmbeddedDatabase;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
  }

  createDriver(): Driver {
    return new PGliteDriver(this.#database);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

class PGliteDriver implements Driver {
  readonly #database: EmbeddedDatabase;
  readonly #connection: DatabaseConnection;
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
    this.#connection = new PGliteConnection(database);
  }

  async init(): Promise<void> {
    // The database is open before the dialect is made.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    // The database works on this thread and settles its promises at once: a loop of transactions would keep timers and
    // sockets waiting until its end.
    await turnOfEventLoop();
    const next = this.#waiting.shift();
    // Handed over without being free in between: no caller overtakes those that wait.
    if (next === undefined) this.#taken = false;
    else next();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#database.close();
  }
}

class PGliteConnection implements DatabaseConnection {
  readonly #database: EmbeddedDatabase;
  readonly #prepared: PreparedStatements;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
    this.#prepared = new PreparedStatements(database);
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = statementName(sql);
    const values = parameters.map(storable);
    const response = await (name === undefined
      ? this.#database.query(sql, values)
      : this.#prepared.execute(name, sql, values));
    const rows = response.rows as Row[];
    return response.affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(response.affectedRows) };
  }

  streamQuery(): never {
    throw new Error('The embedded ledger does not stream.');
  }
}
