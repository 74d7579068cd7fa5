import type { Context } from 'hono';
import { AppError } from '../../contract/index.js';
import type { ChangeBell } from '../change-bell.js';
import { createSharedReadings, type ShareReading } from '../shared-readings.js';
import { waitUntil, type WaitUntil } from '../wait-until.js';

/** Each holds a connection and a timer. Those beyond are asked to come again. */
export const MAX_WAITING = 5_000;
const RETRY_AFTER_MS = 2_000;

/** Long polls: each ends at the latest when its caller is gone or the API closes. */
export interface Waiting {
  /**
   * Reads until it is done or the time is over. The same `id` and `reads` are read once for all callers that wait.
   * @throws AppError TOO_MANY_WAITING
   */
  until<Value>(c: Context, wait: Omit<WaitUntil<Value>, 'signal'> & { readonly reads: string }): Promise<Value>;
  /** One reading for all who ask for it at the same time. */
  readonly share: ShareReading;
  /** Counts a request among those that wait while it works. @throws AppError TOO_MANY_WAITING */
  held<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value>;
  /** Aborted when no caller waits for this request's response any more. */
  signalOf(c: Context): AbortSignal;
}

export function createWaiting(bell: ChangeBell, closing: AbortSignal): Waiting {
  const share = createSharedReadings();
  const signalOf = (c: Context): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);
  let waiting = 0;

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
    share,
    signalOf,
    held,
    until: (c, { reads, ...wait }) => {
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
