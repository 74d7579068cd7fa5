import { localDayAt, offsetAt } from './local-time.js';

export const PLAN_PERIODS = ['hour', 'day'] as const;
export type PlanPeriod = (typeof PLAN_PERIODS)[number];

/** The plan of one local hour or day. */
export interface PlanRow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly posted: number;
  /** How many messages the gateway's queue releases. */
  readonly left: number;
}

const HOUR_MS = 60 * 60 * 1000;

/** Counts events by hour. Hours without events have no row. */
export class PlanRows {
  readonly #timezone: string;
  readonly #rows = new Map<number, { fromMs: number; untilMs: number; posted: number; left: number }>();
  #ofPosted = NONE;
  #ofLeft = NONE;

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  add(postedAtMs: number, leavesAtMs: number): void {
    if (postedAtMs >= this.#ofPosted.untilMs) this.#ofPosted = this.#row(postedAtMs);
    if (leavesAtMs >= this.#ofLeft.untilMs) this.#ofLeft = this.#row(leavesAtMs);
    this.#ofPosted.posted += 1;
    this.#ofLeft.left += 1;
  }

  by(period: PlanPeriod): PlanRow[] {
    const hours = [...this.#rows.values()].toSorted((a, b) => a.fromMs - b.fromMs);
    if (period === 'hour') return hours;
    const days = new Map<number, PlanRow>();
    for (const { fromMs, posted, left } of hours) {
      const { startMs, endMs } = localDayAt(this.#timezone, fromMs);
      const day = days.get(startMs) ?? { posted: 0, left: 0 };
      days.set(startMs, { fromMs: startMs, untilMs: endMs, posted: day.posted + posted, left: day.left + left });
    }
    return [...days.values()];
  }

  #row(atMs: number) {
    const { offsetMs, untilMs: changesMs } = offsetAt(this.#timezone, atMs);
    const fromMs = Math.floor((atMs + offsetMs) / HOUR_MS) * HOUR_MS - offsetMs;
    const row = this.#rows.get(fromMs) ?? {
      fromMs,
      untilMs: Math.min(fromMs + HOUR_MS, changesMs),
      posted: 0,
      left: 0,
    };
    this.#rows.set(fromMs, row);
    return row;
  }
}

const NONE = { fromMs: 0, untilMs: -Infinity, posted: 0, left: 0 };
