import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { AppError } from '../../contract/index.js';
import { createBackground } from '../background.js';
import { createKeyRates } from '../keys/key-rates.js';
import { createKeyring } from '../keys/keyring.js';
import type { Log } from '../log.js';
import { dependenciesOfCallers, type ApiOptions } from './dependencies-of-callers.js';
import { assertProtected, isPublic, onlyHosts } from './exposure.js';
import { forPagesOf, guard, hostnameOf, isLoopback } from './guard.js';
import { listen, type Listening } from './listen.js';
import { responseProblem } from './problem.js';
import { methodsOf, serveRoutes } from './router.js';

export interface Api {
  /** Answers one request without a server, e.g. in a test. */
  fetch(request: Request): Promise<Response>;
  /**
   * @throws AppError PORT_IN_USE | CONFIG_INVALID (beyond loopback without API keys or webhook tokens, or an address
   *   that cannot be had)
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<Listening>;
  /** Answers what waits as it stands now, then stops listening and ends what it does in the background. */
  close(): Promise<void>;
}

export function createApi(options: ApiOptions): Api {
  const { ledger, clock, apiKeys, publicUrl, allowedHosts = [], codecOrigins = [], log } = options;
  const closing = new AbortController();
  const hasConfiguredKeys = apiKeys().length > 0;
  const keyring = createKeyring({ apiKeys: ledger.apiKeys, configured: apiKeys, clock, log });
  const listening: Listening[] = [];
  let isExposed = isPublic(publicUrl);
  // An API that other machines reach is never opened again by a list of keys that became empty.
  let needsKey = hasConfiguredKeys;

  const app = new Hono();
  app.use(requestId({ limitLength: 64 }));
  const publicHosts = publicUrl === undefined || allowedHosts.length === 0 ? [] : [hostnameOf(publicUrl)];
  app.use(onlyHosts([...allowedHosts, ...publicHosts]));
  const takeTurn = createKeyRates(ledger.rateLimitBuckets);
  const guarded = { keyring, takeTurn, needsKey: () => needsKey };
  app.use('/v1/*', guard(guarded));
  app.use('/codec/*', forPagesOf(codecOrigins), guard({ ...guarded, origins: codecOrigins }));
  const background = createBackground();
  const shared = { closing: closing.signal, background, isExposed: () => isExposed, keyring };
  serveRoutes(app, dependenciesOfCallers(options, shared), log);
  responseProblems(app, log);

  return {
    fetch: async (request) => app.fetch(request),

    async listen(address) {
      const hasKeys = hasConfiguredKeys || (await ledger.apiKeys.anyAdmin(clock.nowMs()));
      assertProtected(address.host, { hasKeys, instances: options.instances });
      if (!isLoopback(address.host)) isExposed = needsKey = true;
      const server = await listen((request, bindings) => app.fetch(request, bindings), address);
      listening.push(server);
      return server;
    },

    async close() {
      closing.abort();
      await Promise.all(listening.map((server) => server.close()));
      await background.ended();
    },
  };
}

function responseProblems(app: Hono, log: Log): void {
  app.notFound((c) => {
    const methods = methodsOf(c.req.path);
    if (methods === '') {
      return responseProblem(c, new AppError('ROUTE_NOT_FOUND', 'There is no such route. All are listed at /docs.'));
    }
    c.header('Allow', methods);
    const error = new AppError('ROUTE_NOT_FOUND', `This route has no ${c.req.method}, only ${methods}. See /docs.`);
    return responseProblem(c, error, 405);
  });

  app.onError((error, c) => {
    const known = error instanceof AppError ? error : internal(error);
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
