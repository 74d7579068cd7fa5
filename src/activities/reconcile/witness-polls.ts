import { AppError, type OperationName, present } from '../../contract/index.js';
import type { UnavailableWitness, Ledger } from '../../ledger/index.js';
import { listedItem } from '../../domain/index.js';
import type { OperationResponse } from '../../gateway/index.js';

/** The time limit of a poll, well below the activity's timeout, since an interrupted poll decides nothing. */
const POLL_MS = 40_000;

type Said<What> =
  { readonly kind: 'said'; readonly what: What } | { readonly kind: 'not_now' } | { readonly kind: 'never' };

/**
 * One poll of all witnesses of a message, with a time limit. It records which witnesses could not be reached, and why.
 */
export class WitnessPoll {
  readonly unavailable: UnavailableWitness[] = [];
  readonly #timeout: AbortSignal;
  readonly #over: Promise<never>;

  constructor(pollMs = POLL_MS) {
    this.#timeout = AbortSignal.timeout(pollMs);
    this.#over = new Promise((_, reject) => {
      this.#timeout.addEventListener('abort', () => reject(timeIsOver()), { once: true });
    });
    // A poll that ends early does not await `#over`, whose rejection then needs a handler.
    this.#over.catch(() => undefined);
  }

  /**
   * Sends the request of one witness. A witness that cannot be reached decides nothing. `never`: the gateway rejects
   * the request, or its response cannot be read. `not_now`: a later poll may succeed.
   */
  async request<What>(witness: OperationName, send: () => Promise<What>): Promise<Said<What>> {
    try {
      if (this.#timeout.aborted) throw timeIsOver();
      return { kind: 'said', what: await Promise.race([this.#over, send()]) };
    } catch (error) {
      if (!(error instanceof AppError) || error.next === 'bug') throw error;
      const { code, httpStatus, gatewayText } = error;
      this.unavailable.push({
        witness,
        code,
        ...present({ httpStatus, text: gatewayText }),
      });
      return { kind: error.next === 'stop' || code === 'GATEWAY_RESPONSE_INVALID' ? 'never' : 'not_now' };
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
  ledger: Pick<Ledger, 'reconciling'>,
  instance: string,
  { items, begunAtMs, readAtMs }: Listing,
): Promise<void> {
  await ledger.reconciling.recordReading(instance, { begunAtMs, endedAtMs: readAtMs, items: items.map(listedItem) });
}
