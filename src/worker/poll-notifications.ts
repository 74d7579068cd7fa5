/**
 * Fetches the notifications of accounts whose gateway cannot reach the receiver.
 *
 * FETCH-1 A notification is deleted at the gateway only after the ledger has stored it. If a worker dies in between,
 *    the next poll returns it again, and the ledger finds the duplicate by its content.
 * FETCH-2 One worker fetches for an account, by a lease that it renews before each poll. If a suspended worker outlives
 *    its lease, two workers may fetch at once, and FETCH-1 holds for both.
 * FETCH-3 The gateway returns the oldest notification until it is deleted. So no notification is lost while the ledger
 *    is unavailable.
 * FETCH-4 Each poll reads from the current instances file whether to fetch, from which URL and with which token.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, present, type InstanceDirectory, type Log } from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Receiver } from '../webhooks/index.js';

interface PollNotificationsDependencies {
  readonly instances: InstanceDirectory;
  readonly gateway: Gateway;
  readonly receiver: Pick<Receiver, 'accept'>;
  readonly leases: Ledger['leases'];
  /** Identifies this worker in the lease. */
  readonly holder: string;
  readonly log: Log;
}

/** Longer than a poll, which takes five seconds. After this time another worker replaces a dead one. */
const LEASE_MS = 15_000;
/** How often a worker tries to take the lease, and reads the instances file. */
const POLL_AGAIN_MS = 2_000;
/** The pause after a gateway returned no notification without waiting. */
const AT_MOST_EVERY_MS = 1_000;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Starts to fetch for every instance with `"notifications": "poll"`. */
export function pollNotifications(dependencies: PollNotificationsDependencies) {
  const { instances, gateway, receiver, leases, holder, log } = dependencies;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each instance's loop and request use this signal.
  setMaxListeners(0, signal);
  const loops = new Map<string, Promise<void>>();

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      for (const instance of instances.names()) {
        if (!isPolled(instance) || loops.has(instance)) continue;
        const loop = poll(instance).finally(() => loops.delete(instance));
        loops.set(instance, loop);
      }
      await pause(POLL_AGAIN_MS);
    }
  }

  async function poll(instance: string): Promise<void> {
    let failures = 0;
    while (!signal.aborted && isPolled(instance)) {
      try {
        const isOurs = await leases.acquire(leaseOf(instance), holder, LEASE_MS);
        await pause(isOurs ? await fetchOne(instance) : POLL_AGAIN_MS);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const message = 'notifications could not be fetched; retried automatically';
        log({ level: 'warn', message, instance, ...whatIsWrong(error) });
        const backOffMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
        await pause(Math.max(backOffMs, (error instanceof AppError ? error.retryAfterMs : undefined) ?? 0));
      }
    }
  }

  /** @returns milliseconds until the next poll: 0 after a notification, since others may follow it */
  async function fetchOne(instance: string): Promise<number> {
    const askedAtMs = performance.now();
    const { response } = await gateway.call(instance, 'receiveNotification', {}, { stop: signal });
    const { receiptId, body = null } = response;
    if (receiptId === null) return Math.max(0, AT_MOST_EVERY_MS - (performance.now() - askedAtMs));
    await receiver.accept(instance, Buffer.from(JSON.stringify(body)));
    await gateway.call(instance, 'deleteNotification', { receiptId }, { stop: signal });
    return 0;
  }

  function isPolled(instance: string): boolean {
    try {
      return instances.get(instance).notifications === 'poll';
    } catch (error) {
      // The instance was removed from the instances file.
      if (error instanceof AppError && error.code === 'INSTANCE_NOT_FOUND') return false;
      throw error;
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal, ref: false }).catch(() => undefined); // stopped meanwhile
  }

  async function release(instance: string): Promise<void> {
    try {
      await leases.release(leaseOf(instance), holder);
    } catch (error) {
      const message = 'fetching could not be handed over; another worker takes over when the lease ends';
      log({ level: 'warn', message, instance, error });
    }
  }

  const watching = watch();
  return {
    /** Aborts the poll under way and releases the leases. The notification stays at the gateway. */
    async stop(): Promise<void> {
      stopping.abort();
      const fetching = [...loops];
      await Promise.all([watching, ...fetching.map(([, loop]) => loop)]);
      await Promise.all(fetching.map(([instance]) => release(instance)));
    },
  };
}

function whatIsWrong(error: unknown) {
  if (!(error instanceof AppError)) return { code: 'INTERNAL', error };
  const { code, gatewayText } = error;
  return { code, ...present({ gatewayText }) };
}

function leaseOf(instance: string): string {
  return `poll notifications of ${instance}`;
}
