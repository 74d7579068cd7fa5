import { present } from '../contract/index.js';

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
  const fields = columns.map((column) => [camelCase(column), jsonValue(row[column])]);
  return present(Object.fromEntries(fields)) as Shown<Pick<Row, Column>>;
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function jsonValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
