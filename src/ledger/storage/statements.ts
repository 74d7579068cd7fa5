import { type RawBuilder, sql } from 'kysely';
import { wellFormed, wellFormedJson, present } from '../../contract/index.js';

/**
 * Makes a parameter storable in PostgreSQL, also inside an array: replaces characters that PostgreSQL rejects. JSON
 * goes through {@link jsonText} first, since its escapes hide the same characters.
 */
export function storable(parameter: unknown): unknown {
  if (typeof parameter === 'string') return wellFormed(parameter);
  return Array.isArray(parameter) ? parameter.map(storable) : parameter;
}

/** The only conversion of a value to JSON for a statement; test/ledger/storage/storable.test.ts enforces this. */
export function jsonText(value: unknown): string {
  return wellFormedJson(JSON.stringify(value) ?? 'null');
}

/** The time of a fact in a statement. @param when.at  an expression, if each row has its own time */
export function timeOf({ nowMs, at }: { readonly nowMs: number; readonly at?: RawBuilder<unknown> }) {
  return at ?? sql`${new Date(nowMs)}::timestamptz`;
}

export function isExpression(value: unknown): value is RawBuilder<unknown> {
  return typeof value === 'object' && value !== null && 'toOperationNode' in value;
}

/** A value that a fact brings, with the type of its column. */
export function columnValue(column: string, value: unknown): RawBuilder<unknown> {
  if (isExpression(value)) return value;
  return column.endsWith('_at') ? sql`${value}::timestamptz` : sql`${value}::text`;
}

const NAME = /^\/\* (\w+) \*\//;

/**
 * The name of a statement that begins with one, as in `/* claim_message *\/ update …`. A connection keeps the plan of
 * such a statement, since planning costs more than running it; the server's own lists show the name. Its text is always
 * the same, and it names the columns that it returns, so that a newer version's migration cannot change the result of
 * an old plan.
 */
export function statementName(text: string): string | undefined {
  return NAME.exec(text)?.[1];
}

/** A column's time in the contract's format. */
export function iso(at: Date | null): string | undefined {
  return at?.toISOString();
}

/** The same in SQL, for a column of a statement. */
export function isoTime(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The time since which something waits that cannot wait before `from`; ISO UTC. */
export function sinceOf(since: string | undefined, from: Date): string {
  return isoOfLater(from, since === undefined ? from : new Date(since));
}

/** The later of two times, ISO UTC. */
export function isoOfLater(one: Date, other: Date): string {
  return (one > other ? one : other).toISOString();
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type Json<Value> = Value extends Date ? string : Value;

/** A row as JSON: names in camel case, times in ISO UTC, and no field for a null column. */
export type Shown<Row> = {
  readonly [Column in keyof Row & string as null extends Row[Column] ? never : CamelCase<Column>]: Json<Row[Column]>;
} & {
  readonly [Column in keyof Row & string as null extends Row[Column] ? CamelCase<Column> : never]?: Json<
    NonNullable<Row[Column]>
  >;
};

/** These columns of a row as fields of a view. */
export function shown<Row extends object, Column extends keyof Row & string>(
  row: Row,
  ...columns: readonly Column[]
): Shown<Pick<Row, Column>> {
  const fields = columns.map((column) => {
    const [name, value] = [column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), row[column]];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return present(Object.fromEntries(fields)) as Shown<Pick<Row, Column>>;
}
