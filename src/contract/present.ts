/**
 * The fields that have a value: an optional field is absent, never `undefined`, and a column without a value is null.
 * @example { id, ...present({ reference, expiresAt }) }
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
