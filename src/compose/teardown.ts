import { present } from '../contract/index.js';
import type { Log } from '../worker/index.js';

interface Step {
  readonly name: string;
  readonly end: () => Promise<void> | void;
  readonly abandon?: () => void;
}

/**
 * Ends everything that has been started, the last one first. A failure is logged and does not prevent the other ends.
 */
export class Teardown {
  readonly #steps: Step[] = [];
  readonly #log: Log;
  #running: Promise<boolean> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param abandon  ends it without waiting, for what would outlive this process */
  add(name: string, end: Step['end'], abandon?: () => void): void {
    this.#steps.push({ name, end, ...present({ abandon }) });
  }

  /** For a process that ends at once: leaves nothing running. */
  abandon(): void {
    for (const { abandon } of this.#steps) abandon?.();
  }

  /** @returns whether every end succeeded. Calling it again waits for the first call. */
  run(): Promise<boolean> {
    this.#running ??= this.#endAll();
    return this.#running;
  }

  async #endAll(): Promise<boolean> {
    let allEnded = true;
    for (const { name, end } of this.#steps.toReversed()) {
      try {
        await end();
        this.#log({ level: 'debug', message: `${name} ended` });
      } catch (error) {
        allEnded = false;
        this.#log({ level: 'error', message: `${name} did not end cleanly`, error });
      }
    }
    return allEnded;
  }
}

export interface ServiceContext {
  /** Where a start notes what it has started. */
  readonly teardown: Teardown;
  /** Aborted when a signal asks to stop, also while starting. */
  readonly stopping: AbortSignal;
}
