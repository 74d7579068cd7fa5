import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import {
  AppError,
  type Caller,
  type MetricsText,
  type Log,
  type Tracing,
  hostnameOf,
  isPublic,
  present,
} from '../../contract/index.js';
import { createBackground } from '../../starter/index.js';
import { findIdWith } from '../find-id.js';
import { askByOperation } from '../operations.js';
import { assertMayUse, onlyInstances } from '../access.js';
import { responseProblem } from '../problem.js';
import {
  sharedDependencies,
  type ApiOptions,
  type PagesDoor,
  type RouteDependencies,
  type ServerMetrics,
} from '../route-dependencies.js';
import { methodsOf, operationIdOf, serveRoutes } from './router.js';
import { doctorOf } from '../routes/findings.js';
import { SERVICE_ROUTES } from '../routes/service.js';
import { forPagesOf, onlyHosts, protectResponses } from './guard.js';
import { createEntrance, type EntranceOptions } from './listen.js';
import { addressOf, type PageBindings } from '../refusals.js';

export function createApi(options: ApiOptions) {
  const { apiKeys, keyLimits, publicUrl, allowedHosts = [], codecOrigins = [], metrics, tracing, log } = options;
  const { ledger, clock, instances } = options;
  const closing = new AbortController();
  const entrance = createEntrance({
    ledger,
    clock,
    apiKeys,
    keyLimits,
    instances,
    isPublic: isPublic(publicUrl),
    portSetting: 'EVERPOST_HTTP_PORT, or --http-port',
    operationOf: (c) => operationIdOf(c.req.method, c.req.path),
    log,
  });

  const app = appWith(metrics, log, tracing);
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  app.use('/v1/*', entrance.guard());
  app.use(SERVICE_ROUTES.metrics.path, entrance.guard());
  app.use('/codec/*', forPagesOf(codecOrigins), entrance.guard(codecOrigins));
  const background = createBackground();
  const { isExposed, isLocal, keyring, limits, refusals } = entrance;
  const shared = sharedDependencies(options, {
    closing: closing.signal,
    background,
    keyring,
    limits,
    refusals,
    isExposed,
    isLocal,
    doctor: doctorOf(options, options.examination),
  });
  serveRoutes(app, dependenciesOfCallers(shared));
  const { digest } = ledger;
  const temporal = { uiUrl: options.temporalUiUrl, namespace: options.client.options.namespace };
  const door = { ask: askForPages(app), digest, temporal, clock, log, closing: closing.signal };
  if (options.pages !== undefined) app.route('/', options.pages(door));
  respondToUnknownRoutes(app);

  return {
    /** Responds to one request without a server, e.g. in a test. */
    fetch: async (request: Request) => app.fetch(request),
    /** @throws AppError of {@link createEntrance} */
    listen: (address: { readonly host: string; readonly port: number }) => entrance.listen(app, address),
    /** Responds to waiting requests with the current state, then stops listening and waits for background work. */
    async close(): Promise<void> {
      closing.abort();
      await entrance.close();
      await background.ended();
    },
  };
}

export type Api = ReturnType<typeof createApi>;

/** Headers of a page's request that belong to it alone, and not to the requests to the API that it makes. */
const OF_PAGE = ['authorization', 'cookie', 'connection', 'transfer-encoding', 'accept-encoding', 'expect', 'upgrade'];

/**
 * PAGES-1 A page calls the API as its reader: with the reader's key, address and request headers, by which the API
 *    decides whether a request without a key comes from this machine and from a page of its own.
 */
function askForPages(app: Hono): PagesDoor['ask'] {
  return async (page, url, init) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(page.req.header())) {
      const isOwn = OF_PAGE.includes(name) || name.startsWith('content-') || headers.has(name);
      if (!isOwn) headers.set(name, value);
    }
    headers.set('x-request-id', page.get('requestId'));
    const bindings: PageBindings = { readerAddress: addressOf(page) };
    return app.fetch(new Request(url, { ...init, headers }), bindings);
  };
}

/** ACCESS-2: a key that is limited to some instances sees no others. */
function dependenciesOfCallers(
  shared: ReturnType<typeof sharedDependencies>,
): (caller: Caller | undefined) => RouteDependencies {
  function seenIn(own?: readonly string[]): RouteDependencies {
    const dependencies: RouteDependencies = {
      ...shared,
      instances: own === undefined ? shared.instances : onlyInstances(shared.instances, own),
      findId: findIdWith({ ledger: shared.ledger, instances: own }),
      askGateway: (...asked) => askByOperation(dependencies, ...asked),
    };
    return dependencies;
  }
  const unlimited = seenIn();
  return (caller) => (caller?.instances === undefined ? unlimited : seenIn(caller.instances));
}

function respondToUnknownRoutes(app: Hono): void {
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === '') {
      return responseProblem(c, routeUnknown('There is no such route. List all routes: GET /openapi.json'));
    }
    c.header('Allow', methods);
    const message = `This route has no ${c.req.method}, only ${methods}. Show the route: GET /openapi.json`;
    return responseProblem(c, routeUnknown(message), 405);
  });
}

function routeUnknown(message: string): AppError {
  return new AppError('ROUTE_NOT_FOUND', message);
}

interface WorkerServerOptions extends Omit<EntranceOptions, 'isPublic' | 'portSetting' | 'operationOf'> {
  readonly metrics: ServerMetrics & { ofProcess(): Promise<MetricsText> };
  readonly readiness: {
    /** What the worker lacks, by part; undefined until it has started. */
    missing(): Promise<ReadonlyMap<string, string> | undefined>;
  };
}

/** Serves the health and the metrics of a worker without the API. Metrics need the same keys as there. */
export function createWorkerServer({ metrics, readiness, instances, ...options }: WorkerServerOptions) {
  // The server accepts no notifications, so it needs no webhook token.
  const entrance = createEntrance({
    ...options,
    instances: onlyInstances(instances, []),
    isPublic: false,
    portSetting: 'EVERPOST_METRICS_PORT',
    operationOf: () => 'metrics',
  });
  const app = appWith(metrics, options.log);
  const paths = [SERVICE_ROUTES.livez.path, SERVICE_ROUTES.readyz.path, SERVICE_ROUTES.metrics.path] as const;
  const [livez, readyz, metricsPath] = paths;
  app.use(metricsPath, entrance.guard());
  app.get(livez, (c) => c.json({ status: 'ok' }));
  app.get(readyz, async (c) => {
    assertReady(await readiness.missing());
    return c.json({ status: 'ok' });
  });
  app.get(metricsPath, async (c) => {
    assertMayUse(SERVICE_ROUTES.metrics, c.get('caller'));
    const { contentType, text } = await metrics.ofProcess();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  app.notFound((c) => responseProblem(c, routeUnknown(`Only GET ${paths.join(', ')} are served here.`)));
  return {
    /** Responds to one request without a server, e.g. in a test. */
    fetch: async (request: Request) => app.fetch(request),
    /** @throws AppError PORT_IN_USE | CONFIG_INVALID, like the API */
    listen: (address: { readonly host: string; readonly port: number }) => entrance.listen(app, address),
    close: () => entrance.close(),
  };
}

export type WorkerServer = ReturnType<typeof createWorkerServer>;

/** READY-1. @throws AppError WORKER_NOT_READY with what is missing */
function assertReady(missing: ReadonlyMap<string, string> = new Map([['worker', 'is starting']])): void {
  if (missing.size === 0) return;
  const problems = [...missing].map(([path, message]) => ({ path, message }));
  const shown = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError('WORKER_NOT_READY', `The worker does not work now: ${shown}. It continues by itself.`, {
    problems,
  });
}

/** An app that records each request, and responds with a problem document to every error that a handler throws. */
function appWith(metrics: ServerMetrics, log: Log, tracing?: Tracing): Hono {
  const app = new Hono();
  // Under its route's path, never under the request's own path, which contains ids and arbitrary text.
  app.use(async (c, next) => {
    const begunAtMs = performance.now();
    // Only of requests of callers. What a notification changes is in the traces of its messages.
    const parent = present({ traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') });
    const span = c.req.path.startsWith('/v1/') ? tracing?.begin('request', {}, { parent }) : undefined;
    if (span !== undefined) c.set('trace', span.context);
    await next();
    const found = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    const [method, route] = [found?.method ?? 'none', found?.path.replaceAll(/:(\w+)/g, '{$1}') ?? 'none'];
    const { status } = c.res;
    span?.end({ method, route, httpStatus: status, code: status < 500 ? undefined : String(status) });
    metrics.apiRequested({
      method,
      route,
      status,
      durationMs: performance.now() - begunAtMs,
      requestId: c.get('requestId'),
    });
  });
  app.use(requestId({ limitLength: 64 }));
  app.use(protectResponses);
  app.onError((error, c) => {
    const known =
      error instanceof AppError
        ? error
        : new AppError(
            'INTERNAL',
            'The request failed because of a bug of everpost. Report it with the log of the server.',
            { cause: error },
          );
    if (known.code === 'KEY_RATE_LIMITED') metrics.keyRateRefused();
    if (known.next === 'bug') {
      log({
        level: 'error',
        message: 'A request failed because of a bug',
        route: c.req.routePath,
        requestId: c.get('requestId'),
        error: error.stack,
      });
    }
    return responseProblem(c, known);
  });
  return app;
}
