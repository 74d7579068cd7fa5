import type { Clock } from '../../src/contract/index.js';
import type { Timers } from '../../src/dispatch/index.js';

const EPOCH_MS = Date.parse('2026-03-01T10:00:00.000Z');

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that only the test moves, timer by timer. The work of one timer settles before the next one fires. */
export class LedClock implements Timers {
  #nowMs = 0;
  #timers: Timer[] = [];
  /** Resolves when all work that needs no time has finished. */
  readonly #settle: () => Promise<void>;

  readonly wall: Clock = { nowMs: () => EPOCH_MS + this.#nowMs };

  /** @param settle @default waits for work in memory */
  constructor(settle: () => Promise<void> = afterMicrotasks) {
    this.#settle = settle;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** The number of timers that wait to fire. */
  get pending(): number {
    return this.#timers.length;
  }

  /** When the next timer fires; Infinity when none waits. */
  get nextAtMs(): number {
    return this.#timers[0]?.atMs ?? Infinity;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), run };
    const later = this.#timers.findIndex(({ atMs }) => atMs > timer.atMs);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Time passes at once, as for a suspended machine: what was due meanwhile runs afterwards. */
  jump(forMs: number): void {
    this.#nowMs += forMs;
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  async pass(forMs: number): Promise<void> {
    const untilMs = this.#nowMs + forMs;
    await this.settle();
    for (let next = this.#timers[0]; next !== undefined && next.atMs <= untilMs; next = this.#timers[0]) {
      this.#timers.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Waits until the work of a timer has settled. */
  settle(): Promise<void> {
    return this.#settle();
  }

  /** Passes time until `done` has settled. */
  async until<Result>(done: Promise<Result>, atMostMs = 3_600_000): Promise<Result> {
    const state = { isOver: false };
    const over = done.finally(() => {
      state.isOver = true;
    });
    over.catch(() => undefined);
    for (let passedMs = 0; !state.isOver && passedMs < atMostMs; passedMs += 100) await this.pass(100);
    if (!state.isOver) throw new Error(`it has not ended after ${atMostMs} ms`);
    return over;
  }
}

function afterMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
