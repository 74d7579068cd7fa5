/** Other processes also write the ledger, and their changes ring no bell in this process. */
const POLL_MS = 250;

export interface WaitUntil<Value> {
  /** The id that the bell rings for. */
  readonly id: string;
  readonly read: () => Promise<Value>;
  readonly isDone: (value: Value) => boolean;
  readonly timeoutMs: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** All waits poll at the same moments, so that waits for the same object share one read. */
function untilNextPollMs(): number {
  return POLL_MS - (performance.now() % POLL_MS);
}

/** Reads until `isDone` or the timeout. Returns the last value read. */
export async function waitUntil<Value>(bell: ChangeBell, wait: WaitUntil<Value>): Promise<Value> {
  const untilMs = performance.now() + wait.timeoutMs;
  for (;;) {
    const value = await wait.read();
    const leftMs = untilMs - performance.now();
    if (wait.isDone(value) || leftMs <= 0 || wait.signal.aborted) return value;
    await bell.untilRung(wait.id, Math.min(untilNextPollMs(), leftMs), wait.signal);
  }
}

/**
 * Rings within this process when a row changes, so that a waiting caller reads it at once instead of at its next poll.
 * A lost ring costs a quarter of a second, since every wait also polls.
 */
export function createChangeBell() {
  const listeners = new Map<string, Set<() => void>>();

  return {
    ring(id: string): void {
      for (const wake of listeners.get(id) ?? []) wake();
    },

    /** Resolves at the next ring for `id`, after `timeoutMs`, or when the signal is aborted, whichever comes first. */
    untilRung: (id: string, timeoutMs: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const waiting = listeners.get(id) ?? new Set();
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          if (waiting.size === 0) listeners.delete(id);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        signal.addEventListener('abort', wake);
        waiting.add(wake);
        listeners.set(id, waiting);
        if (signal.aborted) wake();
      }),
  };
}

export type ChangeBell = ReturnType<typeof createChangeBell>;
