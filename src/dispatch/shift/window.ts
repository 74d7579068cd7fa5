/**
 * Decides how many POSTs of an instance may be in flight at once. Pure rules.
 *
 * WINDOW-1 The window is the number that the gateway's pace needs, since a killed process makes all POSTs in flight
 *    unknown: min(128, ceil(p90 latency × min(rate limit, releases per second)) + 1).
 * WINDOW-2 One additional slot is reserved for urgent messages.
 * WINDOW-3 A POST older than max(1 s, 3 × p90 latency) does not count, so that a hanging POST does not block others.
 *    This applies to at most three POSTs.
 * WINDOW-4 Latency is the time from a claim until its slot is free again. It includes the work of the ledger.
 */
import type { DueAttempt } from '../../ledger/index.js';

const LARGEST_WINDOW = 128;
const OLD_AT_LEAST_MS = 1_000;
const OLD_LATENCIES = 3;
const MOST_UNCOUNTED = 3;
/** Assumed before the first outcome. It gives a window of 2 at any pace up to 10 per second. */
const ASSUMED_LATENCY_MS = 100;
/**
 * How many latencies are kept: half a minute at the shortest release interval, so that a change of speed shows soon.
 */
const SAMPLES = 50;

export class Latencies {
  readonly #samplesMs: number[] = [];
  #next = 0;
  #p90Ms: number | undefined = ASSUMED_LATENCY_MS;

  add(latencyMs: number): void {
    this.#samplesMs[this.#next] = latencyMs;
    this.#next = (this.#next + 1) % SAMPLES;
    this.#p90Ms = undefined;
  }

  p90Ms(): number {
    this.#p90Ms ??= this.#samplesMs.toSorted((a, b) => a - b)[Math.ceil(this.#samplesMs.length * 0.9) - 1] ?? 0;
    return this.#p90Ms;
  }
}

/** @param perSecond  the smaller one of rate limit and releases per second; Infinity without both */
export function windowSize(p90Ms: number, perSecond: number): number {
  return Math.min(LARGEST_WINDOW, Math.ceil((p90Ms / 1_000) * perSecond) + 1);
}

/** The age at which a POST may stop counting. */
function oldAfterMs(p90Ms: number): number {
  return Math.max(OLD_AT_LEAST_MS, OLD_LATENCIES * p90Ms);
}

/** How many POSTs occupy a slot. @param agesMs  the ages of all POSTs in flight */
export function countedInFlight(agesMs: readonly number[], p90Ms: number): number {
  const oldMs = oldAfterMs(p90Ms);
  const old = agesMs.filter((ageMs) => ageMs > oldMs).length;
  return agesMs.length - Math.min(MOST_UNCOUNTED, old);
}

/** The slots that may be claimed now. */
interface FreeSlots {
  /** For every class. */
  readonly any: number;
  /** For urgent messages, including the slots for every class. */
  readonly urgent: number;
}

/** @param limit  the limit of `Caution`; Infinity without a limit */
export function freeSlots(size: number, counted: number, limit: number): FreeSlots {
  const any = Math.max(0, Math.min(size, limit) - counted);
  return { any, urgent: Math.max(0, Math.min(size + 1, limit) - counted) };
}

/** The POSTs of one shift that are under way. Times are monotonic milliseconds. */
export class InFlight {
  readonly #latencies: Latencies;
  readonly #byToken = new Map<string, { readonly due: DueAttempt; readonly claimedAtMs: number }>();

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

  recipients(): string[] {
    return [...this.#byToken.values()].flatMap(({ due }) => due.recipientKey ?? []);
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
