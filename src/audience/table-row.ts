/** A row of a table, without its verdict. */
export interface TableRow {
  /** Where it begins, as an editor or a spreadsheet shows it. */
  readonly line: number;
  readonly cells: readonly string[];
  /** By place: the number itself of a cell that shows it with separators. Only a workbook has it. */
  readonly numbers?: ReadonlyMap<number, string>;
}

export type AnyRow = TableRow | { readonly line: number; readonly raw: string };
