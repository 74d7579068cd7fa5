/**
 * Decides when a request of one instance and operation may leave. A bucket grants turns: in the ledger to all workers
 * that share it, or in memory. The gate keeps callers in order and releases each one at its turn. The states of a
 * caller:
 *
 * - asked:   waits in the order of arrival. During a request to the bucket, callers gather for the next request.
 * - granted: waits for its turn. A block that becomes known meanwhile cancels the turn, and the caller returns to
 *   `asked`. After a stall of the process, missed turns are used one by one.
 * - refused: the turn comes later than the caller would wait. It uses no turn.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type OperationName } from '../contract/index.js';

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

/** Grants the turns of an instance and operation to all workers, by its own clock. */
interface RateLimitBuckets {
  /** Grants up to `turns` turns, `spacingMs` apart, within `maxWaitMs`. A turn that is free now is always granted. */
  reserve(input: {
    readonly instance: string;
    readonly operation: OperationName;
    readonly turns: number;
    readonly spacingMs: number;
    readonly maxWaitMs: number;
  }): Promise<{
    readonly turns: number;
    /** Milliseconds until the first granted turn, or until the next possible turn if none is granted. */
    readonly firstInMs: number;
    readonly blockedForMs: number;
  }>;
  blockedForMs(instance: string, operation: OperationName): Promise<number>;
  block(instance: string, operation: OperationName, forMs: number): Promise<void>;
}

interface RateGateOptions {
  /** @default in memory, for a process that shares its rates with no other */
  readonly buckets?: RateLimitBuckets;
  /** Called if a block could not be shared, so that it holds only in this process. */
  readonly onBlockNotShared?: (instance: string, operation: OperationName, error: unknown) => void;
}

/**
 * The gateway counts requests per second at their arrival, and requests of two workers have different latencies. So the
 * requests of a second are spread over slightly more than a second.
 */
const JITTER_MS = 100;
/** How soon a block of another worker is known here. */
const REFRESH_EVERY_MS = 100;

interface Asking {
  readonly spacingMs: number;
  /** The latest time of a turn. All times here are monotonic. */
  readonly latestMs: number;
  granted(turnMs: number): void;
  refused(error: unknown): void;
}

export function createRateGate({ buckets = bucketsInMemory(), onBlockNotShared }: RateGateOptions = {}): RateGate {
  const closing = new AbortController();
  // Every waiting caller adds a listener.
  setMaxListeners(0, closing.signal);
  const known = new Map<string, Bucket>();

  const bucketOf = (instance: string, operation: OperationName): Bucket => {
    const key = keyOf(instance, operation);
    const bucket = known.get(key) ?? new Bucket(buckets, instance, operation);
    known.set(key, bucket);
    return bucket;
  };

  return {
    async acquire(instance, operation, perSecond, maxWaitMs) {
      const bucket = bucketOf(instance, operation);
      const spacingMs = perSecond > 0 ? (1_000 + JITTER_MS) / perSecond : 0;
      const latestMs = performance.now() + maxWaitMs;
      for (;;) {
        if (closing.signal.aborted) {
          const what = `${operation} for instance ${instance} was not sent: the gateway client is closed.`;
          throw new AppError('GATEWAY_UNREACHABLE', `${what} Try again with a running worker.`);
        }
        if (spacingMs === 0 && bucket.isOpen()) return;
        const turnMs = spacingMs > 0 ? await bucket.turn(spacingMs, latestMs) : await bucket.endOfBlock(latestMs);
        await untilMonotonic(turnMs, closing.signal);
        await untilMonotonic(bucket.leaveMs(perSecond), closing.signal);
        if (!closing.signal.aborted && !(await bucket.isBlocked())) return;
      }
    },
    block(instance, operation, forMs) {
      const bucket = bucketOf(instance, operation);
      bucket.blockHere(forMs);
      buckets
        .block(instance, operation, forMs)
        .catch((error: unknown) => onBlockNotShared?.(instance, operation, error));
    },
    close: () => closing.abort(),
  };
}

class Bucket {
  readonly #buckets: RateLimitBuckets;
  readonly #instance: string;
  readonly #operation: OperationName;
  #asking: Asking[] = [];
  #isUnderWay = false;
  #blockedUntilMs = 0;
  #nextLeaveMs = 0;
  #refreshedAtMs = -Infinity;
  #refresh: Promise<void> | undefined;

  constructor(buckets: RateLimitBuckets, instance: string, operation: OperationName) {
    this.#buckets = buckets;
    this.#instance = instance;
    this.#operation = operation;
  }

  /** Waits for a granted turn. @returns its time */
  turn(spacingMs: number, latestMs: number): Promise<number> {
    return new Promise((granted, refused) => {
      this.#asking.push({ spacingMs, latestMs, granted, refused });
      if (!this.#isUnderWay) void this.#ask();
    });
  }

  /** Used without a rate limit. @returns when the block ends, or now */
  async endOfBlock(latestMs: number): Promise<number> {
    const nowMs = performance.now();
    const isBlocked = await this.isBlocked();
    if (isBlocked && this.#blockedUntilMs > Math.max(nowMs, latestMs)) throw this.#busy(this.#blockedUntilMs - nowMs);
    return isBlocked ? this.#blockedUntilMs : nowMs;
  }

  /**
   * The time to leave: now, or after late callers of this process. It ignores jitter, so that lost time is caught up.
   */
  leaveMs(perSecond: number): number {
    const leaveMs = Math.max(performance.now(), this.#nextLeaveMs);
    if (perSecond > 0) this.#nextLeaveMs = leaveMs + 1_000 / perSecond;
    return leaveMs;
  }

  blockHere(forMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, performance.now() + forMs);
  }

  /** Whether there is surely no block, so that the caller need not wait. */
  isOpen(): boolean {
    const nowMs = performance.now();
    return nowMs - this.#refreshedAtMs <= REFRESH_EVERY_MS && nowMs >= this.#blockedUntilMs;
  }

  async isBlocked(): Promise<boolean> {
    if (performance.now() - this.#refreshedAtMs > REFRESH_EVERY_MS) await (this.#refresh ??= this.#refreshBlock());
    return performance.now() < this.#blockedUntilMs;
  }

  /** Reads the block once for all requests that leave at the same time. */
  async #refreshBlock(): Promise<void> {
    try {
      this.#learn(await this.#buckets.blockedForMs(this.#instance, this.#operation));
    } finally {
      this.#refresh = undefined;
    }
  }

  /** Requests turns for all gathered callers until no caller is left. */
  async #ask(): Promise<void> {
    this.#isUnderWay = true;
    while (this.#asking.length > 0) {
      const together = this.#asking;
      this.#asking = [];
      try {
        await this.#askTogether(together);
      } catch (error) {
        for (const { refused } of together) refused(error);
      }
    }
    this.#isUnderWay = false;
  }

  async #askTogether(together: readonly Asking[]): Promise<void> {
    const askedMs = performance.now();
    const spacingMs = Math.max(...together.map((asking) => asking.spacingMs));
    const granted = await this.#buckets.reserve({
      instance: this.#instance,
      operation: this.#operation,
      turns: together.length,
      spacingMs,
      maxWaitMs: Math.max(...together.map(({ latestMs }) => latestMs - askedMs)),
    });
    this.#learn(granted.blockedForMs);
    // Turns count from the response, which arrives after the bucket read its clock, so that no turn is early.
    const respondedMs = performance.now();
    let taken = 0;
    for (const asking of together) {
      const waitMs = granted.firstInMs + taken * spacingMs;
      if (taken < granted.turns && waitMs <= Math.max(0, asking.latestMs - askedMs)) {
        taken += 1;
        asking.granted(respondedMs + waitMs);
      } else {
        asking.refused(this.#busy(waitMs));
      }
    }
  }

  #learn(blockedForMs: number): void {
    this.#refreshedAtMs = performance.now();
    if (blockedForMs > 0) this.blockHere(blockedForMs);
  }

  #busy(waitMs: number) {
    const retryAfterMs = Math.ceil(waitMs);
    return new AppError(
      'GATEWAY_BUSY',
      `${this.#operation} for instance ${this.#instance} was not sent: its turn under the rate limit comes in ${retryAfterMs} ms. Try again then.`,
      { retryAfterMs },
    );
  }
}

/** Uses the monotonic clock, since the gateway counts rates in real time. */
function bucketsInMemory(): RateLimitBuckets {
  const nextTurnMs = new Map<string, number>();
  const blockedUntilMs = new Map<string, number>();
  const fromNowMs = (at: Map<string, number>, key: string) => Math.max(0, (at.get(key) ?? 0) - performance.now());
  return {
    async reserve({ instance, operation, turns: most, spacingMs, maxWaitMs }) {
      const key = keyOf(instance, operation);
      const blockedForMs = fromNowMs(blockedUntilMs, key);
      const firstInMs = Math.max(blockedForMs, fromNowMs(nextTurnMs, key));
      const leftMs = Math.max(0, maxWaitMs) - firstInMs;
      const turns = leftMs < 0 ? 0 : Math.min(most, 1 + Math.floor(leftMs / spacingMs));
      nextTurnMs.set(key, performance.now() + firstInMs + turns * spacingMs);
      return { turns, firstInMs, blockedForMs };
    },
    blockedForMs: async (instance, operation) => fromNowMs(blockedUntilMs, keyOf(instance, operation)),
    async block(instance, operation, forMs) {
      const key = keyOf(instance, operation);
      blockedUntilMs.set(key, performance.now() + Math.max(forMs, fromNowMs(blockedUntilMs, key)));
    },
  };
}

function keyOf(instance: string, operation: OperationName): string {
  return `${operation} ${instance}`;
}

async function untilMonotonic(atMs: number, signal: AbortSignal): Promise<void> {
  // Timers may fire a millisecond early, hence the loop.
  while (performance.now() < atMs && !signal.aborted) {
    await sleep(Math.ceil(atMs - performance.now()), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
