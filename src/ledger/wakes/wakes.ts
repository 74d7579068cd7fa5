/** Used in place of an instance's name when events were recorded. No instance has this name. */
export const EVENTS_WAKE = '* events';

/**
 * Announces between the processes of a ledger that something may be due for an instance.
 *
 * WAKE-1 Write, then announce: rows are committed before their announcement, so that a dispatcher that gets it finds
 *    them. Announcements inside the writing transaction would serialise the commits of all such transactions.
 * WAKE-2 An announcement may be lost, or delivered more than once; it contains only the instance's name. A sweeper
 *    replaces lost ones.
 */
export interface WakeLedger {
  /** Never throws, and nothing waits for it. Announcements that arrive together are sent together. */
  announce(instance: string): void;
  /**
   * Calls the handler with each announced instance, of this process or another one, until it is closed. Reconnects when
   * the connection is lost.
   */
  listen(handler: WakeHandler): Listening;
}

export type WakeHandler = (instance: string) => void;

export interface Listening {
  close(): void;
}

/** The listeners of this process. */
export class Handlers {
  readonly #handlers = new Set<{ readonly handle: WakeHandler }>();

  get size(): number {
    return this.#handlers.size;
  }

  add(handle: WakeHandler, onRemoved: () => void = () => undefined): Listening {
    // The same function may be registered twice, and each registration is closed separately.
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

/** For an embedded ledger, which only one process uses. */
export class ProcessWakes implements WakeLedger {
  readonly #handlers = new Handlers();
  #announced = new Set<string>();

  announce(instance: string): void {
    // Not in the caller's stack: an error of a handler must not fail the announcement.
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
