import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Caller } from '../../contract/index.js';
import { readInput } from '../../domain/index.js';
import type { Log } from '../log.js';
import { assertMayUse, assertOwn, instanceInPath } from './access.js';
import { audited, lookUpInPath, mayBeAudited, textIn, type Touched } from './audited.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { fillPath, type Route } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';
import { ROUTES } from './routes.js';
import { timeLimitMs, withTimeLimit } from './time-limit.js';

const ALL = Object.entries<Route>(ROUTES);

/** Of a route that asks for no API key. */
const NO_CALLER: Caller = { witness: 'none', scopes: [] };

/** @param dependenciesOf  as this caller sees them */
export function serveRoutes(
  app: Hono,
  dependenciesOf: (caller: Caller | undefined) => RouteDependencies,
  log: Log,
): void {
  const isInstance = (name: string) => dependenciesOf(undefined).instances.names().includes(name);
  for (const [name, route] of ALL) {
    const limitMs = timeLimitMs(route);
    app.on(
      route.method.toUpperCase(),
      fillPath(route.path, (part) => `:${part}`),
      (c) =>
        withTimeLimit(c, limitMs, () => {
          const caller = c.get('caller');
          const dependencies = dependenciesOf(caller);
          if (!mayBeAudited(route)) return answer(c, route, dependencies);
          return audited(c, { name, route, caller, dependencies, isInstance, log }, (touched) =>
            answer(c, route, dependencies, route.isAudited === false ? undefined : touched),
          );
        }),
    );
  }
}

/** @param touched  filled where the request is audited */
async function answer(c: Context, route: Route, dependencies: RouteDependencies, touched?: Touched): Promise<Response> {
  const { query, takesKey } = route;
  const params = c.req.param();
  const caller = c.get('caller') ?? NO_CALLER;
  assertMayUse(route, caller);
  if (caller.instances !== undefined) {
    const instance = await instanceInPath(route, params, dependencies);
    if (touched !== undefined) touched.instance = instance;
    assertOwn(route, instance, params, caller, dependencies);
  } else if (touched !== undefined) touched.instance = await lookUpInPath(route, params, dependencies);
  if (touched?.instance !== undefined) touched.objectId = params['id'] ?? params['elementName'];

  const request = {
    params,
    query: query && readQuery(c, query),
    key: takesKey && readIdempotencyKey(c),
    body: await bodyOf(c, route, params),
    caller,
    c,
  };
  if (touched !== undefined) touched.instance ??= textIn(request.body, 'instance') ?? textIn(request.query, 'instance');
  const reply = await route.handle(request, dependencies);
  if (reply instanceof Response) return reply;
  if (touched !== undefined) {
    touched.instance ??= textIn(reply.body, 'instance');
    touched.objectId ??= objectIn(route, params, reply.body);
  }
  if (reply.location !== undefined) c.header('Location', reply.location);
  if (reply.isReplay === true) c.header('Idempotent-Replayed', 'true');
  return c.json(reply.body, reply.status as ContentfulStatusCode);
}

/** Keys are known by their names, everything else by its id. */
function objectIn({ access }: Route, params: Readonly<Record<string, string>>, body: unknown): string | undefined {
  return access[1] === 'everything' ? textIn(body, 'name') : (params['id'] ?? textIn(body, 'id'));
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
  const found = ALL.filter(([, route]) => patternOf(route).test(path));
  return found.map(([, { method }]) => method.toUpperCase()).join(', ');
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${fillPath(path.replaceAll('.', '\\.'), () => '[^/]+')}$`);
}
