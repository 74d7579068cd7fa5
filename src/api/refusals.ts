/**
 * Requests without a valid key, and reads that a key may not do, or of objects that do not exist for it.
 *
 * REFUSAL-1 The audit list has an entry for each, with the caller's address; at most {@link ENTRIES_OF_ADDRESS} a minute
 *    for an address and {@link ENTRIES} in all, so that guesses do not fill the ledger. The log counts the others.
 * REFUSAL-2 From the {@link MOST_FAILURES}th invalid key of an address in a minute on, its invalid keys are refused
 *    later, with 429. A valid key is never delayed: whether a key is valid is checked first.
 */
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { AppError, type AuditEntry, type Clock, type Log, present } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';

const WINDOW_MS = 60_000;
const MOST_FAILURES = 20;
const ENTRIES_OF_ADDRESS = 10;
const ENTRIES = 300;
/** Addresses beyond this number share one count. */
const MOST_ADDRESSES = 10_000;
const THROTTLED_MS = 1_000;
/** Further refusals are not delayed, so that guesses hold no more connections. */
const MOST_DELAYED = 100;

export type Refusals = ReturnType<typeof createRefusals>;

interface RefusalDependencies {
  readonly audit: Pick<Ledger['audit'], 'record'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the refusal of a throttled key takes. @default 1_000 */
  readonly throttledMs?: number;
}

export function createRefusals({ audit, clock, log, throttledMs = THROTTLED_MS }: RefusalDependencies) {
  let counts = new Map<string, { failures: number; entries: number }>();
  let begunMs = performance.now();
  let [entries, omitted, delayed] = [0, 0, 0];

  function countsOf(address: string) {
    const nowMs = performance.now();
    if (nowMs - begunMs >= WINDOW_MS) {
      if (omitted > 0) log({ level: 'warn', message: 'refused requests are missing from the audit list', omitted });
      counts = new Map();
      [begunMs, entries, omitted] = [nowMs, 0, 0];
    }
    const key = counts.has(address) || counts.size < MOST_ADDRESSES ? address : 'others';
    const known = counts.get(key) ?? { failures: 0, entries: 0 };
    counts.set(key, known);
    return known;
  }

  async function record(c: Context, refused: Pick<AuditEntry, 'witness' | 'route' | 'status' | 'code'>): Promise<void> {
    const address = addressOf(c);
    const count = countsOf(address ?? '');
    if (count.entries >= ENTRIES_OF_ADDRESS || entries >= ENTRIES) {
      omitted += 1;
      return;
    }
    count.entries += 1;
    entries += 1;
    const at = new Date(clock.nowMs()).toISOString();
    const entry: AuditEntry = { at, ...refused, requestId: c.get('requestId'), ...present({ address }) };
    await audit.record(entry).catch((error: unknown) => {
      log({ level: 'error', message: 'a refused request is missing from the audit list', ...entry, error });
    });
  }

  return {
    record,

    /** Counts and records a request without a valid key. @returns the error of its response */
    async unauthorized(c: Context, route: string, error: AppError): Promise<AppError> {
      const address = addressOf(c);
      const count = countsOf(address ?? '');
      count.failures += 1;
      const isThrottled = address !== undefined && count.failures > MOST_FAILURES;
      const [status, code] = isThrottled ? ([429, 'AUTHENTICATION_THROTTLED'] as const) : ([401, error.code] as const);
      await record(c, { witness: 'unidentified', route, status, code });
      if (!isThrottled) return error;
      if (delayed < MOST_DELAYED) {
        delayed += 1;
        await wait(throttledMs);
        delayed -= 1;
      }
      const retryAfterMs = Math.max(1_000, Math.ceil(WINDOW_MS - (performance.now() - begunMs)));
      return new AppError(
        code,
        'The request is refused: this address has sent too many requests without a valid API key. Correct the key: everpost key list',
        { retryAfterMs },
      );
    },
  };
}

/** What a page of this process adds to the requests that it makes for its reader. No request from outside has it. */
export interface PageBindings {
  readonly readerAddress?: string | undefined;
}

/** The caller's address. A proxy on this machine adds it to X-Forwarded-For, as the last one. */
export function addressOf(c: Context<{ Bindings: Partial<HttpBindings> & PageBindings }>): string | undefined {
  if (c.env?.readerAddress !== undefined) return c.env.readerAddress;
  const peer = c.env?.incoming?.socket.remoteAddress?.replace(/^::ffff:/, '');
  if (peer !== '127.0.0.1' && peer !== '::1') return peer;
  const forwarded = c.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim() ?? '';
  return isIP(forwarded) === 0 ? peer : forwarded;
}
