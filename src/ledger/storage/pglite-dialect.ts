import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { parse, type PGlite, protocol } from '@electric-sql/pglite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { statementName, storable } from './statements.js';

/** The used part of PGlite's interface, so that newer versions with the same part fit. */
export interface EmbeddedDatabase extends EmbeddedProtocol {
  query(sql: string, parameters: unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>;
  /** The statements that it has prepared for an earlier connection. @default none */
  readonly prepared?: Map<string, PreparedStatement>;
  close(): Promise<void>;
}

/** Kysely over an embedded PostgreSQL. It has one connection; callers wait for it in order. */
export function pgliteDialect(database: EmbeddedDatabase): Dialect {
  return {
    createDriver: () => new PGliteDriver(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
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
    // The database is open before the dialect is created.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    // The database runs on this thread and settles its promises at once, so a loop of transactions would block timers
    // and sockets until its end.
    await turnOfEventLoop();
    const next = this.#waiting.shift();
    // Passed on directly, so that no caller overtakes waiting ones.
    if (next === undefined) this.#taken = false;
    else next();
  }

  readonly beginTransaction = executing('begin');
  readonly commitTransaction = executing('commit');
  readonly rollbackTransaction = executing('rollback');

  async destroy(): Promise<void> {
    await this.#database.close();
  }
}

function executing(statement: string) {
  return async (connection: DatabaseConnection): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(statement));
  };
}

const { serialize } = protocol;

/** The used part of PGlite's wire protocol. */
type EmbeddedProtocol = Pick<PGlite, 'execProtocolStream' | 'serializers' | 'parsers'>;

/** Statements that read and write rows, and those of a transaction; statements that change tables run only once. */
const KEEPS_A_PLAN = /^\s*(?:\/\* \w+ \*\/\s*)?(?:select|insert|update|delete|with|begin|commit|rollback)\b/;
/** More than the ledger's number of statements. Statements whose text depends on a request are evicted first. */
const MOST_PREPARED = 500;

export interface PreparedStatement {
  readonly name: string;
  /** The types of its parameters. */
  readonly types: readonly number[];
}

/** The statements without a name, counted by process. */
let unnamed = 0;

/**
 * Keeps prepared statements by name. PGlite's own `query` plans each statement again, which takes three times as long
 * as most of them run. The driver passes it to one caller at a time.
 */
class PGliteConnection implements DatabaseConnection {
  readonly #database: EmbeddedDatabase;
  /** By text; the last used statement is at the end. */
  readonly #statements: Map<string, PreparedStatement>;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
    this.#statements = database.prepared ?? new Map();
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map(storable);
    const response = await (KEEPS_A_PLAN.test(sql) ? this.#execute(sql, values) : this.#database.query(sql, values));
    const rows = response.rows as Row[];
    return response.affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(response.affectedRows) };
  }

  streamQuery(): never {
    throw new Error('The embedded ledger does not support streaming.');
  }

  async #execute(text: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }> {
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
    unnamed += 1;
    const name = statementName(text) ?? `statement_${unnamed}`;
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

  /** Sent as one batch up to the final sync, also after an error. */
  #send(...messages: Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]));
  }
}
