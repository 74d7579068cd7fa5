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
    const values = parameters.map(storable);
    const response = await (KEEPS_A_PLAN.test(sql)
      ? this.#prepared.execute(sql, values)
      : this.#database.query(sql, values));
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

/** Statements that read and write rows, and those of a transaction; what changes tables is run once. */
const KEEPS_A_PLAN = /^\s*(?:\/\* \w+ \*\/\s*)?(?:select|insert|update|delete|with|begin|commit|rollback)\b/;
/** More than the ledger has; those whose text depends on a request go first. */
const MOST_PREPARED = 500;

interface PreparedStatement {
  readonly name: string;
  /** The types of its parameters. */
  readonly types: readonly number[];
}

/**
 * Statements that an embedded database has planned once and keeps by their names. PGlite's own `query` plans each
 * again, which costs three times what most of them do.
 */
class PreparedStatements {
  readonly #database: EmbeddedProtocol;
  /** By their text, the one that was used last at the end. */
  readonly #statements = new Map<string, PreparedStatement>();
  #made = 0;

  constructor(database: EmbeddedProtocol) {
    this.#database = database;
  }

  /** Nothing else may use the database meanwhile. */
  async execute(text: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }> {
    const statement = this.#statements.get(text) ?? (await this.#prepare(text));
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    const values = parameters.map((parameter, at) => this.#asText(parameter, statement.types[at]));
    const messages = await this.#send(
      serialize.bind({ statement: statement.name, values }),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
    );
    const [result] = parse.parseResults(messages, this.#database.parsers);
    return result ?? { rows: [] };
  }

  async #prepare(text: string): Promise<PreparedStatement> {
    this.#made += 1;
    const name = statementName(text) ?? `statement_${this.#made}`;
    const messages = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }));
    const [oldest] = this.#statements;
    if (oldest !== undefined && this.#statements.size >= MOST_PREPARED) {
      this.#statements.delete(oldest[0]);
      await this.#send(serialize.close({ type: 'S', name: oldest[1].name }));
    }
    return { name, types: parse.parseDescribeStatementResults(messages) };
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
