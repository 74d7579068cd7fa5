/**
 * The rate limit of a key, for all processes that share a ledger. Each process reserves the turns of a quarter of a
 * second from the key's bucket, so most requests need no query.
 */
import { AppError } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';

/** @throws AppError KEY_RATE_LIMITED */
export type TakeTurn = (limit: { readonly id: string; readonly perSecond: number }) => Promise<void>;

/** The turns of this time may be used at once. */
const BURST_MS = 1_000;
const RESERVED_MS = 250;
/** Turns that were not used within this time are discarded, so that an idle process reserves nothing. */
const VALID_MS = 1_000;
const BUCKET = 'api';

interface Turns {
  left: number;
  validUntilMs: number;
  refusedUntilMs: number;
  reserving?: Promise<void> | undefined;
}

export function createKeyRates(buckets: Pick<Ledger['rateLimitBuckets'], 'reserve'>): TakeTurn {
  const turnsOf = new Map<string, Turns>();

  async function reserve(turns: Turns, id: string, perSecond: number): Promise<void> {
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

  return async ({ id, perSecond }) => {
    const turns = turnsOf.get(id) ?? { left: 0, validUntilMs: 0, refusedUntilMs: 0 };
    turnsOf.set(id, turns);
    for (;;) {
      const nowMs = performance.now();
      if (turns.left > 0 && nowMs < turns.validUntilMs) {
        turns.left -= 1;
        return;
      }
      if (nowMs < turns.refusedUntilMs) throw rateLimited(perSecond, turns.refusedUntilMs - nowMs);
      turns.reserving ??= reserve(turns, id, perSecond).finally(() => (turns.reserving = undefined));
      await turns.reserving;
    }
  };
}

function rateLimited(perSecond: number, retryAfterMs: number): AppError {
  return new AppError(
    'KEY_RATE_LIMITED',
    `The request is refused: its API key is limited to ${perSecond} requests a second. Nothing was begun. Retry after retryAfterMs.`,
    { retryAfterMs },
  );
}
