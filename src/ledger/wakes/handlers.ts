import type { Listening, WakeHandler } from './wake-ledger.js';

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
