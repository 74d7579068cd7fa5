import { randomUUID } from 'node:crypto';
import type { EmbeddedDatabase } from '../../../src/ledger/storage/pglite-dialect.js';

/** Any value of a column that has to have one, by its type. */
const FILLERS: Readonly<Record<string, () => unknown>> = {
  json: () => ({}),
  'timestamp with time zone': () => new Date(0).toISOString(),
  uuid: () => randomUUID(),
  text: () => `any ${randomUUID()}`,
  integer: () => 1,
  bigint: () => 1,
  boolean: () => false,
  ARRAY: () => '{}',
};

/** The rows of every table, read and written without the ledger. */
export class RawRows {
  readonly #database: EmbeddedDatabase;

  constructor(database: EmbeddedDatabase) {
    this.#database = database;
  }

  async query<Row>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.#database.query(text, parameters)).rows as Row[];
  }

  /** Inserts a row without its foreign rows. Other required columns get any value. */
  async insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    const required = await this.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
      [table],
    );
    const filled = { ...Object.fromEntries(required.map(({ name, type }) => [name, FILLERS[type]?.()])), ...row };
    const values = Object.values(filled).map((value) =>
      typeof value === 'object' && !Buffer.isBuffer(value) ? JSON.stringify(value) : value,
    );
    const places = values.map((_, at) => `$${at + 1}`).join(', ');
    const names = Object.keys(filled).map((name) => `"${name}"`);
    await this.query('set session_replication_role = replica');
    await this.query(`insert into ${table} (${names.join(', ')}) values (${places})`, values);
    await this.query('set session_replication_role = origin');
  }

  /** Every row of the ledger that contains the word, as `table: JSON`. */
  async containing(word: string): Promise<string[]> {
    const tables = await this.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely_%'",
    );
    const found: string[] = [];
    for (const { name: table } of tables) {
      const rows = await this.query<{ row: string }>(
        `select row_to_json(t)::text as row from ${table} t where row_to_json(t)::text like $1`,
        [`%${word}%`],
      );
      found.push(...rows.map(({ row }) => `${table}: ${row}`));
    }
    return found;
  }
}
