/**
 * Fetches the notifications of accounts whose gateway cannot reach the receiver.
 *
 * FETCH-1 A notification is deleted at the gateway only after the ledger has stored it. If a worker dies in between,
 *    the next poll returns it again, and the ledger finds the duplicate by its content.
 * FETCH-2 One worker fetches for an account (LOOP-1). If a suspended worker outlives its lease, two workers may fetch at
 *    once, and FETCH-1 holds for both.
 * FETCH-3 The gateway returns the oldest notification until it is deleted. So no notification is lost while the ledger
 *    is unavailable.
 * FETCH-4 Each poll reads from the current instances file whether to fetch, from which URL and with which token.
 */
import type { InstanceDirectory } from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Receiver } from '../webhooks/index.js';
import { type Loop, type LoopDependencies, startBackgroundJob } from './background-job.js';

interface PollNotificationsDependencies {
  readonly instances: InstanceDirectory;
  readonly gateway: Gateway;
  readonly receiver: Pick<Receiver, 'accept'>;
}

/** How often the instances file is read. */
const WATCH_EVERY_MS = 2_000;
/** The pause after a gateway returned no notification without waiting. */
const AT_MOST_EVERY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Runs a job for each instance with `"notifications": "poll"`. Every worker watches; one fetches for an account. */
export function pollNotifications(dependencies: PollNotificationsDependencies, loop: LoopDependencies): Loop {
  const { instances } = dependencies;
  const running = new Map<string, ReturnType<typeof startBackgroundJob>>();
  return {
    name: 'poll notifications',
    everyMs: WATCH_EVERY_MS,
    inEveryWorker: true,
    withAnyClock: true,
    async round(stopping) {
      const polled = new Set(instances.names().filter((name) => instances.get(name).notifications === 'poll'));
      for (const [name, job] of running) {
        if (polled.has(name)) continue;
        running.delete(name);
        await job.stop();
      }
      for (const name of polled) {
        if (running.has(name) || stopping.aborted) continue;
        running.set(name, startBackgroundJob(pollOf(name, dependencies), loop));
      }
    },
    async finish() {
      await Promise.all([...running.values()].map((job) => job.stop()));
    },
  };
}

function pollOf(instance: string, { instances, gateway, receiver }: PollNotificationsDependencies): Loop {
  return {
    name: `poll notifications of ${instance}`,
    everyMs: AT_MOST_EVERY_MS,
    retryMaxMs: RETRY_MAX_MS,
    withAnyClock: true,
    async round(stop) {
      // Removed from the instances file, or no longer polled: the next round of the watch ends this job.
      if (!instances.names().includes(instance) || instances.get(instance).notifications !== 'poll') return;
      const askedAtMs = performance.now();
      const { response } = await gateway.call(instance, 'receiveNotification', {}, { stop });
      const { receiptId, body = null } = response;
      if (receiptId === null) return Math.max(0, AT_MOST_EVERY_MS - (performance.now() - askedAtMs));
      await receiver.accept(instance, Buffer.from(JSON.stringify(body)));
      await gateway.call(instance, 'deleteNotification', { receiptId }, { stop });
      // Others may follow it.
      return 0;
    },
  };
}
