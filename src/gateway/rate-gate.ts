import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type OperationName } from '../contract/index.js';

/**
 * Decides when a request of one instance and operation may leave. The default gate is in memory. The shared gate has
 * the same interface.
 */
export interface RateGate {
  /**
   * Resolves when one request may leave: in the order of the calls, evenly spaced, never in bursts.
   * @param perSecond  requests per second; 0 means no limit, but a block still holds
   * @param maxWaitMs  for a longer wait the caller gets an error at once, so that Temporal waits and not a worker slot
   * @throws AppError GATEWAY_BUSY with `retryAfterMs` if the turn comes later; GATEWAY_UNREACHABLE after `close`
   */
  acquire(instance: string, operation: OperationName, perSecond: number, maxWaitMs: number): Promise<void>;
  /** Blocks all requests for a time, on request of the gateway. */
  block(instance: string, operation: OperationName, forMs: number): void;
  /** Rejects all waiting and later callers. */
  close(): void;
}

interface Bucket {
  /** The time of the next turn. All times here are monotonic. */
  nextTurnMs: number;
  blockedUntilMs: number;
}

/** Creates the gate in memory. It uses the monotonic clock, since the gateway counts rates in real time. */
export function createRateGate(): RateGate {
  const buckets = new Map<string, Bucket>();
  const closing = new AbortController();
  // Every waiting caller adds a listener.
  setMaxListeners(0, closing.signal);

  const bucketOf = (instance: string, operation: OperationName): Bucket => {
    const key = `${operation} ${instance}`;
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const bucket = { nextTurnMs: 0, blockedUntilMs: 0 };
    buckets.set(key, bucket);
    return bucket;
  };

  return {
    async acquire(instance, operation, perSecond, maxWaitMs) {
      const bucket = bucketOf(instance, operation);
      const spacingMs = perSecond > 0 ? 1000 / perSecond : 0;
      const latestMs = performance.now() + maxWaitMs;
      // A block that begins during the wait cancels the turn, and the caller requests the next one.
      for (;;) {
        if (closing.signal.aborted) throw closedError(instance, operation);
        const nowMs = performance.now();
        const turnMs = Math.max(nowMs, bucket.blockedUntilMs, spacingMs > 0 ? bucket.nextTurnMs : 0);
        // A turn that is free now is granted even if the caller is late.
        if (turnMs > Math.max(nowMs, latestMs)) throw busyError(instance, operation, turnMs - nowMs);
        if (spacingMs > 0) bucket.nextTurnMs = turnMs + spacingMs;
        await untilMonotonic(turnMs, closing.signal);
        if (!closing.signal.aborted && performance.now() >= bucket.blockedUntilMs) return;
      }
    },
    block(instance, operation, forMs) {
      const bucket = bucketOf(instance, operation);
      bucket.blockedUntilMs = Math.max(bucket.blockedUntilMs, performance.now() + forMs);
    },
    close() {
      closing.abort();
    },
  };
}

export async function untilMonotonic(atMs: number, signal: AbortSignal): Promise<void> {
  // Timers may fire a millisecond early, hence the loop.
  for (
    let remainingMs = atMs - performance.now();
    remainingMs > 0 && !signal.aborted;
    remainingMs = atMs - performance.now()
  ) {
    await sleep(Math.ceil(remainingMs), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

export function busyError(instance: string, operation: OperationName, waitMs: number): AppError {
  const retryAfterMs = Math.ceil(waitMs);
  return new AppError(
    'GATEWAY_BUSY',
    `${operation} for instance ${instance} was not sent: its turn under the rate limit comes in ${retryAfterMs} ms. Try again then.`,
    { retryAfterMs },
  );
}

export function closedError(instance: string, operation: OperationName): AppError {
  return new AppError(
    'GATEWAY_UNREACHABLE',
    `${operation} for instance ${instance} was not sent: the gateway client is closed. Try again with a running worker.`,
  );
}
