import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ApiRequest, MetricsText } from '../../../contract/index.js';

/** Where an HTTP server reports its requests, and what it shows at /metrics. */
export interface ServerMetrics {
  apiRequested(request: ApiRequest): void;
  keyRateRefused(): void;
}

export interface ApiMetrics extends ServerMetrics {
  ofLedger(): Promise<MetricsText>;
}

/** Reports each request by its route, whatever it asked for: a path holds ids, and any text. */
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
