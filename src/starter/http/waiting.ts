import type { Context } from 'hono';
import { AppError } from '../../contract/index.js';
import { type ChangeBell, type WaitUntil, waitUntil } from '../wait-until.js';

/** Each long poll holds a connection and a timer. Further callers get an error and have to retry. */
export const MAX_WAITING = 5_000;
const RETRY_AFTER_MS = 2_000;

/** Long polls: each ends at the latest when its caller is gone or the API closes. */
export function createWaiting(bell: ChangeBell, closing: AbortSignal) {
  const share = createSharedReadings();
  const signalOf = (c: Context): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);
  let waiting = 0;

  /** Counts a request among those that wait while it works. @throws AppError TOO_MANY_WAITING */
  async function held<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
    if (timeoutMs === 0) return work();
    if (waiting >= MAX_WAITING) throw tooManyWaiting();
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  }

  return {
    /** One reading for all who ask for it at the same time. */
    share,
    /** Aborted when no caller waits for this request's response any more. */
    signalOf,
    held,
    /**
     * Reads until it is done or the time is over. The same `id` and `reads` are read once for all callers that wait.
     * @throws AppError TOO_MANY_WAITING
     */
    until<Value>(c: Context, { reads, ...wait }: Omit<WaitUntil<Value>, 'signal'> & { readonly reads: string }) {
      const read = () => share(`${reads} ${wait.id}`, wait.read);
      return held(wait.timeoutMs, () => waitUntil(bell, { ...wait, read, signal: signalOf(c) }));
    },
  };
}

function tooManyWaiting(): AppError {
  return new AppError(
    'TOO_MANY_WAITING',
    `${MAX_WAITING} requests wait for a change already. Ask again in a moment, without ?wait or with a longer pause; or use a statusCallback.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );
}

/**
 * One reading for all callers that need the same object at the same time: a thousand waits for one message cost one
 * reading per change. A reading begins after all its callers have asked, so it is never older than the change that woke
 * them.
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
