/** The keys to which a table says yes. Such a table names every key, so that none is forgotten. */
export function keysWhere<Key extends string>(table: Readonly<Record<Key, boolean>>): readonly Key[] {
  return (Object.keys(table) as Key[]).filter((key) => table[key]);
}

/** Zero for each of these names, to count from. */
export function zeroOfEach<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
