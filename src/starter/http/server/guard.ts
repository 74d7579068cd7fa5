import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import {
  AppError,
  type Caller,
  type InstanceDirectory,
  LOOPBACK_CALLER,
  MAX_CREDENTIALS_CHARACTERS,
  type Problem,
  lacksWebhookToken,
  parseUrl,
  splitScheme,
} from '../../../contract/index.js';
import type { TakeTurn } from '../../keys/key-rates.js';
import type { Keyring } from '../../keys/keyring.js';
import { SERVICE_ROUTES } from '../routes/service.js';
import { contentTypeOf } from '../read-request.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname) || hostname === '::1';
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set for every route that needs a key. */
    caller: Caller;
  }
}

interface GuardOptions {
  readonly keyring: Keyring;
  readonly takeTurn: TakeTurn;
  /** Whether a caller without a key is refused. */
  readonly needsKey: () => boolean;
  /** Whose pages are served without a key. @default none but our own */
  readonly origins?: readonly string[];
}

/**
 * Lets pass who may use the API: a caller that sends a valid key as Bearer. Where no key is needed, also a caller on
 * this machine without one: a web page in a browser is not, though its requests come from here. What the caller may do
 * is decided where the route is known.
 */
export function guard({ keyring, takeTurn, needsKey, origins = [] }: GuardOptions): MiddlewareHandler {
  return async (c, next) => {
    const authorization = c.req.header('Authorization');
    if (authorization === undefined && !needsKey()) {
      refuseForeignPages(c, origins);
      c.set('caller', LOOPBACK_CALLER);
    } else {
      const given = bearerIn(authorization);
      const holder = given === undefined ? undefined : await keyring.identify(given);
      if (holder === undefined) throw unauthorized();
      c.set('caller', holder);
      if (holder.limit !== undefined) await takeTurn(holder.limit);
    }
    await next();
  };
}

function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > MAX_CREDENTIALS_CHARACTERS) return undefined;
  const credentials = splitScheme(authorization.trim());
  return credentials?.scheme === 'bearer' ? credentials.rest : undefined;
}

function unauthorized(): AppError {
  return new AppError(
    'API_UNAUTHORIZED',
    'The request brings no valid API key. Send "Authorization: Bearer …" with a key of everpost key create, or one of EVERPOST_API_KEYS.',
  );
}

/**
 * Protects against web pages: a page can address this server by its own host name (DNS rebinding), or send requests
 * without reading responses; these headers of the browser show it. Only pages of our own address are allowed; another
 * port of this machine belongs to another program.
 */
function refuseForeignPages(c: Context, origins: readonly string[]): void {
  const [host, origin, site] = ['Host', 'Origin', 'Sec-Fetch-Site'].map((name) => c.req.header(name));
  const isOurs = isLoopback(requestedHost(c) ?? 'localhost');
  const isOwnPage =
    origin === undefined || (host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`);
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isAllowedPage = origin !== undefined && origins.includes(origin.toLowerCase());
  if (isOurs && (isAllowedPage || (isOwnPage && isOwnSite))) return;
  throw new AppError(
    'API_UNAUTHORIZED',
    'Without EVERPOST_API_KEYS the API serves this machine only, and no foreign web page. Set API keys to open it.',
  );
}

/** Answers a browser that a page of one of these origins may ask, and read the response. */
export function forPagesOf(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: (origin) => (origins.includes(origin.toLowerCase()) ? origin : undefined),
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
  });
}

export function hostnameOf(origin: string): string {
  return parseUrl(origin)?.hostname ?? '';
}

/** The API and the webhook receiver have to be protected before other machines can reach them. */

interface Protection {
  /** Whether a caller can bring a key. */
  readonly hasKeys: boolean;
  readonly instances: InstanceDirectory;
}

/** @throws AppError CONFIG_INVALID naming everything that is missing to listen there */
export function assertProtected(host: string, { hasKeys, instances }: Protection): void {
  if (isLoopback(host)) return;
  const problems: Problem[] = [];
  if (!hasKeys) {
    const message =
      'is not set, so every caller could send. Make one: export EVERPOST_API_KEYS=$(openssl rand -hex 32)';
    problems.push({ path: 'EVERPOST_API_KEYS', message });
  }
  for (const name of instances.names().filter((one) => lacksWebhookToken(instances.get(one)))) {
    const message =
      'is missing, so every caller could forge receipts, STOPs and states. Make one: everpost doctor --fix';
    problems.push({ path: `${name}.webhookToken`, message });
  }
  if (problems.length === 0) return;
  const missing = problems.map(({ path }) => path).join(', ');
  throw new AppError(
    'CONFIG_INVALID',
    `everpost does not listen on ${host} without ${missing}. Set what is missing, or listen on 127.0.0.1 (EVERPOST_HTTP_HOST).`,
    { problems },
  );
}

/** True where the receiver's public address leads beyond this machine: a proxy passes on what other machines send. */
export function isPublic(publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && !isLoopback(hostnameOf(publicUrl));
}

/** Probes and Prometheus use a container's address, which cannot be listed in advance. /metrics needs a key. */
const PROBES: readonly string[] = [SERVICE_ROUTES.livez.path, SERVICE_ROUTES.readyz.path, SERVICE_ROUTES.metrics.path];

/**
 * Lets pass requests that address us by one of these names, or as loopback. A web page whose own name leads to us (DNS
 * rebinding) addresses us by that one.
 * @param hosts  in small letters, without ports; none: every name
 */
export function onlyHosts(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const host = requestedHost(c)?.toLowerCase() ?? 'localhost';
    if (hosts.length > 0 && !hosts.includes(host) && !isLoopback(host) && !PROBES.includes(c.req.path)) {
      throw new AppError(
        'REQUEST_FORBIDDEN',
        'The Host header names none of the hosts that are served. Add the name to EVERPOST_ALLOWED_HOSTS, and start everpost again.',
      );
    }
    await next();
  };
}

/** A request's headers show the place that it was sent from. */

/** Added by a proxy on this machine that passes on what another machine sent. */
const PROXY_HEADERS = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Real-IP'];

/**
 * True where a web page in a browser on this machine may have sent the notification: it names its Origin, or it names
 * us by a host of its own (DNS rebinding). The gateway sends no Origin.
 */
export function isFromWebPage(c: Context): boolean {
  return c.req.header('Origin') !== undefined || !isLoopback(requestedHost(c) ?? 'localhost');
}

/** A page can send any content type except JSON without a preflight request. */
export function isJson(c: Context): boolean {
  return contentTypeOf(c) === 'application/json';
}

export function isProxied(c: Context): boolean {
  return PROXY_HEADERS.some((name) => c.req.header(name) !== undefined);
}

/** The host name by which the request addresses us, without its port. */
function requestedHost(c: Context): string | undefined {
  const host = c.req.header('Host');
  return host === undefined ? undefined : hostnameOf(`http://${host}`);
}
