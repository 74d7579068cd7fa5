import { Handlers } from './handlers.js';
import type { Listening, WakeHandler, WakeLedger } from './wake-ledger.js';

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
