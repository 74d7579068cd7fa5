import type { OutgoingItem } from './outgoing-item.js';

/** The queue silently drops an item after this time. */
const RETENTION_MS = 24 * 3_600_000;

/**
 * The send queue of an instance.
 *
 * QUEUE-1 First in, first out, for all kinds.
 * QUEUE-2 An item leaves one delay after the item before it, or at once if the delay has passed.
 * QUEUE-3 An item that shows typing also occupies the queue for the typing time.
 * QUEUE-4 Items leave only while the instance is open (`isOpen`); after 24 hours they are dropped silently.
 */
export class SendQueue {
  #items: OutgoingItem[] = [];
  #restedAtMs = -Infinity;

  get items(): readonly OutgoingItem[] {
    return this.#items;
  }

  add(item: OutgoingItem): void {
    this.#items.push(item);
  }

  clear(): void {
    this.#items = [];
  }

  find(idMessage: string): OutgoingItem | undefined {
    return this.#items.find((item) => item.ids.includes(idMessage));
  }

  /** When the next item may leave, by QUEUE-2; undefined for an empty queue. */
  nextReleaseAtMs(delayMs: number): number | undefined {
    const head = this.#items[0];
    return head === undefined ? undefined : Math.max(head.acceptedAtMs, this.#restedAtMs + delayMs);
  }

  /** When the oldest item will have waited 24 hours. */
  nextExpiryAtMs(): number | undefined {
    const oldest = this.#items[0];
    return oldest === undefined ? undefined : oldest.acceptedAtMs + RETENTION_MS;
  }

  /** @param holdsMs  how long this item occupies the queue in addition to the delay (QUEUE-3) */
  release(nowMs: number, holdsMs: (item: OutgoingItem) => number): OutgoingItem {
    const head = this.#items.shift();
    if (head === undefined) throw new Error('release of an empty queue');
    this.#restedAtMs = nowMs + holdsMs(head);
    return head;
  }

  dropExpired(nowMs: number): void {
    this.#items = this.#items.filter((item) => item.acceptedAtMs + RETENTION_MS > nowMs);
  }
}
