/**
 * Returns the fields that have a value. Removes `undefined`; null columns become absent fields.
 * @example { id, ...present({ reference, expiresAt }) }
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Present<Fields>;
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/**
 * Does the work for each item, in order, for at most `concurrency` items at a time. A failure lowers the concurrency by
 * one: one bad item does not stop the others, and an unavailable server is asked `concurrency` times at most.
 * @throws one of the failures, after all work has ended
 */
export async function forEachConcurrently<Item>(
  concurrency: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items].values();
  const loops = Array.from({ length: concurrency }, async () => {
    for (const item of queue) await work(item);
  });
  await Promise.allSettled(loops);
  await Promise.all(loops);
}
