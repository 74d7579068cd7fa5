import { AppError, type OperationName, present } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import { listedItem } from '../domain/index.js';
import type { OperationResponse } from '../gateway/index.js';
import type { ActivityDependencies } from './dependencies.js';

/** The time limit of a poll, well below the activity's timeout, since an interrupted poll decides nothing. */
const POLL_MS = 40_000;

/** A witness that could not be reached, and why: the error's code and the gateway's text. */
interface UnavailableWitness {
  readonly witness: OperationName;
  readonly code: string;
  readonly httpStatus?: number;
  readonly text?: string;
}

/**
 * One poll of all witnesses of a message, with a time limit. It records which witnesses could not be reached, and why.
 */
export class WitnessPoll {
  readonly unavailable: UnavailableWitness[] = [];
  /** The unavailable witnesses that a later poll may reach. */
  readonly later = new Set<OperationName>();
  readonly #timeout: AbortSignal;

  constructor(pollMs = POLL_MS) {
    this.#timeout = AbortSignal.timeout(pollMs);
  }

  /**
   * Sends the request of one witness.
   * @returns undefined if the witness cannot be reached; it decides nothing
   */
  async request<What>(witness: OperationName, send: () => Promise<What>): Promise<What | undefined> {
    try {
      return await this.#inTime(send);
    } catch (error) {
      if (!(error instanceof AppError) || error.next === 'bug') throw error;
      const { code, next, httpStatus, gatewayText } = error;
      this.unavailable.push({ witness, code, ...present({ httpStatus, text: gatewayText }) });
      // Otherwise the gateway rejects the request, or its response cannot be read.
      if (next !== 'stop' && code !== 'GATEWAY_RESPONSE_INVALID') this.later.add(witness);
      return undefined;
    }
  }

  /** After it nothing waits for the time limit: a listener would hold the response, which may be large, until then. */
  async #inTime<What>(send: () => Promise<What>): Promise<What> {
    if (this.#timeout.aborted) throw timeIsOver();
    let giveUp = (): void => undefined;
    const over = new Promise<never>((_, reject) => {
      giveUp = () => reject(timeIsOver());
      this.#timeout.addEventListener('abort', giveUp);
    });
    try {
      return await Promise.race([over, send()]);
    } finally {
      this.#timeout.removeEventListener('abort', giveUp);
    }
  }
}

function timeIsOver(): AppError {
  return new AppError('GATEWAY_OUTCOME_UNKNOWN', 'The witness did not respond within the time of one poll.');
}

/**
 * Shares readings of a witness between callers: the gateway allows about one per second, and after an outage many rows
 * need one. A call during a reading gets the next one, since an earlier reading may be too old to prove anything.
 */
export class SharedReadings<Reading> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<Reading>>();

  /** How many readings are under way or kept. */
  get size(): number {
    return this.#running.size + this.#next.size;
  }

  /**
   * @param of  the key of the reading; callers with the same key share it
   * @returns a reading that begins after this call
   * @throws the error of `readNow`
   */
  read(of: string, readNow: () => Promise<Reading>): Promise<Reading> {
    const next = this.#next.get(of) ?? this.#after(this.#running.get(of), of, readNow);
    this.#next.set(of, next);
    return next;
  }

  async #after(running: Promise<unknown> | undefined, of: string, readNow: () => Promise<Reading>): Promise<Reading> {
    await Promise.allSettled([running]);
    this.#next.delete(of);
    const reading = readNow();
    this.#running.set(of, reading);
    // A reading may be large, and nothing needs it once it was decided by it.
    const forget = (): void => {
      if (this.#running.get(of) === reading) this.#running.delete(of);
    };
    reading.then(forget, forget);
    return reading;
  }
}

/** One reading for each key, for the callers of one round. */
export class OneReading<Reading> {
  readonly #readings = new Map<string, Promise<Reading>>();

  read(of: string, readNow: () => Promise<Reading>): Promise<Reading> {
    const reading = this.#readings.get(of) ?? readNow();
    this.#readings.set(of, reading);
    return reading;
  }
}

/** One response of showMessagesQueue, with the times of our clock before and after the request. */
export interface Listing {
  readonly items: OperationResponse<'showMessagesQueue'>;
  readonly begunAtMs: number;
  readonly readAtMs: number;
}

/**
 * Records a reading of a queue. Every reading is recorded before its use, since it is evidence for unknown outcomes.
 */
export async function recordReading(
  ledger: Pick<Ledger, 'queueReadings'>,
  instance: string,
  { items, begunAtMs, readAtMs }: Listing,
): Promise<void> {
  await ledger.queueReadings.record(instance, { begunAtMs, endedAtMs: readAtMs, items: items.map(listedItem) });
}

/** Reads the queue of an instance, and records what it lists. @throws AppError as the gateway, or the ledger */
export async function readQueue(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  instance: string,
): Promise<Listing> {
  const begunAtMs = clock.nowMs();
  const { response: items } = await gateway.call(instance, 'showMessagesQueue', {});
  const listing = { items, begunAtMs, readAtMs: clock.nowMs() };
  await recordReading(ledger, instance, listing);
  return listing;
}
