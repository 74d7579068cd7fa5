/**
 * How long an instance stands still although a message of it could be sent, and what it waited for meanwhile.
 *
 * STALL-1 A stall lasts from the moment since which something is due to the next step of the product: a request to
 *    send, or a message that changes its state. New messages, deliveries and requests of other kinds are no step.
 * STALL-2 While the product or something that it needs is down there is no stall. A new one begins with the restart, so
 *    the start of the product is part of it.
 */
export interface Stall {
  readonly instance: string;
  readonly ms: number;
  /** What began it: a restart, or the last step before. */
  readonly since: string;
  /** In order. */
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

/** Shorter ones are not kept, but for the longest of all. */
const KEPT_FROM_MS = 5_000;
const STEP = 'its last step';

export class StallMeter {
  readonly #nowMs: () => number;
  readonly #running = new Map<string, Running>();
  readonly #stalls: Stall[] = [];
  /** Since the last restart; undefined while something is down. */
  #restart: { readonly atMs: number; readonly what: string } | undefined;

  /** @param nowMs  a monotonic clock */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The longest first. */
  get stalls(): readonly Stall[] {
    return this.#stalls.toSorted((one, other) => other.ms - one.ms);
  }

  /** @param what  was started, or came back */
  restarted(what: string): void {
    this.#endAll();
    this.#restart = { atMs: this.#nowMs(), what };
  }

  /** The product, or something that it needs, is gone. */
  stopped(): void {
    this.#endAll();
    this.#restart = undefined;
  }

  /** The instance took a step (STALL-1). */
  progressed(instance: string): void {
    this.#end(instance);
    this.#begin(instance, STEP, this.#nowMs());
  }

  /** @param waitsFor  what keeps the message that is due; undefined: none is */
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

  /** Adds the time since the last poll to what is waited for now. */
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
    const stall = { instance, ms: this.#nowMs() - running.sinceMs, since: running.since, waitedFor: running.waits };
    const longest = this.#stalls[0];
    if (longest !== undefined && longest.ms < KEPT_FROM_MS && longest.ms < stall.ms) this.#stalls.shift();
    if (this.#stalls.length === 0 || stall.ms >= KEPT_FROM_MS) this.#stalls.push(stall);
  }
}
