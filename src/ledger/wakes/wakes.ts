/** Announced where an instance's name would be: events were recorded. No instance has this name. */
export const EVENTS_WAKE = '* events';

/**
 * Announces between the processes of a ledger that something may be due for an instance.
 *
 * WAKE-1 Write, then announce: what an announcement is about is committed before it, so that a dispatcher that gets
 *    it finds the rows. Inside the transaction that writes, announcements would make all such transactions commit one after the
 *    other.
 * WAKE-2 An announcement may be lost, or delivered more than once; it holds nothing but the instance's name. A sweeper finds
 *    what was lost.
 */
export interface WakeLedger {
  /** Never throws, and nothing waits for it. Announcements that come together go out together. */
  announce(instance: string): void;
  /**
   * Calls the handler with each instance that is announced, in this process or in another one, until it is closed. A
   * connection that is lost is made again.
   */
  listen(handler: WakeHandler): Listening;
}

export type WakeHandler = (instance: string) => void;

export interface Listening {
  close(): void;
}

/** Those who listen in this process. */
export class Handlers {
  readonly #handlers = new Set<{ readonly handle: WakeHandler }>();

  get size(): number {
    return this.#handlers.size;
  }

  add(handle: WakeHandler, onRemoved: () => void = () => undefined): Listening {
    // The same function may listen twice, and each time is closed by itself.
    const entry = { handle };
    this.#handlers.add(entry);
    return {
      close: () => {
        if (this.#handlers.delete(entry)) onRemoved();
      },
    };
  }

  call(instance: string): void {
    for (const { handle } of this.#handlers) handle(instance);
  }

  clear(): void {
    this.#handlers.clear();
  }
}

/** For an embedded ledger, which only one process has. */
export class ProcessWakes implements WakeLedger {
  readonly #handlers = new Handlers();
  #announced = new Set<string>();

  announce(instance: string): void {
    // Not in the caller's stack: a handler that throws must not fail what announces.
    if (this.#announced.size === 0) setImmediate(() => this.#callHandlers());
    this.#announced.add(instance);
  }

  listen(handler: WakeHandler): Listening {
    return this.#handlers.add(handler);
  }

  close(): void {
    this.#handlers.clear();
  }

  #callHandlers(): void {
    const announced = this.#announced;
    this.#announced = new Set();
    for (const instance of announced) this.#handlers.call(instance);
  }
}
