import { setImmediate } from 'node:timers/promises';
import { AppError, ErrorNext } from '../../contract/index.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** At most this many in one commit; writes that come meanwhile go into the next. */
const MOST_TOGETHER = 200;

/**
 * Commits together what comes while another commit is under way: one alone is written at once, no timer gathers. Where
 * a group cannot be written, its halves are, down to the item that is at fault; while the ledger is unavailable all of
 * them fail.
 * @param write  one commit; its results are in the items' order
 */
export function groupedWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // The embedded database blocks the event loop while it writes: requests that have come in
      // are read first.
      await setImmediate();
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
