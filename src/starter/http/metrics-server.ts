import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { AppError, type MetricsText } from '../../contract/index.js';
import { onlyInstances, assertMayUse } from './access.js';
import { reported, type ServerMetrics } from './api-metrics.js';
import { createEntrance, type Entrance, type EntranceOptions } from './entrance.js';
import { respondToErrors } from './error-responses.js';
import { responseProblem } from './problem.js';
import { SERVICE_ROUTES } from './routes/service.js';

export interface MetricsServerOptions extends Omit<EntranceOptions, 'isPublic' | 'portSetting'> {
  readonly metrics: ServerMetrics & { ofProcess(): Promise<MetricsText> };
}

export interface MetricsServer {
  /** Answers one request without a server, e.g. in a test. */
  fetch(request: Request): Promise<Response>;
  /** @throws AppError PORT_IN_USE | CONFIG_INVALID as the API */
  listen(address: Parameters<Entrance['listen']>[1]): ReturnType<Entrance['listen']>;
  close(): Promise<void>;
}

/** Serves /metrics, and nothing else, for a process without the API: to the same keys. */
export function createMetricsServer({ metrics, instances, ...options }: MetricsServerOptions): MetricsServer {
  // It takes no notification, so it needs no webhook token.
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
    fetch: async (request) => app.fetch(request),
    listen: (address) => entrance.listen(app, address),
    close: () => entrance.close(),
  };
}
