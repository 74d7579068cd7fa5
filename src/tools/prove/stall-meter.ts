/**
 * How long the product stands still although something waits to be sent: from an acknowledged request, or from a
 * restart, to the next progress. While it is down the meter is not asked; a restart begins a new measurement.
 */
export class StallMeter {
  readonly #nowMs: () => number;
  #sinceMs: number | undefined;
  #longestMs = 0;

  /** @param nowMs  a monotonic clock */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get longestMs(): number {
    return this.#longestMs;
  }

  /** The product was started, or something that it needs came back. */
  restarted(): void {
    this.#sinceMs = this.#nowMs();
  }

  /** The product, or something that it needs, is gone: standing still is not its fault. */
  stopped(): void {
    this.#sinceMs = undefined;
  }

  /** Something went on: a request was acknowledged, or one reached the gateway, or a phone received something. */
  progressed(): void {
    if (this.#sinceMs === undefined) return;
    this.#note();
    this.#sinceMs = this.#nowMs();
  }

  /** @param isWaiting  whether anything waits to be sent */
  poll(isWaiting: boolean): void {
    if (this.#sinceMs === undefined) return;
    if (isWaiting) this.#note();
    else this.#sinceMs = this.#nowMs();
  }

  #note(): void {
    this.#longestMs = Math.max(this.#longestMs, this.#nowMs() - (this.#sinceMs ?? this.#nowMs()));
  }
}
