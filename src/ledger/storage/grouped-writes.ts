import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { AppError, ErrorNext } from '../../contract/index.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The most writes in one commit; writes that arrive meanwhile go into the next. */
const MOST_TOGETHER = 200;

/**
 * Groups the writes that arrive during a commit, and within `gatherMs` before it, into one commit. By default a single
 * write is committed at once. If a group fails, it is halved until the faulty item is found; while the ledger is
 * unavailable all items fail.
 * @param write  one commit; its results are in the items' order
 */
export function groupedWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  gatherMs = 0,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // The embedded database blocks the event loop while it writes, so requests that have arrived are read first.
      await (gatherMs > 0 ? delay(gatherMs) : setImmediate());
      const group = waiting.slice(0, MOST_TOGETHER);
      waiting = waiting.slice(MOST_TOGETHER);
      await writeGroup(group);
    }
    isWriting = false;
  }

  async function writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      group.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.next === ErrorNext.wait;
      if (group.length === 1 || isUnavailable) {
        for (const { reject } of group) reject(error);
        return;
      }
      const half = Math.ceil(group.length / 2);
      await writeGroup(group.slice(0, half));
      await writeGroup(group.slice(half));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
