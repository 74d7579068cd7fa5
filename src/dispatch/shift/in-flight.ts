import type { DueAttempt } from '../../ledger/index.js';
import { countedInFlight, freeSlots, oldAfterMs, windowSize, type FreeSlots, type Latencies } from './window.js';

interface Posting {
  readonly due: DueAttempt;
  readonly claimedAtMs: number;
}

/** The POSTs of one shift that are under way. Times are monotonic milliseconds. */
export class InFlight {
  readonly #latencies: Latencies;
  readonly #byToken = new Map<string, Posting>();

  constructor(latencies: Latencies) {
    this.#latencies = latencies;
  }

  get size(): number {
    return this.#byToken.size;
  }

  has(token: string): boolean {
    return this.#byToken.has(token);
  }

  add(due: DueAttempt, claimedAtMs: number): void {
    this.#byToken.set(due.token, { due, claimedAtMs });
  }

  remove(token: string, nowMs: number): void {
    const posting = this.#byToken.get(token);
    if (posting !== undefined) this.#latencies.add(nowMs - posting.claimedAtMs);
    this.#byToken.delete(token);
  }

  chats(): string[] {
    return [...this.#byToken.values()].flatMap(({ due }) => due.chatId ?? []);
  }

  /** How many POSTs may be in flight. */
  window(perSecond: number): number {
    return windowSize(this.#latencies.p90Ms(), perSecond);
  }

  /** @param limit  the limit of `Caution` */
  slots(perSecond: number, limit: number, nowMs: number): FreeSlots {
    const p90Ms = this.#latencies.p90Ms();
    const ages = [...this.#byToken.values()].map(({ claimedAtMs }) => nowMs - claimedAtMs);
    return freeSlots(windowSize(p90Ms, perSecond), countedInFlight(ages, p90Ms), limit);
  }

  /** When a hanging POST stops counting (WINDOW-3). */
  nextOldAtMs(nowMs: number): number {
    const oldMs = oldAfterMs(this.#latencies.p90Ms());
    const oldAtMs = [...this.#byToken.values()].map(({ claimedAtMs }) => claimedAtMs + oldMs + 1);
    return Math.min(Infinity, ...oldAtMs.filter((atMs) => atMs > nowMs));
  }
}
