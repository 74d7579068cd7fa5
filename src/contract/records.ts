/**
 * The fields that have a value: an optional field is absent, never `undefined`, and a column without a value is null.
 * @example { id, ...present({ reference, expiresAt }) }
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** The keys to which a table says yes. Such a table names every key, so that none is forgotten. */
export function keysWhere<Key extends string>(table: Readonly<Record<Key, boolean>>): readonly Key[] {
  return (Object.keys(table) as Key[]).filter((key) => table[key]);
}

/** Zero for each of these names, to count from. */
export function zeroOfEach<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Groups in the order of their first items. */
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
