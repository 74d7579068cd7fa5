import { present } from '../../contract/index.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../contract/index.js';
import type { DueCallback, Ledger } from '../../ledger/index.js';
import type { BackgroundJob } from '../background-job.js';
import type { Log } from '../temporal-runtime.js';
import type { CallbackPoster } from './post-callback.js';

const EVERY_MS = 1_000;
/** A worker that took one and died is replaced after this long; far longer than a POST may take. */
const LEASE_MS = 60_000;
/** POSTs to one origin at a time. */
const PER_ORIGIN = 8;
/** A round takes nothing new after this, so that the lease is taken again in time. */
const ROUND_MS = 8_000;
/** While an origin lets us wait, the others are looked after this often. */
const POLL_AGAIN_MS = 250;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 30 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/** What a callback is told: no text and no recipient. */
export interface CallbackEvent {
  /** The same however often the same change is told. */
  readonly eventId: string;
  /** The message. */
  readonly id: string;
  readonly instance: string;
  readonly state: string;
  /** Of the message; grows with each change. */
  readonly version: number;
  readonly at: string;
  readonly reason?: string;
  readonly idMessage?: string;
  readonly reference?: string;
}

/**
 * Tells messages' callbacks of their changes, each at least once and in order; one that is not taken is tried again,
 * less and less often, for a day. An origin that answers slowly, or not at all, holds up no other.
 */
export function deliverCallbacks(dependencies: {
  readonly callbacks: Ledger['callbacks'];
  readonly poster: Pick<CallbackPoster, 'post'>;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { callbacks, poster, clock, log } = dependencies;

  async function deliver(callback: DueCallback): Promise<void> {
    const problem = await poster.post(callback.url, eventOf(callback));
    const nowMs = clock.nowMs();
    if (problem === undefined) return callbacks.delivered(callback.sequence, nowMs);
    if (nowMs - callback.createdAtMs < GIVE_UP_AFTER_MS) {
      const waitMs = Math.min(RETRY_FIRST_MS * 2 ** (callback.tries - 1), RETRY_MAX_MS);
      return callbacks.putOff(callback, problem, nowMs + waitMs);
    }
    await callbacks.giveUp(callback, problem, nowMs);
    const { messageId, state } = callback;
    log({ level: 'warn', message: 'a status callback was given up', messageId, state, problem });
  }

  async function deliverAll(batch: readonly DueCallback[]): Promise<void> {
    const results = await Promise.allSettled(batch.map(deliver));
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      log({ level: 'warn', message: 'a status callback is told again later', error: result.reason });
    }
  }

  return {
    name: 'deliver callbacks',
    everyMs: EVERY_MS,
    async round() {
      const deliveries = new Map<string, Promise<void>>();
      const endMs = performance.now() + ROUND_MS;
      for (;;) {
        const isOver = performance.now() >= endMs;
        const due = isOver
          ? []
          : await callbacks.claim({
              nowMs: clock.nowMs(),
              leaseMs: LEASE_MS,
              perOrigin: PER_ORIGIN,
              besides: [...deliveries.keys()],
            });
        for (const origin of new Set(due.map((callback) => callback.origin))) {
          const delivery = deliverAll(due.filter((callback) => callback.origin === origin));
          deliveries.set(
            origin,
            delivery.finally(() => deliveries.delete(origin)),
          );
        }
        if (deliveries.size === 0) return;
        await Promise.race([...deliveries.values(), delay(POLL_AGAIN_MS, undefined, { ref: false })]);
      }
    },
  };
}

function eventOf(callback: DueCallback): CallbackEvent {
  const { sequence, messageId, instance, state, version, at, reason, idMessage, reference } = callback;
  return {
    eventId: `evt_${sequence}`,
    id: messageId,
    instance,
    state,
    version,
    at,
    ...present({ reason, idMessage, reference }),
  };
}
