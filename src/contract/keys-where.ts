/** The keys to which a table says yes. Such a table names every key, so that none is forgotten. */
export function keysWhere<Key extends string>(table: Readonly<Record<Key, boolean>>): readonly Key[] {
  return (Object.keys(table) as Key[]).filter((key) => table[key]);
}
