type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type Shown<Value> = Value extends Date ? string : Value;

type OptionalColumns<Row, Column extends keyof Row> = {
  [Name in Column]: null extends Row[Name] ? Name : never;
}[Column];

type View<Row, Column extends keyof Row & string, Optional extends Column = OptionalColumns<Row, Column>> = {
  readonly [Name in Exclude<Column, Optional> as CamelCase<Name>]: Shown<Row[Name]>;
} & { readonly [Name in Optional as CamelCase<Name>]?: Shown<NonNullable<Row[Name]>> };

/** Columns of a row as views show them: names in camel case, times in ISO UTC, and none that is null. */
export function viewOf<Row, const Column extends keyof Row & string>(
  row: Row,
  ...columns: readonly Column[]
): View<Row, Column> {
  const shown = columns.flatMap((column) => {
    const value: unknown = row[column];
    if (value === null || value === undefined) return [];
    return [[camelCase(column), value instanceof Date ? value.toISOString() : value] as const];
  });
  return Object.fromEntries(shown) as View<Row, Column>;
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
