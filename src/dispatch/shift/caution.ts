/**
 * Limits the posting of an instance by its outcomes: full speed, one message at a time, or nothing.
 *
 * CAUTION-1 With three or more unknown outcomes, or after a failure of the whole instance, one message is posted at a
 *    time.
 * CAUTION-2 Each response doubles the number of messages posted at a time and ends the pause, since a proof of absence
 *    needs a filled queue. Each further unknown outcome or failure resets the number to one, after a pause that doubles
 *    from 1 s to 10 s. A longer one would keep due messages waiting after the gateway has recovered.
 * CAUTION-3 A failure of the whole instance stops posting if no outcome is unknown. When no POST is in flight, the
 *    shift ends with this failure as its reason. A response before that clears the failure.
 * CAUTION-4 A 429 delays one operation until the time that the gateway names. Until then claims exclude its messages,
 *    and messages claimed before are returned unposted. The delay outlasts the shift.
 * CAUTION-5 After a shift that ended with a failure there is a pause. It doubles from 1 s to 15 s until a response
 *    arrives, and is longer if the failure asks for it. The count of failed shifts outlasts the shift. It is separate
 *    from the tries of a message, since each of many waiting messages has its first try.
 */
import { MOST_UNKNOWN, type AttemptOutcome, type MessageId, type SendOperation } from '../../contract/index.js';
import type { OperationDelays } from '../../ledger/index.js';

const REFUSED_FIRST_MS = 1_000;
const REFUSED_MAX_MS = 15_000;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 10_000;
/** Codes that delay only one operation, which has reached its rate limit. */
const DELAYS_OPERATION = new Set(['GATEWAY_BUSY', 'GATEWAY_DEADLINE_PASSED']);
/** Codes that concern only the message, here its template. */
const CONCERNS_MESSAGE = new Set(['TEMPLATE_NOT_APPROVED']);

/** Why an instance accepts no messages. */
export interface Refusal {
  readonly code: string;
  /** The pause between the end of this shift and the next one. */
  readonly retryAfterMs: number;
}

/** Consecutive failed shifts of an instance (CAUTION-5). */
export interface Refusals {
  inARow: number;
}

/** Until when operations are delayed (CAUTION-4). */
export type Delays = Map<SendOperation, number>;

/** The limits of one shift. Times are monotonic milliseconds. */
export class Caution {
  readonly #unknown: Set<MessageId>;
  readonly #delayedUntilMs: Delays;
  readonly #refusals: Refusals;
  #refusal: Refusal | undefined;
  #atOnce = 1;
  #pauseMs = 0;
  #probeAtMs = 0;

  /**
   * @param unknown  messages of earlier shifts whose outcome is unknown
   * @param delays  delays of earlier shifts, to which this shift adds
   * @param refusals  the count of earlier shifts, which this shift continues
   */
  constructor(unknown: readonly MessageId[], delays: Delays = new Map(), refusals: Refusals = { inARow: 0 }) {
    this.#unknown = new Set(unknown);
    this.#delayedUntilMs = delays;
    this.#refusals = refusals;
  }

  /** Why the shift must end when no POST is in flight (CAUTION-3). */
  get refusal(): Refusal | undefined {
    return this.#unknown.size === 0 ? this.#refusal : undefined;
  }

  /** Whether any outcome is unknown. */
  get hasUnknown(): boolean {
    return this.#unknown.size > 0;
  }

  /** The time before which nothing is claimed. */
  get pausedUntilMs(): number {
    return this.#probeAtMs;
  }

  /** How many POSTs may be in flight; Infinity without a limit. */
  limit(): number {
    if (this.refusal !== undefined) return 0;
    return this.#isProbing() ? this.#atOnce : Infinity;
  }

  /** Records an outcome. @param askedMs  the pause that the failure asks for */
  outcome(messageId: MessageId, operation: SendOperation, outcome: AttemptOutcome, nowMs: number, askedMs = 0): void {
    switch (outcome.kind) {
      case 'accepted':
        this.#responded();
        return;
      case 'rejected':
        // A rejection without a status comes from our own check, not from the gateway.
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

  /** Called when a message leaves the state unknown. */
  noLongerUnknown(messageId: MessageId): void {
    this.#unknown.delete(messageId);
  }

  isDelayed(operation: SendOperation, nowMs: number): boolean {
    return (this.#delayedUntilMs.get(operation) ?? 0) > nowMs;
  }

  /** The operations that claims exclude now. */
  delayed(nowMs: number): SendOperation[] {
    return [...this.#delayedUntilMs.keys()].filter((operation) => this.isDelayed(operation, nowMs));
  }

  /** By operation: until when it is delayed. */
  delays(nowMs: number): OperationDelays {
    return Object.fromEntries([...this.#delayedUntilMs].filter(([operation]) => this.isDelayed(operation, nowMs)));
  }

  /** When the next delay ends; Infinity without a delay. */
  nextDelayEndMs(nowMs: number): number {
    return Math.min(Infinity, ...[...this.#delayedUntilMs.values()].filter((untilMs) => untilMs > nowMs));
  }

  /** The pause before the next try of a message of this operation. */
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
