import { AppError, type Clock } from '../../contract/index.js';
import type { ActiveShift } from './active-shift.js';
import type { DispatcherDependencies } from './dependencies.js';
import type { QueueDepth } from '../queue/queue-depth.js';

/** How long a reading waits for the rate limit. After that the last reading counts. */
const TURN_WITHIN_MS = 1_500;

type ReadingDependencies = Pick<DispatcherDependencies, 'gateway' | 'clock' | 'timers' | 'listed' | 'log'>;

/** Reads the queues of instances, with at most one reading of each queue at a time. */
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

/** Reads the queue, and the settings once if the pace is not known. */
async function readQueue(deps: ReadingDependencies, { shift, queue, inFlight }: ActiveShift): Promise<void> {
  const { instance } = shift;
  const { gateway, clock, timers, log } = deps;
  const begunAtMs = clock.nowMs();
  const finish = queue.beginReading(timers.nowMs(), inFlight.size);
  try {
    const { response: items } = await gateway.call(instance, 'showMessagesQueue', {}, within(clock));
    finish(items.length, timers.nowMs());
    // Without a record the reading is not evidence, and the next one may be.
    try {
      await deps.listed?.(instance, { items, begunAtMs, readAtMs: clock.nowMs() });
    } catch (error) {
      deps.log({ level: 'warn', message: 'a reading of the queue could not be recorded', instance, error });
    }
  } catch (error) {
    // The rate limit did not allow a reading. This says nothing about the queue.
    if (error instanceof AppError && ['GATEWAY_BUSY', 'GATEWAY_DEADLINE_PASSED'].includes(error.code)) return;
    log({ level: 'warn', message: 'the queue could not be read', instance, error });
    finish(undefined, timers.nowMs());
  }
  if (queue.intervalMs === undefined) await learnInterval(deps, instance, queue);
}

/** Learns the interval from the settings. If an instance does not show its delay, readings show the pace. */
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
