/**
 * What an API key may use, so that no key takes what others need.
 *
 * QUOTA-1 Keys of the ledger are limited. Keys of the environment and programs on this machine belong to the operator:
 *    only the limits of the whole process apply to them.
 * QUOTA-2 No command is refused because of waits. It is done, and if the key or the process has no wait left, the
 *    response shows the current state at once, with Retry-After.
 * QUOTA-3 A rate applies to all processes that share a ledger, the size of stored files to the ledger, and the numbers
 *    of waits and long requests to each process.
 * QUOTA-4 A key that makes no requests uses no memory.
 */
import { AppError, type Caller, type KeyLimits, DEFAULT_KEY_LIMITS, parseKeyLimits } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { forgetStale } from './forget-stale.js';

/** Each wait holds a connection and a timer. */
export const MAX_WAITING = 5_000;
const LONG_RETRY_AFTER_MS = 5_000;

/** Ends what was begun. */
type End = () => void;

/** @param limits  @default DEFAULT_KEY_LIMITS */
export function createKeyLimits(
  buckets: Pick<Ledger['rateLimitBuckets'], 'reserve'>,
  limits: KeyLimits = parseKeyLimits(DEFAULT_KEY_LIMITS),
) {
  const takeTurn = createKeyRates(buckets);
  const waits = createUses(limits.waits);
  const longRequests = createUses(limits.longRequests);
  let waiting = 0;

  return {
    /** Counts a request. @throws AppError KEY_RATE_LIMITED */
    async takeTurn({ key }: Caller): Promise<void> {
      if (key !== undefined) await takeTurn({ id: key.id, perSecond: key.ratePerSecond ?? limits.ratePerSecond });
    },

    /** Begins a wait. @returns undefined if the caller, or the process, has as many as it may have (QUOTA-2) */
    beginWait(caller: Caller | undefined): End | undefined {
      if (waiting >= MAX_WAITING) return undefined;
      const end = waits(caller);
      if (end === undefined) return undefined;
      waiting += 1;
      return () => {
        waiting -= 1;
        end();
      };
    },

    /** @throws AppError KEY_BUSY */
    async duringLongRequest<Result>(caller: Caller | undefined, work: () => Promise<Result>): Promise<Result> {
      const end = longRequests(caller);
      if (end === undefined) {
        throw new AppError(
          'KEY_BUSY',
          `The request is refused: its API key already has ${limits.longRequests} imports, uploads of files and plans under way, which is its limit. Nothing was begun. Retry when one of them has ended, or raise the limit "long" of EVERPOST_KEY_LIMITS.`,
          { retryAfterMs: LONG_RETRY_AFTER_MS },
        );
      }
      try {
        return await work();
      } finally {
        end();
      }
    },

    /** The key that a stored file counts for, and the size that its files may have together. */
    fileOwner: ({ key }: Caller) => key && { keyId: key.id, maxBytes: limits.fileBytes },
  };
}

export type KeyLimitsInUse = ReturnType<typeof createKeyLimits>;

/** Counts what each key uses now. */
function createUses(most: number): (caller: Caller | undefined) => End | undefined {
  const used = new Map<string, number>();
  return (caller) => {
    const id = caller?.key?.id;
    if (id === undefined) return () => undefined;
    const before = used.get(id) ?? 0;
    if (before >= most) return undefined;
    used.set(id, before + 1);
    return () => {
      const left = (used.get(id) ?? 1) - 1;
      if (left === 0) used.delete(id);
      else used.set(id, left);
    };
  };
}

interface RateLimit {
  readonly id: string;
  readonly perSecond: number;
}

/** The turns of this time may be used at once. */
const BURST_MS = 1_000;
/** Short, so that twenty processes of which each makes a few requests do not reserve more than the rate. */
const RESERVED_MS = 50;
/** Turns that were not used within this time are discarded, so that an idle process reserves nothing. */
const VALID_MS = 1_000;
const BUCKET = 'api';

interface Turns {
  left: number;
  validUntilMs: number;
  refusedUntilMs: number;
  reserving?: Promise<void> | undefined;
}

/**
 * The rate limits of keys, for all processes that share a ledger. Each process reserves the turns of a twentieth of a
 * second from the key's bucket, so that many requests need no query.
 */
export function createKeyRates(buckets: Pick<Ledger['rateLimitBuckets'], 'reserve'>) {
  const turnsOf = new Map<string, Turns>();
  const forgetUnused = forgetStale(turnsOf, ({ validUntilMs, refusedUntilMs, reserving }) => {
    return reserving === undefined && Math.max(validUntilMs, refusedUntilMs) < performance.now();
  });

  async function reserve(turns: Turns, { id, perSecond }: RateLimit): Promise<void> {
    const granted = await buckets.reserve({
      instance: `key:${id}`,
      operation: BUCKET,
      turns: Math.max(1, Math.ceil((perSecond * RESERVED_MS) / 1_000)),
      spacingMs: 1_000 / perSecond,
      maxWaitMs: BURST_MS,
    });
    const nowMs = performance.now();
    turns.left = granted.turns;
    turns.validUntilMs = nowMs + VALID_MS;
    if (granted.turns === 0) turns.refusedUntilMs = nowMs + Math.max(1, granted.firstInMs - BURST_MS);
  }

  /** @throws AppError KEY_RATE_LIMITED */
  return async (limit: RateLimit): Promise<void> => {
    const { id, perSecond } = limit;
    const turns = turnsOf.get(id) ?? { left: 0, validUntilMs: 0, refusedUntilMs: 0 };
    turnsOf.set(id, turns);
    for (;;) {
      const nowMs = performance.now();
      if (turns.left > 0 && nowMs < turns.validUntilMs) {
        turns.left -= 1;
        return;
      }
      if (nowMs < turns.refusedUntilMs)
        throw new AppError(
          'KEY_RATE_LIMITED',
          `The request is refused: its API key is limited to ${perSecond} requests a second. Nothing was begun. Retry after retryAfterMs.`,
          { retryAfterMs: turns.refusedUntilMs - nowMs },
        );
      turns.reserving ??= reserve(turns, limit).finally(() => (turns.reserving = undefined));
      forgetUnused();
      await turns.reserving;
    }
  };
}
