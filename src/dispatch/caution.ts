/**
 * What an instance's outcomes allow: full speed, one message at a time, or none.
 *
 * CAUTION-1 From three open unknown outcomes on, or after a refusal that concerns the whole instance, one message is posted at a time.
 * CAUTION-2 Each response doubles how many are posted at a time and ends the pause. So a queue that answers stays filled, which the
 *    proofs of absence need. Each further unknown outcome or refusal goes back to one, after a pause that doubles from 1 s to 60 s.
 * CAUTION-3 A refusal that concerns the whole instance, with no outcome unknown, stops posting. Once nothing is in flight the shift
 *    ends with the refusal as its reason. A response before that ends the refusal.
 * CAUTION-4 A 429 delays one operation until the time that the gateway names. Until then claims leave its messages out;
 *    one that was claimed before is returned unposted. The delay outlives the shift.
 * CAUTION-5 A refused shift is followed by a pause that doubles from 1 s to 15 s until a response comes; it is longer where the
 *    refusal asks for more. The count outlives the shift. The pauses between the tries of a message have no part in it: each
 *    of many messages that wait has its first try.
 */
import { MOST_UNKNOWN, type AttemptOutcome, type MessageId, type SendOperation } from '../contract/index.js';

const REFUSED_FIRST_MS = 1_000;
const REFUSED_MAX_MS = 15_000;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** A refusal for the rate limit, which only the operation has reached. */
const DELAYS_OPERATION = new Set(['GATEWAY_BUSY', 'GATEWAY_DEADLINE_PASSED']);
/** A refusal that concerns the template of a message. */
const CONCERNS_MESSAGE = new Set(['TEMPLATE_NOT_APPROVED']);

/** Why an instance accepts no messages. */
export interface Refusal {
  readonly code: string;
  /** From the end of the shift to the next one. */
  readonly retryAfterMs: number;
}

/** Refused shifts of an instance, one after the other (CAUTION-5). */
export interface Refusals {
  inARow: number;
}

/** Until when operations are delayed (CAUTION-4). */
export type Delays = Map<SendOperation, number>;

/** The caution of one shift. Times are monotonic milliseconds. */
export class Caution {
  readonly #unknown: Set<MessageId>;
  readonly #delayedUntilMs: Delays;
  readonly #refusals: Refusals;
  #refusal: Refusal | undefined;
  #atOnce = 1;
  #pauseMs = 0;
  #probeAtMs = 0;

  /**
   * @param unknown  messages whose outcome is unknown from an earlier shift
   * @param delays  from earlier shifts; added to here
   * @param refusals  of earlier shifts; counted on here
   */
  constructor(unknown: readonly MessageId[], delays: Delays = new Map(), refusals: Refusals = { inARow: 0 }) {
    this.#unknown = new Set(unknown);
    this.#delayedUntilMs = delays;
    this.#refusals = refusals;
  }

  /** Why the shift has to end, once nothing is in flight (CAUTION-3). */
  get refusal(): Refusal | undefined {
    return this.#unknown.size === 0 ? this.#refusal : undefined;
  }

  /** True while the outcome of a message is unknown. */
  get isInDoubt(): boolean {
    return this.#unknown.size > 0;
  }

  /** Nothing is claimed before. */
  get pausedUntilMs(): number {
    return this.#probeAtMs;
  }

  /** How many may be in flight; Infinity when there is no reason for caution. */
  limit(): number {
    if (this.refusal !== undefined) return 0;
    return this.#isProbing() ? this.#atOnce : Infinity;
  }

  /** @param askedMs  the pause that a refusal asks for */
  outcome(messageId: MessageId, operation: SendOperation, outcome: AttemptOutcome, nowMs: number, askedMs = 0): void {
    switch (outcome.kind) {
      case 'accepted':
        this.#responded();
        return;
      case 'rejected':
        // Without a status it was our own check that rejected it.
        if (outcome.httpStatus !== undefined) this.#responded();
        return;
      case 'unknown':
        this.#unknown.add(messageId);
        if (this.#isProbing()) this.#slowDown(nowMs);
        return;
      case 'not_accepted':
        this.#refused(operation, outcome, nowMs, askedMs);
    }
  }

  /** An outcome that was unknown is known, or an operator has to resolve it. */
  resolved(messageId: MessageId): void {
    this.#unknown.delete(messageId);
  }

  isDelayed(operation: SendOperation, nowMs: number): boolean {
    return (this.#delayedUntilMs.get(operation) ?? 0) > nowMs;
  }

  /** Operations that claims leave out. */
  delayed(nowMs: number): SendOperation[] {
    return [...this.#delayedUntilMs.keys()].filter((operation) => this.isDelayed(operation, nowMs));
  }

  /** When the next of them is over; Infinity when there is none. */
  nextDelayEndMs(nowMs: number): number {
    return Math.min(Infinity, ...[...this.#delayedUntilMs.values()].filter((untilMs) => untilMs > nowMs));
  }

  /** How long the next try of a message of this operation has to wait. */
  waitFor(operation: SendOperation, nowMs: number): number {
    return Math.max(0, (this.#delayedUntilMs.get(operation) ?? nowMs) - nowMs);
  }

  #isProbing(): boolean {
    return this.#unknown.size >= MOST_UNKNOWN || this.#refusal !== undefined;
  }

  #responded(): void {
    this.#refusal = undefined;
    this.#refusals.inARow = 0;
    this.#pauseMs = 0;
    this.#probeAtMs = 0;
    this.#atOnce = this.#isProbing() ? this.#atOnce * 2 : 1;
  }

  #slowDown(nowMs: number): void {
    this.#atOnce = 1;
    this.#pauseMs = Math.min(PAUSE_MAX_MS, Math.max(PAUSE_FIRST_MS, this.#pauseMs * 2));
    this.#probeAtMs = nowMs + this.#pauseMs;
  }

  #refused(
    operation: SendOperation,
    refused: Extract<AttemptOutcome, { kind: 'not_accepted' }>,
    nowMs: number,
    askedMs: number,
  ): void {
    const { code, retryAfterMs = 0 } = refused;
    if (CONCERNS_MESSAGE.has(code)) return;
    if (DELAYS_OPERATION.has(code)) {
      this.#delayedUntilMs.set(operation, Math.max(this.#delayedUntilMs.get(operation) ?? 0, nowMs + retryAfterMs));
      return;
    }
    if (this.#refusal === undefined) this.#refusals.inARow += 1;
    const pauseMs = Math.min(REFUSED_MAX_MS, REFUSED_FIRST_MS * 2 ** (this.#refusals.inARow - 1));
    this.#refusal = { code, retryAfterMs: Math.max(askedMs, pauseMs) };
    this.#slowDown(nowMs);
  }
}
