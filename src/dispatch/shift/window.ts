/**
 * How many POSTs of an instance may be in flight at once. Pure rules.
 *
 * WINDOW-1 As many as the gateway's pace needs, and no more, since a killed process makes all of them unknown: min(128,
 *    ceil(p90 latency × min(rate limit, releases a second)) + 1).
 * WINDOW-2 One additional slot is reserved for urgent messages.
 * WINDOW-3 A POST older than max(1 s, 3 × p90 latency) no longer counts, for at most three POSTs, so that a hanging
 * POST does not block the others.
 * WINDOW-4 Latency is the time from a claim until its slot can be claimed again, so it includes the ledger's part.
 */
const LARGEST_WINDOW = 128;
const OLD_AT_LEAST_MS = 1_000;
const OLD_LATENCIES = 3;
const MOST_UNCOUNTED = 3;
/** Assumed before the first outcome; gives a window of 2 at any pace up to 10 a second. */
const ASSUMED_LATENCY_MS = 100;
/**
 * The outcomes of half a minute at the fastest release interval, so that a change of the gateway's speed shows soon.
 */
const SAMPLES = 50;

/** The last latencies of an instance. */
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

/** @param perSecond  the smaller of the rate limit and the releases a second; Infinity if there is neither */
export function windowSize(p90Ms: number, perSecond: number): number {
  return Math.min(LARGEST_WINDOW, Math.ceil((p90Ms / 1_000) * perSecond) + 1);
}

/** The age from which a POST may no longer count. */
export function oldAfterMs(p90Ms: number): number {
  return Math.max(OLD_AT_LEAST_MS, OLD_LATENCIES * p90Ms);
}

/** How many POSTs occupy a slot. @param agesMs  of all POSTs in flight */
export function countedInFlight(agesMs: readonly number[], p90Ms: number): number {
  const oldMs = oldAfterMs(p90Ms);
  const old = agesMs.filter((ageMs) => ageMs > oldMs).length;
  return agesMs.length - Math.min(MOST_UNCOUNTED, old);
}

/** Slots that may be claimed now. */
export interface FreeSlots {
  /** For every class. */
  readonly any: number;
  /** For urgent messages; includes the slots for every class. */
  readonly urgent: number;
}

/** @param limit  the limit set by caution; Infinity without a reason for caution */
export function freeSlots(size: number, counted: number, limit: number): FreeSlots {
  const any = Math.max(0, Math.min(size, limit) - counted);
  return { any, urgent: Math.max(0, Math.min(size + 1, limit) - counted) };
}
