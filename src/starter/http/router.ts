import type { Context, Hono } from 'hono';
import { timeLimitMs, withTimeLimit } from './time-limit.js';
import { ENDPOINTS, type Endpoint } from './endpoints.js';

/** Registers a handler for one endpoint of the table. */
export function route(app: Hono, endpoint: Endpoint, handle: (c: Context) => Response | Promise<Response>): void {
  const limitMs = timeLimitMs(endpoint);
  app.on(endpoint.method.toUpperCase(), endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
    withTimeLimit(c, limitMs, handle),
  );
}

/** A part of the path, as the endpoint names it in braces. */
export function pathPart(c: Context, name: string): string {
  return c.req.param(name) ?? '';
}

/** The methods that this path has, e.g. `GET, POST`; empty when there is no such path. */
export function methodsOf(path: string): string {
  const found = Object.values<Endpoint>(ENDPOINTS).filter((endpoint) => patternOf(endpoint).test(path));
  return found.map(({ method }) => method.toUpperCase()).join(', ');
}

function patternOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
