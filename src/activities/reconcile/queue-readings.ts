import type { Clock } from '../../contract/index.js';
import type { Gateway } from '../../gateway/index.js';
import type { QueueReading } from './decide.js';
import { queueSighting } from './sightings.js';

/**
 * Readings of each instance's queue, shared by all who wait for one: the gateway allows about one a second, and after an
 * outage many rows ask at once. Whoever asks while a reading is under way gets the one after it: a reading that was begun before
 * it was asked for may be too old to prove anything.
 */
export class QueueReadings {
  readonly #gateway: Gateway;
  readonly #clock: Clock;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<QueueReading>>();

  constructor(gateway: Gateway, clock: Clock) {
    this.#gateway = gateway;
    this.#clock = clock;
  }

  /**
   * @returns a reading that was begun after this call
   * @throws AppError as the gateway client does
   */
  read(instance: string): Promise<QueueReading> {
    const next = this.#next.get(instance) ?? this.#after(this.#running.get(instance), instance);
    this.#next.set(instance, next);
    return next;
  }

  async #after(running: Promise<unknown> | undefined, instance: string): Promise<QueueReading> {
    await Promise.allSettled([running]);
    this.#next.delete(instance);
    const reading = this.#readNow(instance);
    this.#running.set(instance, reading);
    return reading;
  }

  async #readNow(instance: string): Promise<QueueReading> {
    const begunAtMs = this.#clock.nowMs();
    const { answer } = await this.#gateway.call(instance, 'showMessagesQueue', {});
    return { begunAtMs, items: answer.map(queueSighting) };
  }
}
