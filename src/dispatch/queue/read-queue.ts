import { AppError, type Clock } from '../../contract/index.js';
import type { ActiveShift } from '../shift/active-shift.js';
import type { DispatcherDependencies, Listing } from '../dependencies.js';
import type { QueueDepth } from './queue-depth.js';

/** How long a reading waits for the rate limit; after that the last reading is used. */
const TURN_WITHIN_MS = 1_500;

type ReadingDependencies = Pick<DispatcherDependencies, 'gateway' | 'clock' | 'timers' | 'listed' | 'log'>;

/** Reads the queues of instances; at most one reading of each at a time. */
export class QueueReader {
  readonly #deps: ReadingDependencies;
  readonly #underWay = new Set<QueueDepth>();

  constructor(deps: ReadingDependencies) {
    this.#deps = deps;
  }

  /** Never throws. @param read  called after a reading that this call started */
  async read(active: ActiveShift, read: () => void): Promise<void> {
    const { queue } = active;
    if (this.#underWay.has(queue)) return;
    this.#underWay.add(queue);
    await readQueue(this.#deps, active);
    this.#underWay.delete(queue);
    active.nextAtMs = 0;
    read();
  }
}

/** Reads the settings once, and only if nothing has shown the pace yet. */
async function readQueue(deps: ReadingDependencies, { shift, queue, inFlight }: ActiveShift): Promise<void> {
  const { instance } = shift;
  const { gateway, clock, timers, log } = deps;
  const begunAtMs = clock.nowMs();
  const finish = queue.beginReading(timers.nowMs(), inFlight.size);
  try {
    const { response: items } = await gateway.call(instance, 'showMessagesQueue', {}, within(clock));
    finish(items.length, timers.nowMs());
    await recorded(deps, instance, { items, begunAtMs, readAtMs: clock.nowMs() });
  } catch (error) {
    // The rate limit allowed no reading, which is no information about the queue.
    if (isCode(error, 'GATEWAY_BUSY', 'GATEWAY_DEADLINE_PASSED')) return;
    log({ level: 'warn', message: 'the queue could not be read', instance, error });
    finish(undefined, timers.nowMs());
  }
  if (queue.intervalMs === undefined) await learnInterval(deps, instance, queue);
}

/** A reading that the ledger could not store is not evidence; the next one may be. */
async function recorded({ listed, log }: ReadingDependencies, instance: string, listing: Listing): Promise<void> {
  try {
    await listed?.(instance, listing);
  } catch (error) {
    log({ level: 'warn', message: 'a reading of the queue could not be recorded', instance, error });
  }
}

/** Not every instance shows its delay, or has one: then the pace is learned from readings. */
async function learnInterval(deps: ReadingDependencies, instance: string, queue: QueueDepth): Promise<void> {
  try {
    const { response } = await deps.gateway.call(instance, 'getSettings', {}, within(deps.clock));
    const delayMs = response.delaySendMessagesMilliseconds ?? 0;
    if (delayMs > 0) queue.startInterval(delayMs);
  } catch (error) {
    deps.log({ level: 'info', message: 'the settings do not name the release interval', instance, error });
  }
}

function within(clock: Clock): { readonly deadlineMs: number } {
  return { deadlineMs: clock.nowMs() + TURN_WITHIN_MS };
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof AppError && codes.includes(error.code);
}
