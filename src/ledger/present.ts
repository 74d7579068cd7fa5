/** The same fields without those that are null or undefined: a column that is empty is a field that is absent. */
export function present<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}

/** A column's time as the contract writes it. */
export function iso(at: Date | null): string | undefined {
  return at?.toISOString();
}
