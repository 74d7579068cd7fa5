import type { Hono } from 'hono';
import { AppError } from '../../contract/index.js';
import type { Log } from '../log.js';
import type { ServerMetrics } from './api-metrics.js';
import { responseProblem } from './problem.js';

/** Answers whatever a handler throws with a problem document. */
export function respondToErrors(
  app: Hono,
  { metrics, log }: { readonly metrics: ServerMetrics; readonly log: Log },
): void {
  app.onError((error, c) => {
    const known = error instanceof AppError ? error : internal(error);
    if (known.code === 'KEY_RATE_LIMITED') metrics.keyRateRefused();
    if (known.next === 'bug') {
      log({
        level: 'error',
        message: 'A request failed by a bug',
        route: c.req.routePath,
        requestId: c.get('requestId'),
        error: error.stack,
      });
    }
    return responseProblem(c, known);
  });
}

function internal(cause: Error): AppError {
  return new AppError('INTERNAL', 'The request failed by a bug of everpost; its log tells more. Please report it.', {
    cause,
  });
}
