import type { OutgoingItem } from './outgoing-item.js';

/** An item is dropped, silently, when it has waited this long. */
const RETENTION_MS = 24 * 3_600_000;

/**
 * The one queue of an instance.
 *
 * QUEUE-1 First in, first out, every kind in the same line.
 * QUEUE-2 The head leaves one delay after the item before it left, or at once when the line has rested longer than
 *    that.
 * QUEUE-3 An item that shows typing holds the line for that time as well.
 * QUEUE-4 Nothing leaves while the phone is away (`open` is false); what has waited 24 hours is dropped silently.
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

  /** When the head may leave, by QUEUE-2; `undefined` for an empty queue. */
  nextReleaseAtMs(delayMs: number): number | undefined {
    const head = this.#items[0];
    return head === undefined ? undefined : Math.max(head.acceptedAtMs, this.#restedAtMs + delayMs);
  }

  /** When the oldest item has waited 24 hours. */
  nextExpiryAtMs(): number | undefined {
    const oldest = this.#items[0];
    return oldest === undefined ? undefined : oldest.acceptedAtMs + RETENTION_MS;
  }

  /** @param holdsMs  how long this item keeps the line busy beyond the delay (QUEUE-3) */
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
