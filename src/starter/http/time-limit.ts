import type { Context } from 'hono';
import { AppError } from '../../contract/index.js';
import { responseProblem } from './problem.js';
import type { RouteDefinition } from './route.js';

/** A handler asks the ledger and Temporal, each of which gives up after a few seconds. */
const SHORT_MS = 30_000;
/** The longest wait that is granted (a minute), and then some for the response. */
const WAITING_MS = 90_000;
/** Imports, plans and reports of ten million recipients. */
const LONG_MS = 60 * 60_000;

export function timeLimitMs({ query, takesLong }: RouteDefinition): number {
  if (takesLong === true) return LONG_MS;
  return query !== undefined && 'timeoutMs' in query.shape ? WAITING_MS : SHORT_MS;
}

/**
 * Answers in place of a handler that does not, so that it cannot hold its connection for ever. What it has begun goes
 * on; its late response goes nowhere.
 */
export async function withTimeLimit(
  c: Context,
  limitMs: number,
  handle: (c: Context) => Response | Promise<Response>,
): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      // The rest of a body that trickles is not waited for.
      c.header('Connection', 'close');
      resolve(responseProblem(c, timedOut(c, limitMs)));
    }, limitMs);
  });
  try {
    return await Promise.race([handle(c), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(c: Context, limitMs: number): AppError {
  return new AppError(
    'REQUEST_TIMED_OUT',
    `${c.req.method} ${c.req.routePath} was not answered within ${limitMs / 1_000} seconds. It may have taken effect: look, or ` +
      'repeat it with the same Idempotency-Key. If it happens again, see whether the ledger is overloaded: everpost doctor',
  );
}
