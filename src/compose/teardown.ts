import { AppError, present, type Log } from '../contract/index.js';

interface Step {
  readonly name: string;
  readonly end: () => Promise<void> | void;
  readonly abandon?: () => void;
}

/**
 * Stops all started parts, the last one first. A failure is logged, and the other parts still stop.
 */
export class Teardown {
  readonly #steps: Step[] = [];
  readonly #log: Log;
  #running: Promise<boolean> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param abandon  stops the part without waiting, if it would outlive this process */
  add(name: string, end: Step['end'], abandon?: () => void): void {
    this.#steps.push({ name, end, ...present({ abandon }) });
  }

  /** For a process that exits immediately: leaves nothing running. */
  abandon(): void {
    for (const { abandon } of this.#steps) abandon?.();
  }

  /** @returns whether every part stopped cleanly. A second call waits for the first one. */
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

/** Resolves with the reason when a worker fails, and never when it ends as it was asked to. */
export function failureOf(workerEnded: Promise<void>): Promise<Error> {
  return workerEnded.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) =>
      error instanceof AppError ? error : new Error('The worker ended unexpectedly.', { cause: error }),
  );
}

export interface ServiceContext {
  /** A start adds each part that it has started. */
  readonly teardown: Teardown;
  /** Aborted when a signal requests a stop, also during the start. */
  readonly stopping: AbortSignal;
}
