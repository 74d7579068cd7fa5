import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiRequest, MetricsText } from '../../../contract/index.js';

/** The metrics that an HTTP server records its requests in, and shows at /metrics. */
export interface ServerMetrics {
  apiRequested(request: ApiRequest): void;
  keyRateRefused(): void;
}

export interface ApiMetrics extends ServerMetrics {
  ofLedger(): Promise<MetricsText>;
}

/**
 * Records each request under its route's path, never under the request's own path, which contains ids and arbitrary
 * text.
 */
export function reported(metrics: ServerMetrics): MiddlewareHandler {
  return async (c, next) => {
    const begunAtMs = performance.now();
    await next();
    const found = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    metrics.apiRequested({
      method: found?.method ?? 'none',
      route: found?.path.replaceAll(/:(\w+)/g, '{$1}') ?? 'none',
      status: c.res.status,
      durationMs: performance.now() - begunAtMs,
    });
  };
}
