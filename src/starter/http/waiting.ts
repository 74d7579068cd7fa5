import type { Context } from 'hono';
import { AppError } from '../../contract/index.js';
import { type ChangeBell, type WaitUntil, waitUntil } from '../wait-until.js';

/** Each long poll holds a connection and a timer. Further callers get an error and retry. */
export const MAX_WAITING = 5_000;
const RETRY_AFTER_MS = 2_000;

/** Long polls. Each ends at the latest when its caller disconnects or the API closes. */
export function createWaiting(bell: ChangeBell, closing: AbortSignal) {
  const share = createSharedReadings();
  const signalOf = (c: Context): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);
  let waiting = 0;

  /** Counts a request as waiting while `work` runs. @throws AppError TOO_MANY_WAITING */
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
    /** One read for all callers that need it at the same time. */
    share,
    /** Aborted when no caller waits for this request's response. */
    signalOf,
    held,
    /**
     * Reads until `isDone` or the timeout. One read with the same `id` and `reads` serves all waiting callers.
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
    `The request is refused: ${MAX_WAITING} requests already wait for a change. Retry without ?wait or at longer intervals, or use a statusCallback.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );
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
