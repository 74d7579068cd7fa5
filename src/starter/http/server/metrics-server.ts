import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { AppError, type MetricsText } from '../../../contract/index.js';
import { onlyInstances, assertMayUse } from '../access.js';
import { reported, type ServerMetrics } from './api-metrics.js';
import { createEntrance, type EntranceOptions } from './listen.js';
import { respondToErrors, responseProblem } from '../problem.js';
import { SERVICE_ROUTES } from '../routes/service.js';

export interface MetricsServerOptions extends Omit<EntranceOptions, 'isPublic' | 'portSetting'> {
  readonly metrics: ServerMetrics & { ofProcess(): Promise<MetricsText> };
}

/** Serves only /metrics, for a process without the API. It accepts the same keys. */
export function createMetricsServer({ metrics, instances, ...options }: MetricsServerOptions) {
  // The server accepts no notifications, so it needs no webhook token.
  const entrance = createEntrance({
    ...options,
    instances: onlyInstances(instances, []),
    isPublic: false,
    portSetting: 'EVERPOST_METRICS_PORT',
  });
  const app = new Hono();
  app.use(reported(metrics));
  app.use(requestId({ limitLength: 64 }));
  const { path } = SERVICE_ROUTES.metrics;
  app.use(path, entrance.guard());
  app.get(path, async (c) => {
    assertMayUse(SERVICE_ROUTES.metrics, c.get('caller'));
    const { contentType, text } = await metrics.ofProcess();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  app.notFound((c) => responseProblem(c, new AppError('ROUTE_NOT_FOUND', `Only GET ${path} is served here.`)));
  respondToErrors(app, { metrics, log: options.log });
  return {
    /** Responds to one request without a server, e.g. in a test. */
    fetch: async (request: Request) => app.fetch(request),
    /** @throws AppError PORT_IN_USE | CONFIG_INVALID, like the API */
    listen: (address: { readonly host: string; readonly port: number }) => entrance.listen(app, address),
    close: () => entrance.close(),
  };
}

export type MetricsServer = ReturnType<typeof createMetricsServer>;
