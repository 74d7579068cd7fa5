import type { Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { AppError, type AuditEntry, type Caller, type ErrorCode, present } from '../../contract/index.js';
import { readInput } from '../../domain/index.js';
import type { Log } from '../log.js';
import { assertMayUse, assertOwn, instanceInPath } from './access.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { type Route, type RouteDefinition, fillPath } from './route.js';
import type { RouteDependencies } from './route-dependencies.js';
import { ROUTES } from './routes.js';
import { responseProblem, statusOf } from './problem.js';

const ALL = Object.entries<Route>(ROUTES);

/** The caller of a route that asks for no API key. */
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

/** The object of a request, as far as it is known. */
interface Touched {
  instance?: string | undefined;
  objectId?: string | undefined;
}

/** AUDIT-1. */
function mayBeAudited({ access, method }: Route): boolean {
  return method !== 'get' && typeof access !== 'string' && access[0] !== 'read';
}

/**
 * Responds, and records who asked before the response leaves. Where only that fails, the response is sent all the same:
 * the change has happened.
 */
async function audited(
  c: Context,
  { name, route, caller, dependencies, isInstance, log }: AuditedRequest,
  respond: (touched: Touched) => Promise<Response>,
): Promise<Response> {
  const { ledger, clock } = dependencies;
  const touched: Touched = {};

  async function record(status: number, code?: ErrorCode): Promise<void> {
    if (route.isAudited === false && code !== 'KEY_SCOPE_MISSING') return;
    const { instance = '', objectId } = touched;
    const entry: AuditEntry = {
      at: new Date(clock.nowMs()).toISOString(),
      witness: caller.witness,
      route: name,
      ...present({ objectId, code }),
      // A caller's own word may be anything.
      ...(isInstance(instance) ? { instance } : {}),
      status,
      requestId: c.get('requestId'),
    };
    await ledger.audit.record(entry).catch((error: unknown) => {
      log({ level: 'error', message: 'a request is missing in the audit list', ...entry, error });
    });
  }

  try {
    const response = await respond(touched);
    await record(response.status);
    return response;
  } catch (error) {
    if (error instanceof AppError) await record(statusOf(error), error.code);
    else await record(500, 'INTERNAL');
    throw error;
  }
}

interface AuditedRequest {
  /** The route's. */
  readonly name: string;
  readonly route: Route;
  /** Whether there is one of this name, for whatever caller. */
  readonly isInstance: (name: string) => boolean;
  readonly caller: Caller;
  readonly dependencies: RouteDependencies;
  readonly log: Log;
}

/** For a caller who may reach every instance: that there is no such thing is the handler's to say. */
async function lookUpInPath(
  route: Route,
  params: Readonly<Record<string, string>>,
  dependencies: RouteDependencies,
): Promise<string | undefined> {
  try {
    return await instanceInPath(route, params, dependencies);
  } catch (error) {
    if (error instanceof AppError && error.next === 'stop') return undefined;
    throw error;
  }
}

/** The field of a request or a response, where it is a text. */
function textIn(value: unknown, field: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** A handler asks the ledger and Temporal, each of which gives up after a few seconds. */
const SHORT_MS = 30_000;
/** The longest wait that is granted (a minute), and then some for the response. */
const WAITING_MS = 90_000;
/** Imports, plans and reports of ten million recipients. */
const LONG_MS = 60 * 60_000;

export function timeLimitMs({ query, takesLong }: RouteDefinition): number {
  if (takesLong === true) return LONG_MS;
  return query !== undefined && 'timeoutMs' in query.shape ? WAITING_MS : SHORT_MS;
}

/**
 * Answers in place of a handler that does not, so that it cannot hold its connection for ever. What it has begun goes
 * on; its late response goes nowhere.
 */
export async function withTimeLimit(
  c: Context,
  limitMs: number,
  handle: (c: Context) => Response | Promise<Response>,
): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      // The rest of a body that trickles is not waited for.
      c.header('Connection', 'close');
      resolve(responseProblem(c, timedOut(c, limitMs)));
    }, limitMs);
  });
  try {
    return await Promise.race([handle(c), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(c: Context, limitMs: number): AppError {
  return new AppError(
    'REQUEST_TIMED_OUT',
    `${c.req.method} ${c.req.routePath} was not answered within ${limitMs / 1_000} seconds. It may have taken effect: look, or ` +
      'repeat it with the same Idempotency-Key. If it happens again, see whether the ledger is overloaded: everpost doctor',
  );
}
