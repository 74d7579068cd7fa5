/**
 * Rings within this process when a row changed, so that a caller that waits for it reads it at once instead of at its next
 * poll. Losing a ring costs a quarter of a second, never a response: waiting always polls too.
 */
export interface ChangeBell {
  ring(id: string): void;
  /** Resolves at the next ring for `id`, after `timeoutMs`, or when the signal is aborted, whichever comes first. */
  untilRung(id: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export function createChangeBell(): ChangeBell {
  const listeners = new Map<string, Set<() => void>>();

  return {
    ring(id) {
      for (const wake of listeners.get(id) ?? []) wake();
    },

    untilRung: (id, timeoutMs, signal) =>
      new Promise((resolve) => {
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
