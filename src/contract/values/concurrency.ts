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
