import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { parse, type PGlite, protocol } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { statementName, storable } from './statements.js';

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

const { serialize } = protocol;

/** The part of PGlite's wire protocol that is used. */
type EmbeddedProtocol = Pick<PGlite, 'execProtocolStream' | 'serializers' | 'parsers'>;

/**
 * Statements that an embedded database has planned once and keeps by their names. PGlite's own `query` plans each
 * again.
 */
class PreparedStatements {
  readonly #database: EmbeddedProtocol;
  /** The types of its parameters, by its text. */
  readonly #types = new Map<string, readonly number[]>();

  constructor(database: EmbeddedProtocol) {
    this.#database = database;
  }

  /** Nothing else may use the database meanwhile. */
  async execute(
    name: string,
    text: string,
    parameters: readonly unknown[],
  ): Promise<{ rows: unknown[]; affectedRows?: number }> {
    const types = this.#types.get(text) ?? (await this.#prepare(name, text));
    const values = parameters.map((parameter, at) => this.#asText(parameter, types[at]));
    const messages = await this.#send(
      serialize.bind({ statement: name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
    );
    const [result] = parse.parseResults(messages, this.#database.parsers);
    return result ?? { rows: [] };
  }

  async #prepare(name: string, text: string): Promise<readonly number[]> {
    const messages = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const types = parse.parseDescribeStatementResults(messages);
    this.#types.set(text, types);
    return types;
  }

  #asText(parameter: unknown, type: number | undefined): string | null {
    if (parameter === null || parameter === undefined) return null;
    const serializer = type === undefined ? undefined : this.#database.serializers[type];
    if (serializer !== undefined) return serializer(parameter);
    return typeof parameter === 'string' ? parameter : JSON.stringify(parameter);
  }

  /** All in one go, up to the sync that ends it, after an error too. */
  #send(...messages: Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]));
  }
}
