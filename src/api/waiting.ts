import type { Context } from 'hono';
import type { KeyLimitsInUse } from './key-limits.js';

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

/** Reads until `isDone` or the timeout. Returns the last value read. */
export async function waitUntil<Value>(bell: ChangeBell, wait: WaitUntil<Value>): Promise<Value> {
  const untilMs = performance.now() + wait.timeoutMs;
  for (;;) {
    const value = await wait.read();
    const remainingMs = untilMs - performance.now();
    if (wait.isDone(value) || remainingMs <= 0 || wait.signal.aborted) return value;
    // All waits poll at the same moments, so that waits for the same object share one read.
    await bell.untilRung(wait.id, Math.min(POLL_MS - (performance.now() % POLL_MS), remainingMs), wait.signal);
  }
}

/**
 * Rings within this process when a row changes, so that a waiting caller reads it at once instead of at its next poll.
 * A lost ring costs a quarter of a second, since every wait also polls.
 */
export function createChangeBell() {
  const listeners = new Map<string, Set<() => void>>();
  const ofAll = new Set<() => void>();

  return {
    ring(id: string): void {
      for (const wake of listeners.get(id) ?? []) wake();
      for (const wake of ofAll) wake();
    },

    /** Calls `wake` at every ring. It must return at once. */
    listen(wake: () => void): { close(): void } {
      ofAll.add(wake);
      return { close: () => void ofAll.delete(wake) };
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

const RETRY_AFTER_SECONDS = 2;

/** Long polls. Each ends at the latest when its caller disconnects or the API closes. */
export function createWaiting(
  bell: ChangeBell,
  closing: AbortSignal,
  { beginWait }: Pick<KeyLimitsInUse, 'beginWait'>,
) {
  const share = createSharedReadings();
  const signalOf = (c: Context): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);

  /**
   * Counts a request as waiting while `work` runs. QUOTA-2: if its caller may not wait, `work` is done with no time to
   * wait, and the response says when to ask again.
   */
  async function held<Value>(
    c: Context,
    timeoutMs: number,
    work: (wait: Pick<WaitUntil<unknown>, 'timeoutMs' | 'signal'>) => Promise<Value>,
  ): Promise<Value> {
    const signal = signalOf(c);
    if (timeoutMs === 0) return work({ timeoutMs, signal });
    const end = beginWait(c.get('caller'));
    if (end === undefined) {
      const value = await work({ timeoutMs: 0, signal });
      c.header('Retry-After', String(RETRY_AFTER_SECONDS));
      return value;
    }
    try {
      return await work({ timeoutMs, signal });
    } finally {
      end();
    }
  }

  return {
    /** One read for all callers that need it at the same time. */
    share,
    /** Aborted when no caller waits for this request's response. */
    signalOf,
    held,
    /**
     * Reads until `isDone` or the timeout. One read with the same `id` and `reads` serves all waiting callers.
     */
    until<Value>(c: Context, { reads, ...row }: Omit<WaitUntil<Value>, 'signal'> & { readonly reads: string }) {
      const read = () => share(`${reads} ${row.id}`, row.read);
      return held(c, row.timeoutMs, (wait) => waitUntil(bell, { ...row, ...wait, read }));
    },
  };
}

/**
 * One read for all callers that need the same object at the same time: a thousand waits for one message cost one read
 * per change. A read begins after all its callers have asked, so it is never older than the change that woke them.
 */
export function createSharedReadings() {
  const scheduled = new Map<string, Promise<unknown>>();

  return <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const known = scheduled.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key belongs to one reading, and so to one type
    if (known !== undefined) return known as Promise<Value>;
    const reading = new Promise<Value>((resolve, reject) => {
      setImmediate(() => {
        scheduled.delete(key);
        read().then(resolve, reject);
      });
    });
    scheduled.set(key, reading);
    return reading;
  };
}
