import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { readInput } from '../../domain/index.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { fillPath, type Route } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';
import { ROUTES } from './routes.js';
import { timeLimitMs, withTimeLimit } from './time-limit.js';

const ALL = Object.values<Route>(ROUTES);

export function serveRoutes(app: Hono, dependencies: RouteDependencies): void {
  for (const route of ALL) {
    const limitMs = timeLimitMs(route);
    app.on(
      route.method.toUpperCase(),
      fillPath(route.path, (name) => `:${name}`),
      (c) => withTimeLimit(c, limitMs, () => answer(c, route, dependencies)),
    );
  }
}

async function answer(c: Context, route: Route, dependencies: RouteDependencies): Promise<Response> {
  const { query, takesKey } = route;
  const params = c.req.param();
  const request = {
    params,
    query: query && readQuery(c, query),
    key: takesKey && readIdempotencyKey(c),
    body: await bodyOf(c, route, params),
    c,
  };
  const reply = await route.handle(request, dependencies);
  if (reply instanceof Response) return reply;
  if (reply.location !== undefined) c.header('Location', reply.location);
  if (reply.isReplay === true) c.header('Idempotent-Replayed', 'true');
  return c.json(reply.body, reply.status as ContentfulStatusCode);
}

async function bodyOf(
  c: Context,
  { body, bodyName, rawBodies }: Route,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (body === undefined || rawBodies !== undefined) return undefined;
  const json = await readJson(c);
  return bodyName === undefined
    ? json
    : readInput(
        body,
        json,
        fillPath(bodyName, (name) => params[name] ?? ''),
      );
}

/** The methods that this path has, e.g. `GET, POST`; empty when there is no such path. */
export function methodsOf(path: string): string {
  const found = ALL.filter((route) => patternOf(route).test(path));
  return found.map(({ method }) => method.toUpperCase()).join(', ');
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${fillPath(path.replaceAll('.', '\\.'), () => '[^/]+')}$`);
}
