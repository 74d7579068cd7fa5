import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, type AuditEntry, type Caller, type ErrorCode, present } from '../../contract/index.js';
import { readInput } from '../../domain/index.js';
import { ownKey } from '../../starter/index.js';
import { assertMayUse, assertOwn, objectInPath } from '../access.js';
import { assertJsonType, readIdempotencyKey, readJson, readQuery } from '../read-request.js';
import { type Route, type RouteDefinition, fillPath } from '../route.js';
import type { RouteDependencies } from '../route-dependencies.js';
import { ROUTES } from '../routes/routes.js';
import { responseProblem, statusOf } from '../problem.js';
import { addressOf } from '../refusals.js';

const ALL = Object.entries<Route>(ROUTES);

/** The caller of a route that requires no API key. */
const NO_CALLER: Caller = { witness: 'none', scopes: [] };

/** @param dependenciesOf  the dependencies as this caller sees them */
export function serveRoutes(app: Hono, dependenciesOf: (caller: Caller | undefined) => RouteDependencies): void {
  const isInstance = (name: string) => dependenciesOf(undefined).instances.names().includes(name);
  for (const [name, route] of ALL) {
    const limitMs = timeLimitMs(route);
    app.on(
      route.method.toUpperCase(),
      fillPath(route.path, (part) => `:${part}`),
      (c) =>
        withTimeLimit(c, limitMs, () => {
          const dependencies = dependenciesOf(c.get('caller'));
          const handle = () =>
            mayBeAudited(route)
              ? audited(c, name, route, dependencies, isInstance)
              : refusedToo(c, name, route, dependencies);
          return route.takesLong ? dependencies.limits.duringLongRequest(c.get('caller'), handle) : handle();
        }),
    );
  }
}

/** @param touched  filled if the request is audited */
async function answer(c: Context, route: Route, dependencies: RouteDependencies, touched?: Touched): Promise<Response> {
  const { query, takesKey } = route;
  const params = c.req.param();
  const caller = c.get('caller') ?? NO_CALLER;
  assertMayUse(route, caller);
  if (caller.instances !== undefined) {
    const named = await objectInPath(route, params, dependencies);
    if (touched !== undefined) touched.instance = named?.instance;
    assertOwn(named, caller);
  } else if (touched !== undefined) {
    // For a caller who may reach every instance, the handler itself reports an object that does not exist.
    const named = await objectInPath(route, params, dependencies).catch((error: unknown) => {
      if (error instanceof AppError && error.next === 'stop') return undefined;
      throw error;
    });
    touched.instance = named?.instance;
  }
  if (touched?.instance !== undefined) touched.objectId = params['id'] ?? params['elementName'];

  const request = {
    params,
    query: query && readQuery(c, query),
    key: takesKey && ownKey(caller.keyId, readIdempotencyKey(c)),
    body: await bodyOf(c, route, params),
    caller,
    trace: c.get('trace'),
    c,
  };
  if (touched !== undefined) touched.instance ??= textIn(request.body, 'instance') ?? textIn(request.query, 'instance');
  const reply = await route.handle(request, dependencies);
  if (reply instanceof Response) return reply;
  if (touched !== undefined) {
    touched.instance ??= textIn(reply.body, 'instance');
    // Keys are identified by name, all other objects by id.
    touched.objectId ??=
      route.access[1] === 'everything' ? textIn(reply.body, 'name') : (params['id'] ?? textIn(reply.body, 'id'));
  }
  if (reply.location !== undefined) c.header('Location', reply.location);
  if (reply.isReplay === true) c.header('Idempotent-Replayed', 'true');
  return c.json(reply.body, reply.status as ContentfulStatusCode);
}

async function bodyOf(
  c: Context,
  { body, bodyName, rawBodies, mayOmitBody }: Route,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (body === undefined || rawBodies !== undefined) return undefined;
  assertJsonType(c);
  const json = await readJson(c, mayOmitBody && {});
  if (bodyName === undefined) return json;
  const what = fillPath(bodyName, (name) => params[name] ?? '');
  return readInput(body, json, what);
}

/** The methods of this path, e.g. `GET, POST`. Empty if the path does not exist. */
export function methodsOf(path: string): string {
  const found = ALL.filter(([, route]) => patternOf(route).test(path));
  return found.map(([, { method }]) => method.toUpperCase()).join(', ');
}

/** The operationId of a request; `none` for an unknown route. */
export function operationIdOf(method: string, path: string): string {
  const asked = method.toLowerCase();
  return ALL.find(([, route]) => route.method === asked && patternOf(route).test(path))?.[0] ?? 'none';
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${fillPath(path.replaceAll('.', '\\.'), () => '[^/]+')}$`);
}

/** Refusals of requests that change nothing: other responses to them are not in the audit list. */
const REFUSED: readonly ErrorCode[] = ['KEY_SCOPE_MISSING', 'KEY_INSTANCES_LIMITED', 'REQUEST_FORBIDDEN'];

async function refusedToo(c: Context, name: string, route: Route, dependencies: RouteDependencies): Promise<Response> {
  try {
    return await answer(c, route, dependencies);
  } catch (error) {
    const { witness, instances } = c.get('caller') ?? NO_CALLER;
    if (!(error instanceof AppError)) throw error;
    // A limited key's search for objects of other instances is a refusal, too. An object that never existed is recorded
    // alike, so that the time of the response does not distinguish the two.
    if (REFUSED.includes(error.code) || (instances !== undefined && statusOf(error) === 404)) {
      await dependencies.refusals.record(c, { witness, route: name, status: statusOf(error), code: error.code });
    }
    throw error;
  }
}

/** The object of a request, if known. */
interface Touched {
  instance?: string | undefined;
  objectId?: string | undefined;
}

/** AUDIT-1. */
function mayBeAudited({ access, method }: Route): boolean {
  return method !== 'get' && typeof access !== 'string' && access[0] !== 'read';
}

/**
 * Responds, and records the requester before the response leaves. If only the record fails, the response is still sent,
 * since the change has taken effect.
 * @param isInstance  whether an instance with this name exists, for any caller
 */
async function audited(
  c: Context,
  name: string,
  route: Route,
  dependencies: RouteDependencies,
  isInstance: (name: string) => boolean,
): Promise<Response> {
  const { ledger, clock, log } = dependencies;
  const touched: Touched = {};

  async function record(status: number, code?: ErrorCode): Promise<void> {
    if (route.isAudited === false && code !== 'KEY_SCOPE_MISSING') return;
    const { instance = '', objectId } = touched;
    const entry: AuditEntry = {
      at: new Date(clock.nowMs()).toISOString(),
      witness: c.get('caller').witness,
      route: name,
      ...present({ objectId, code }),
      // The caller's text may be anything.
      ...(isInstance(instance) ? { instance } : {}),
      status,
      requestId: c.get('requestId'),
      ...present({ address: addressOf(c) }),
    };
    await ledger.audit.record(entry).catch((error: unknown) => {
      log({ level: 'error', message: 'a request is missing from the audit list', ...entry, error });
    });
  }

  try {
    const response = await answer(c, route, dependencies, route.isAudited === false ? undefined : touched);
    await record(response.status);
    return response;
  } catch (error) {
    if (error instanceof AppError) await record(statusOf(error), error.code);
    else await record(500, 'INTERNAL');
    throw error;
  }
}

/** The field of a request or response, if it is a string. */
function textIn(value: unknown, field: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** A handler queries the ledger and Temporal, whose own timeouts are a few seconds. */
const SHORT_MS = 30_000;
/** The longest wait of a request (a minute), plus time for the response. */
const WAITING_MS = 90_000;
/** For imports, plans and reports of ten million recipients. */
const LONG_MS = 60 * 60_000;

export function timeLimitMs({ query, takesLong }: RouteDefinition): number {
  if (takesLong === true) return LONG_MS;
  return query !== undefined && 'timeoutMs' in query.shape ? WAITING_MS : SHORT_MS;
}

/**
 * Responds in place of a handler that takes too long, so that it cannot hold the connection indefinitely. The handler
 * continues; its late response is discarded.
 */
export async function withTimeLimit(
  c: Context,
  limitMs: number,
  handle: (c: Context) => Response | Promise<Response>,
): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      // The server does not wait for the rest of a slow body.
      c.header('Connection', 'close');
      const error = new AppError(
        'REQUEST_TIMED_OUT',
        `${c.req.method} ${c.req.routePath} got no response within ${limitMs / 1_000} seconds. It may have taken effect: check, or ` +
          'repeat it with the same Idempotency-Key. If this happens again, check whether the ledger is overloaded: everpost doctor',
      );
      resolve(responseProblem(c, error));
    }, limitMs);
  });
  try {
    return await Promise.race([handle(c), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
