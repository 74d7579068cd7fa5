import { setTimeout as delay } from 'node:timers/promises';
import { AppError, ErrorNext } from '../../contract/index.js';

/** Asks as any backend should: again, in the same words and with the same key, until there is a response. */
export interface AskAgain {
  /** @returns undefined when the request was refused for good */
  untilResponse<Result>(what: string, request: () => Promise<Result>): Promise<Result | undefined>;
  /** Answers that no request should get: what was asked, and the code. */
  readonly surprises: readonly string[];
}

/** A product that was just killed is back within seconds. */
const ASK_AGAIN_MS = 150;

/** @param stop  a caller that waits for a response then rejects */
export function createAskAgain(stop: AbortSignal): AskAgain {
  const surprises: string[] = [];
  return {
    surprises,
    async untilResponse(what, request) {
      for (;;) {
        stop.throwIfAborted();
        try {
          return await request();
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (error.next !== ErrorNext.wait) {
            surprises.push(`${what}: ${error.code}`);
            return undefined;
          }
          await delay(ASK_AGAIN_MS, undefined, { signal: stop });
        }
      }
    },
  };
}
