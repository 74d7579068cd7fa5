/**
 * Predicts when the messages of a campaign are posted and leave the gateway's queue, by the dispatcher's rules with
 * simulated time.
 *
 * FORECAST-1 A message is posted when its stream is open (LIMIT-1), no cap of the day is reached, the pause after the
 *    campaign's last message has passed, the gateway can be reached, and its queue holds fewer items than the
 *    campaign's high water mark.
 * FORECAST-2 The queue releases its items in order, one per release interval. An empty queue releases an item at once.
 * FORECAST-3 The open stream that was served longest ago is served first.
 * FORECAST-4 A message that would leave the queue after the deadline is not posted.
 * FORECAST-5 The plan assumes that nothing fails, and nothing else is sent but what FORECAST-8 says.
 * FORECAST-6 Typing that the gateway shows before a message delays the items behind it.
 * FORECAST-8 Other running campaigns of the account take their turns (DISPATCH-7) until what they have now is sent, in the
 *    hours of this one.
 */
import type { Jitter } from '../contract/index.js';
import { jitterMs, openTimes, type ClosedBy, type DailyCap, type OpenTimes, type SendingRules } from './open-times.js';
import { ALWAYS_OPEN, HORIZON_MS, type OpenHours, type OpenSpan } from './open-hours.js';
import { localDayAt, offsetAt } from './local-time.js';

/** The reasons for which nothing is posted for a while, apart from the pace. */
export const PLANNED_REASONS = [
  'SENDING_WINDOW_CLOSED',
  'QUIET_HOURS',
  'DAILY_LIMIT_REACHED',
  'OFFLINE',
] as const satisfies readonly (ClosedBy | 'DAILY_LIMIT_REACHED' | 'OFFLINE')[];
export type PlannedReason = (typeof PLANNED_REASONS)[number];

export interface PlannedWait {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly reason: PlannedReason;
}

export interface PlannedPost {
  readonly postedAtMs: number;
  /** When the gateway's queue releases the message. */
  readonly leavesAtMs: number;
  /** Of the recipient, if the campaign uses their local time. */
  readonly timezone: string | undefined;
}

/** Recipients of a campaign with the same local time. */
export interface PlannedStream {
  readonly rules: SendingRules;
  /** How many messages the plan posts. */
  readonly recipients: number;
  /** The line of the recipient at a position in the stream, which determines the pause after the message. */
  readonly lineAt: (place: number) => number;
}

/** What another campaign of the account has left to send. */
export interface PlannedOther {
  readonly waiting: number;
  /** How many of its messages are posted for each one of this campaign. */
  readonly turns: number;
}

export interface PlanInput {
  /** The time of the plan, from which the queue drains. */
  readonly nowMs: number;
  readonly startMs: number;
  readonly deadlineMs: number;
  readonly streams: readonly PlannedStream[];
  readonly queue: { readonly depth: number; readonly releaseIntervalMs: number; readonly highWater: number };
  /** When the gateway can be reached and its phone is online. @default always */
  readonly online?: OpenHours;
  /** How long the gateway shows typing before each message. @default no typing */
  readonly typingMs?: number;
  readonly jitter?: { readonly seed: string } & Pick<Jitter, 'minMs' | 'maxMs'>;
  /** @default none */
  readonly others?: readonly PlannedOther[];
  /** How many messages were posted in the scope of a cap on that day before the plan. @default none */
  readonly posted?: (scope: string, dayStartMs: number) => number;
}

/** How many messages were posted in the scope of a cap on a day. */
export interface Counter {
  readonly isInstance: boolean;
  readonly cap: number;
  readonly untilMs: number;
  posted: number;
}

interface Opening {
  readonly atMs: number;
  readonly reason?: PlannedReason;
}

/** A stream during the simulation. */
class Stream {
  place = 0;
  served = 0;
  readonly #planned: PlannedStream;
  readonly #counter: (cap: DailyCap) => Counter;
  #times: OpenTimes | undefined;
  counters: readonly Counter[] = [];

  constructor(planned: PlannedStream, counter: (cap: DailyCap) => Counter) {
    this.#planned = planned;
    this.#counter = counter;
  }

  get isDone(): boolean {
    return this.place >= this.#planned.recipients;
  }

  get timezone(): string | undefined {
    return this.#planned.rules.campaign?.timezone;
  }

  get line(): number {
    return this.#planned.lineAt(this.place);
  }

  /** The next time at which the stream may post, as known now. The caller asks again at that time. */
  opens(atMs: number): Opening {
    let times = this.#times;
    if (times === undefined || times.closesAtMs <= atMs) {
      times = openTimes(this.#planned.rules, atMs);
      this.#times = times;
      this.counters = times.caps.map(this.#counter);
    }
    if (times.opensAtMs > atMs) return { atMs: times.opensAtMs, ...(times.closedBy && { reason: times.closedBy }) };
    // Urgent messages ignore the cap of their instance (LIMIT-6).
    const isUrgent = this.#planned.rules.isUrgent;
    const reached = this.counters.find(({ isInstance, cap, posted }) => posted >= cap && !(isUrgent && isInstance));
    return reached === undefined ? { atMs } : { atMs: reached.untilMs, reason: 'DAILY_LIMIT_REACHED' };
  }
}

/** The gateway's queue, by FORECAST-2. */
class Queue {
  readonly #intervalMs: number;
  readonly #online: (atMs: number) => number;
  /** When the newest items leave, in order. It holds as many items as the high water mark. */
  readonly #leaving: Float64Array;
  #added = 0;
  #lastMs: number;

  constructor({ queue, nowMs, online }: PlanInput) {
    this.#intervalMs = queue.releaseIntervalMs;
    // Its own hours, since its time is ahead of the POSTs.
    this.#online = onlineFrom(online);
    this.#leaving = new Float64Array(queue.highWater).fill(-Infinity);
    this.#lastMs = queue.depth === 0 ? -Infinity : nowMs;
    for (let item = 0; item < queue.depth; item += 1) this.add(nowMs);
  }

  /** When the queue has fewer items than the high water mark. */
  get hasRoomAtMs(): number {
    return this.#leaving[this.#added % this.#leaving.length] ?? -Infinity;
  }

  leavesAtMs(atMs: number): number {
    return this.#online(Math.max(atMs, this.#lastMs + this.#intervalMs));
  }

  /** @param holdsMs  how long the item delays the items behind it, in addition to the interval */
  add(atMs: number, holdsMs = 0): number {
    const leavesAtMs = this.leavesAtMs(atMs);
    this.#lastMs = leavesAtMs + holdsMs;
    this.#leaving[this.#added % this.#leaving.length] = leavesAtMs;
    this.#added += 1;
    return leavesAtMs;
  }
}

/** @returns a function that returns a time, or the next time at which the phone is online */
function onlineFrom(hours: OpenHours = ALWAYS_OPEN): (atMs: number) => number {
  let span: OpenSpan = { openAtMs: 0, closesAtMs: 0 };
  return (atMs) => {
    if (atMs === Infinity) return atMs;
    if (atMs < span.openAtMs || atMs >= span.closesAtMs) {
      span = hours(atMs) ?? { openAtMs: Infinity, closesAtMs: Infinity };
    }
    return Math.max(atMs, span.openAtMs);
  };
}

/** Posts messages one after the other. */
export class PlannedPosts {
  readonly #input: PlanInput;
  readonly #online: (atMs: number) => number;
  readonly #queue: Queue;
  readonly #endMs: number;
  readonly #counters = new Map<string, Counter>();
  readonly #shared: Map<string, Counter>;
  readonly #others: { waiting: number; due: number; readonly turns: number }[];
  #streams: Stream[];
  readonly #waits: PlannedWait[] = [];
  #atMs: number;
  #served = 0;

  /** @param shared  the counters of the campaign's own caps, which the accounts of a pool share */
  constructor(input: PlanInput, shared = new Map<string, Counter>()) {
    this.#input = input;
    this.#shared = shared;
    this.#online = onlineFrom(input.online);
    this.#queue = new Queue(input);
    this.#endMs = Math.min(input.deadlineMs, input.startMs + HORIZON_MS);
    const streams = input.streams.map((stream) => new Stream(stream, (cap) => this.#counter(cap)));
    this.#streams = streams.filter(({ isDone }) => !isDone);
    this.#others = (input.others ?? []).map((other) => ({ ...other, due: 0 }));
    this.#atMs = input.startMs;
  }

  /** The next message; undefined if there is none that can be posted before the deadline. */
  next(): PlannedPost | undefined {
    for (let atMs = Math.max(this.#atMs, this.#queue.hasRoomAtMs); atMs < this.#endMs;) {
      atMs = this.#online(atMs);
      if (atMs >= this.#endMs) return undefined;
      const first = this.#firstOpen(atMs);
      if (first === undefined) return undefined;
      const { opens, stream } = first;
      if (opens.atMs <= atMs) return this.#queue.leavesAtMs(atMs) > this.#endMs ? undefined : this.#post(stream, atMs);
      this.#wait(atMs, opens.atMs, opens.reason);
      atMs = opens.atMs;
    }
    return undefined;
  }

  /**
   * The intervals without POSTs so far, with their reasons. Offline hours are listed until `untilMs`. Intervals may
   * overlap.
   */
  waits(untilMs: number): PlannedWait[] {
    return [...this.#waits, ...this.#offline(Math.min(untilMs, this.#endMs))].toSorted((a, b) => a.fromMs - b.fromMs);
  }

  #offline(untilMs: number): PlannedWait[] {
    const { online, startMs } = this.#input;
    const waits: PlannedWait[] = [];
    if (online === undefined) return waits;
    for (let fromMs = startMs; fromMs < untilMs;) {
      const { openAtMs, closesAtMs } = online(fromMs) ?? { openAtMs: untilMs, closesAtMs: untilMs };
      if (openAtMs > fromMs) waits.push({ fromMs, untilMs: Math.min(openAtMs, untilMs), reason: 'OFFLINE' });
      fromMs = closesAtMs;
    }
    return waits;
  }

  #post(stream: Stream, atMs: number): PlannedPost {
    const { jitter, typingMs } = this.#input;
    this.#atMs = jitter === undefined ? atMs : atMs + jitterMs(jitter.seed, stream.line, jitter);
    for (const counter of stream.counters) counter.posted += 1;
    stream.place += 1;
    stream.served = ++this.#served;
    if (stream.isDone) this.#streams = this.#streams.filter((other) => other !== stream);
    const leavesAtMs = this.#queue.add(atMs, typingMs);
    this.#postOthers(atMs);
    return { postedAtMs: atMs, leavesAtMs, timezone: stream.timezone };
  }

  /** FORECAST-8 */
  #postOthers(atMs: number): void {
    for (const other of this.#others) {
      for (other.due += other.turns; other.due >= 1 && other.waiting > 0; other.due -= 1) {
        this.#queue.add(atMs);
        other.waiting -= 1;
      }
    }
  }

  /** FORECAST-3 */
  #firstOpen(atMs: number) {
    let first: { readonly opens: Opening; readonly stream: Stream } | undefined;
    for (const stream of this.#streams) {
      const opens = stream.opens(atMs);
      const isFirst =
        first === undefined ||
        opens.atMs < first.opens.atMs ||
        (opens.atMs === first.opens.atMs && stream.served < first.stream.served);
      if (isFirst) first = { stream, opens };
    }
    return first;
  }

  #wait(fromMs: number, untilMs: number, reason: PlannedReason | undefined): void {
    if (reason === undefined) return;
    const wait = { fromMs, untilMs: Math.min(untilMs, this.#endMs), reason };
    const last = this.#waits.at(-1);
    const goesOn = last !== undefined && last.reason === reason && last.untilMs === fromMs;
    if (goesOn) this.#waits[this.#waits.length - 1] = { ...wait, fromMs: last.fromMs };
    else this.#waits.push(wait);
  }

  #counter({ scope, day, cap }: DailyCap): Counter {
    const key = `${scope} ${day.startMs}`;
    const isInstance = scope.startsWith('instance:');
    const counters = isInstance ? this.#counters : this.#shared;
    const counter = counters.get(key) ?? {
      isInstance,
      cap,
      untilMs: day.endMs,
      posted: this.#input.posted?.(scope, day.startMs) ?? 0,
    };
    counters.set(key, counter);
    return counter;
  }
}

export const PLAN_PERIODS = ['minute', 'hour', 'day'] as const;
export type PlanPeriod = (typeof PLAN_PERIODS)[number];

/** The plan of one local minute, hour or day. */
export interface PlanRow {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly posted: number;
  /** How many messages the gateway's queue releases. */
  readonly left: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A row before every event. */
const NONE = { fromMs: 0, untilMs: -Infinity, posted: 0, left: 0 };

/** Counts events by hour, or by minute. Periods without events have no row. */
export class PlanRows {
  readonly #timezone: string;
  readonly #periodMs: number;
  readonly #rows = new Map<number, typeof NONE>();
  #ofPosted = NONE;
  #ofLeft = NONE;

  /** @param shortest  the shortest period that {@link by} can be asked for */
  constructor(timezone: string, shortest: 'minute' | 'hour') {
    this.#timezone = timezone;
    this.#periodMs = shortest === 'minute' ? MINUTE_MS : HOUR_MS;
  }

  add(postedAtMs: number, leavesAtMs: number): void {
    if (postedAtMs >= this.#ofPosted.untilMs) this.#ofPosted = this.#row(postedAtMs);
    if (leavesAtMs >= this.#ofLeft.untilMs) this.#ofLeft = this.#row(leavesAtMs);
    this.#ofPosted.posted += 1;
    this.#ofLeft.left += 1;
  }

  /** Of the shortest period. */
  get count(): number {
    return this.#rows.size;
  }

  by(period: PlanPeriod): PlanRow[] {
    const rows = [...this.#rows.values()].toSorted((a, b) => a.fromMs - b.fromMs);
    if (period !== 'day') return rows;
    const days = new Map<number, PlanRow>();
    for (const { fromMs, posted, left } of rows) {
      const { startMs, endMs } = localDayAt(this.#timezone, fromMs);
      const day = days.get(startMs) ?? { posted: 0, left: 0 };
      days.set(startMs, { fromMs: startMs, untilMs: endMs, posted: day.posted + posted, left: day.left + left });
    }
    return [...days.values()];
  }

  #row(atMs: number) {
    const { offsetMs, untilMs: changesMs } = offsetAt(this.#timezone, atMs);
    const fromMs = Math.floor((atMs + offsetMs) / this.#periodMs) * this.#periodMs - offsetMs;
    const untilMs = Math.min(fromMs + this.#periodMs, changesMs);
    const row = this.#rows.get(fromMs) ?? { fromMs, untilMs, posted: 0, left: 0 };
    this.#rows.set(fromMs, row);
    return row;
  }
}
