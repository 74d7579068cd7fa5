import { AppError } from '../contract/index.js';
import { estimatedDepth, type QueueEstimate } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { recordReading } from './reconcile/index.js';

/** An instance's queue as far as it can be known now. */
export interface QueueNow {
  /** Items in it, whatever their source; undefined when it was never read. */
  readonly depth?: number;
  /** False while the queue cannot be read: the depth is worked out, by the slowest pace ever seen. */
  readonly isReadable: boolean;
  /** Between two releases; undefined while it is not known. */
  readonly intervalMs?: number;
}

export interface QueueDepth {
  /**
   * One reading for all who ask: a young one is taken as it is, with what was added and released since. How fast the
   * queue is released the settings are asked for once, where nothing has shown it yet.
   */
  now(instance: string, wish: QueueWish): Promise<QueueNow>;
}

export interface QueueWish {
  /** A reading younger than this will do. */
  readonly maxAgeMs: number;
  /** So long a turn to read is waited for; without one the last reading has to do. */
  readonly turnWithinMs: number;
  /** True when the pace is needed also for an empty queue. */
  readonly wantsPace: boolean;
}

type QueueDependencies = Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock' | 'log'>;

export function createQueueDepth(deps: QueueDependencies): QueueDepth {
  const { ledger, clock } = deps;
  const underWay = new Map<string, Promise<void>>();
  const asked = new Set<string>();

  function readOnce(instance: string, turnWithinMs: number): Promise<void> {
    const reading =
      underWay.get(instance) ?? read(deps, instance, turnWithinMs).finally(() => underWay.delete(instance));
    underWay.set(instance, reading);
    return reading;
  }

  return {
    async now(instance, { maxAgeMs, turnWithinMs, wantsPace }) {
      let known = await ledger.queues.view(instance, clock.nowMs());
      if (!isFresh(known, maxAgeMs, clock.nowMs())) {
        await readOnce(instance, turnWithinMs);
        known = await ledger.queues.view(instance, clock.nowMs());
      }
      // Where there is something to wait for, it matters how long.
      const isPaceWanted = known.releaseIntervalMs === undefined && (wantsPace || known.depth !== 0);
      if (isPaceWanted && !asked.has(instance)) {
        asked.add(instance);
        await learnFromSettings(deps, instance);
        known = await ledger.queues.view(instance, clock.nowMs());
      }
      return queueNow(known, clock.nowMs());
    },
  };
}

export function queueNow(known: QueueEstimate, nowMs: number): QueueNow {
  const depth = estimatedDepth(known, nowMs);
  const { releaseIntervalMs: intervalMs } = known;
  return {
    isReadable: known.unreadableSinceMs === undefined,
    ...(depth === undefined ? {} : { depth }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
  };
}

function isFresh({ begunAtMs, unreadableSinceMs }: QueueEstimate, maxAgeMs: number, nowMs: number): boolean {
  return unreadableSinceMs === undefined && begunAtMs !== undefined && nowMs - begunAtMs < maxAgeMs;
}

/** How long a response may take: the caller has a message to post. */
const RESPONSE_WITHIN_MS = 5_000;

async function read({ ledger, gateway, clock, log }: QueueDependencies, instance: string, turnWithinMs: number) {
  const begunAtMs = clock.nowMs();
  try {
    const { response } = await gateway.call(
      instance,
      'showMessagesQueue',
      {},
      { deadlineMs: begunAtMs + turnWithinMs },
    );
    const readAtMs = clock.nowMs();
    await recordReading(ledger, instance, { items: response, begunAtMs, readAtMs });
    await ledger.queues.recordReading({ instance, depth: response.length, begunAtMs, readAtMs });
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    // No turn, no reading; that says nothing of the queue.
    if (error.code === 'GATEWAY_BUSY' || error.code === 'GATEWAY_DEADLINE_PASSED') return;
    log({ level: 'warn', message: 'the queue could not be read', instance, code: error.code });
    await ledger.queues.recordUnreadable(instance, clock.nowMs());
  }
}

/**
 * Not every instance tells its settings, and what it tells may be no delay at all: then the pace is learned from what
 * is seen.
 */
async function learnFromSettings({ ledger, gateway, clock, log }: QueueDependencies, instance: string): Promise<void> {
  try {
    const { response } = await gateway.call(
      instance,
      'getSettings',
      {},
      { deadlineMs: clock.nowMs() + RESPONSE_WITHIN_MS },
    );
    const delayMs = response.delaySendMessagesMilliseconds ?? 0;
    if (delayMs > 0) await ledger.queues.startInterval(instance, delayMs);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
    log({ level: 'info', message: 'the settings do not tell the pace', instance, code: error.code });
  }
}
