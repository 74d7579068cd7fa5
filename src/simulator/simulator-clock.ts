/** The source of the simulator's time: the clock of the machine or of a test. */
export interface TimeSource {
  nowMs(): number;
}

/**
 * The simulator's time: `base + (source now - source then) * speed`. It never runs backwards, even if the source does,
 * because a released item cannot return to the queue.
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

  /** Multiplies the speed of the source from now on. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#rebase(this.nowMs());
    this.#speed = speed;
  }

  /** Jumps ahead to `timeMs`. Does nothing if that time has passed. */
  jumpTo(timeMs: number): void {
    if (timeMs > this.nowMs()) this.#rebase(timeMs);
  }

  /** Continues the clock of an earlier process. The time between the processes counts. */
  resume(at: { readonly timeMs: number; readonly sourceMs: number; readonly speed: number }): void {
    this.#baseMs = at.timeMs;
    this.#sourceBaseMs = at.sourceMs;
    this.#speed = at.speed;
    this.#latestMs = at.timeMs;
  }

  /** Restores the time and speed of the source. */
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
