const FEWEST = 1_000;

/**
 * Keeps the memory of a cache in proportion to the entries that are still needed.
 * @returns a function to call after an entry was added: it removes stale entries whenever their number may have doubled
 */
export function forgetStale<Value>(entries: Map<string, Value>, isStale: (value: Value) => boolean): () => void {
  let next = FEWEST;
  return () => {
    if (entries.size < next) return;
    for (const [id, value] of entries) if (isStale(value)) entries.delete(id);
    next = Math.max(FEWEST, 2 * entries.size);
  };
}
