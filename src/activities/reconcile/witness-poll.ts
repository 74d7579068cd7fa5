import { AppError, type OperationName, present } from '../../contract/index.js';
import type { UnavailableWitness } from '../../ledger/index.js';

/**
 * Well below the time limit of the activity: a poll that is cut off decides nothing, however often it is repeated.
 */
const POLL_MS = 40_000;

export type Said<What> =
  { readonly kind: 'said'; readonly what: What } | { readonly kind: 'not_now' } | { readonly kind: 'never' };

/** One poll of all witnesses of a message, with a time limit. It records which of them could not be asked, and why. */
export class WitnessPoll {
  readonly unavailable: UnavailableWitness[] = [];
  readonly #timeout: AbortSignal;
  readonly #over: Promise<never>;

  constructor(pollMs = POLL_MS) {
    this.#timeout = AbortSignal.timeout(pollMs);
    this.#over = new Promise((_, reject) => {
      this.#timeout.addEventListener('abort', () => reject(timeIsOver()), { once: true });
    });
    // A poll that ends before its time does not await this.
    this.#over.catch(() => undefined);
  }

  /**
   * A witness that cannot be asked decides nothing. `never`: the gateway refuses the request, or its response cannot
   * be read; `not_now`: it may show something later.
   */
  async ask<What>(witness: OperationName, asked: () => Promise<What>): Promise<Said<What>> {
    try {
      if (this.#timeout.aborted) throw timeIsOver();
      return { kind: 'said', what: await Promise.race([this.#over, asked()]) };
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
  return new AppError('GATEWAY_OUTCOME_UNKNOWN', 'The witness did not answer within the time of one poll.');
}
