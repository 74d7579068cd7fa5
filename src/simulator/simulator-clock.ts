/** Where the simulator's time comes from; the machine's clock unless a test leads it. */
export interface TimeSource {
  nowMs(): number;
}

/**
 * The simulator's time: `base + (source now - source then) * speed`. It never runs backwards, not even when the source
 * does, because a queue that was released stays released.
 */
export class SimulatorClock {
  #source: TimeSource;
  #speed = 1;
  #baseMs: number;
  #sourceBaseMs: number;
  #latestMs = 0;

  constructor(source: TimeSource) {
    this.#source = source;
    this.#sourceBaseMs = source.nowMs();
    this.#baseMs = this.#sourceBaseMs;
  }

  nowMs(): number {
    const passedMs = this.#source.nowMs() - this.#sourceBaseMs;
    this.#latestMs = Math.max(this.#latestMs, Math.floor(this.#baseMs + passedMs * this.#speed));
    return this.#latestMs;
  }

  sourceNowMs(): number {
    return this.#source.nowMs();
  }

  /** Multiplies the source's pace from now on. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#rebase(this.nowMs());
    this.#speed = speed;
  }

  /** Jumps ahead to `timeMs`; a time that has passed already changes nothing. */
  jumpTo(timeMs: number): void {
    if (timeMs > this.nowMs()) this.#rebase(timeMs);
  }

  /** Goes on from where an earlier process stood, the time it was down included. */
  resume(at: { readonly timeMs: number; readonly sourceMs: number; readonly speed: number }): void {
    this.#baseMs = at.timeMs;
    this.#sourceBaseMs = at.sourceMs;
    this.#speed = at.speed;
    this.#latestMs = at.timeMs;
  }

  /** Back to the source's own time and pace. */
  reset(): void {
    this.#sourceBaseMs = this.#source.nowMs();
    this.#baseMs = this.#sourceBaseMs;
    this.#speed = 1;
    this.#latestMs = 0;
  }

  #rebase(timeMs: number): void {
    this.#baseMs = timeMs;
    this.#sourceBaseMs = this.#source.nowMs();
  }
}
