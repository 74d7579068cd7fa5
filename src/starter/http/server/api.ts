import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { AppError } from '../../../contract/index.js';
import { createBackground } from '../../background.js';
import { reported } from './api-metrics.js';
import { dependenciesOfCallers, type ApiOptions } from '../dependencies-of-callers.js';
import { createEntrance } from './listen.js';
import { respondToErrors, responseProblem } from '../problem.js';
import { forPagesOf, hostnameOf, isPublic, onlyHosts } from './guard.js';
import { methodsOf, serveRoutes } from '../router.js';
import { SERVICE_ROUTES } from '../routes/service.js';

export function createApi(options: ApiOptions) {
  const { apiKeys, publicUrl, allowedHosts = [], codecOrigins = [], metrics, log } = options;
  const { ledger, clock, instances } = options;
  const closing = new AbortController();
  const entrance = createEntrance({
    ledger,
    clock,
    apiKeys,
    instances,
    isPublic: isPublic(publicUrl),
    portSetting: 'EVERPOST_HTTP_PORT, or --http-port',
    log,
  });

  const app = new Hono();
  app.use(reported(metrics));
  app.use(requestId({ limitLength: 64 }));
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  app.use('/v1/*', entrance.guard());
  app.use(SERVICE_ROUTES.metrics.path, entrance.guard());
  app.use('/codec/*', forPagesOf(codecOrigins), entrance.guard(codecOrigins));
  const background = createBackground();
  const { isExposed, keyring } = entrance;
  serveRoutes(app, dependenciesOfCallers(options, { closing: closing.signal, background, isExposed, keyring }), log);
  respondToUnknownRoutes(app);
  respondToErrors(app, { metrics, log });

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

function respondToUnknownRoutes(app: Hono): void {
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === '') {
      return responseProblem(c, new AppError('ROUTE_NOT_FOUND', 'There is no such route. List all routes: GET /docs'));
    }
    c.header('Allow', methods);
    const error = new AppError(
      'ROUTE_NOT_FOUND',
      `This route has no ${c.req.method}, only ${methods}. Show the route: GET /docs`,
    );
    return responseProblem(c, error, 405);
  });
}
