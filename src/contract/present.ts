/**
 * The fields that have a value: an optional field is absent, never `undefined`.
 * @example { id, ...present({ reference, expiresAt }) }
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
