/**
 * Returns the fields that have a value. Removes `undefined`; null columns become absent fields.
 * @example { id, ...present({ reference, expiresAt }) }
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/**
 * The keys for which a table says true. The table has to name every key, so that the compiler reports a missing one.
 */
export function keysWhere<Key extends string>(table: Readonly<Record<Key, boolean>>): readonly Key[] {
  return (Object.keys(table) as Key[]).filter((key) => table[key]);
}

/** Zero for each of these names, as the start of a count. */
export function zeroOfEach<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Groups items; the groups are in the order of their first items. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
