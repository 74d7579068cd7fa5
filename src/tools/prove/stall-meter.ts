/**
 * Measures how long an instance makes no progress although one of its messages is due, and what it waits for.
 *
 * STALL-1 While a message is due, a stall lasts from one step of the product to the next. A step is a request to send,
 *    or a message that changes its state. New messages, deliveries and other requests are not steps.
 * STALL-2 An outage of the product, Temporal or the gateway ends the stall. A new stall begins with the restart, so
 *    that it includes the start of the product.
 */
export interface Stall {
  readonly instance: string;
  readonly ms: number;
  /** The event at which it began: a restart, the last step, or a message that became due. */
  readonly since: string;
  /** In the order of time. */
  readonly waitedFor: readonly Wait[];
}

interface Wait {
  readonly what: string;
  readonly ms: number;
}

interface Running {
  readonly sinceMs: number;
  readonly since: string;
  seenMs: number;
  readonly waits: { what: string; ms: number }[];
}

const KEPT_FROM_MS = 5_000;
const STEP = 'its last step';

export class StallMeter {
  readonly #nowMs: () => number;
  readonly #running = new Map<string, Running>();
  readonly #stalls: Stall[] = [];
  /** The last restart; undefined during an outage. */
  #restart: { readonly atMs: number; readonly what: string } | undefined;

  /** @param nowMs  a monotonic clock */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The longest one, and all others of at least 5 seconds, the longest first. */
  get stalls(): readonly Stall[] {
    const sorted = this.#stalls.toSorted((one, other) => other.ms - one.ms);
    return sorted.filter(({ ms }, at) => at === 0 || ms >= KEPT_FROM_MS);
  }

  /** @param what  the part that was started or came back, as the report names it */
  restarted(what: string): void {
    this.#endAll();
    this.#restart = { atMs: this.#nowMs(), what };
  }

  /** The product, Temporal or the gateway is down. */
  stopped(): void {
    this.#endAll();
    this.#restart = undefined;
  }

  /** The instance took a step (STALL-1). */
  progressed(instance: string): void {
    this.#end(instance);
    this.#begin(instance, STEP, this.#nowMs());
  }

  /** @param waitsFor  what the due message waits for; undefined if no message is due */
  poll(instance: string, waitsFor: string | undefined): void {
    if (this.#restart === undefined) return;
    if (waitsFor === undefined) {
      this.#end(instance);
      this.#begin(instance, 'the message became due', this.#nowMs());
      return;
    }
    if (!this.#running.has(instance)) this.#begin(instance, this.#restart.what, this.#restart.atMs);
    this.#wait(instance, waitsFor);
  }

  /** Adds the time since the last poll to the current wait. */
  #wait(instance: string, what: string): void {
    const running = this.#running.get(instance);
    if (running === undefined) return;
    const ms = this.#nowMs() - running.seenMs;
    running.seenMs += ms;
    const last = running.waits.at(-1);
    if (last?.what === what) last.ms += ms;
    else running.waits.push({ what, ms });
  }

  #begin(instance: string, since: string, sinceMs: number): void {
    if (this.#restart === undefined) return;
    this.#running.set(instance, { sinceMs, since, seenMs: sinceMs, waits: [] });
  }

  #endAll(): void {
    for (const instance of this.#running.keys()) this.#end(instance);
  }

  #end(instance: string): void {
    const running = this.#running.get(instance);
    const last = running?.waits.at(-1);
    if (running !== undefined && last !== undefined) this.#wait(instance, last.what);
    this.#running.delete(instance);
    if (running === undefined || last === undefined) return;
    const { sinceMs, since, waits } = running;
    this.#stalls.push({ instance, ms: this.#nowMs() - sinceMs, since, waitedFor: waits });
  }
}
