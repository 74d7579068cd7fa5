import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import {
  AppError,
  type Caller,
  type InstanceDirectory,
  LOOPBACK_CALLER,
  MAX_CREDENTIALS_CHARACTERS,
  type Problem,
  type TraceContext,
  isLoopback,
  lacksWebhookToken,
  splitScheme,
} from '../../contract/index.js';
import type { KeyLimitsInUse } from '../key-limits.js';
import type { Keyring } from '../keyring.js';
import { SERVICE_ROUTES } from '../routes/service.js';
import { isOwnHost, requestedHost } from '../read-request.js';
import type { Refusals } from '../refusals.js';

declare module 'hono' {
  interface ContextVariableMap {
    /** Set for every route that requires a key. */
    caller: Caller;
    /** Of the request's span. */
    trace: TraceContext | undefined;
  }
}

interface GuardOptions {
  readonly keyring: Keyring;
  readonly limits: Pick<KeyLimitsInUse, 'takeTurn'>;
  readonly refusals: Refusals;
  /** The operationId of a request. */
  readonly operationOf: (c: Context) => string;
  /** Whether a caller without a key may be served: the others need one. */
  readonly isTrusted: (c: Context) => boolean;
}

/**
 * Identifies the caller by its API key, sent as Bearer token. If no key is configured, programs on this machine are
 * allowed without one ({@link isFromThisMachine}); web pages in a browser are not, although their requests come from
 * this machine. The route decides what the caller may do.
 * @param origins  of web pages that are served without a key. @default only our own
 */
export function guard(
  { keyring, limits, isTrusted, refusals, operationOf }: GuardOptions,
  origins: readonly string[] = [],
): MiddlewareHandler {
  return async (c, next) => {
    const authorization = c.req.header('Authorization');
    if (authorization === undefined && isTrusted(c)) {
      refuseForeignPages(c, origins);
      c.set('caller', LOOPBACK_CALLER);
    } else {
      const isLong = authorization !== undefined && authorization.length > MAX_CREDENTIALS_CHARACTERS;
      const credentials = isLong ? undefined : splitScheme(authorization?.trim() ?? '');
      const holder = credentials?.scheme === 'bearer' ? await keyring.identify(credentials.rest) : undefined;
      if (holder === undefined) throw await refusals.unauthorized(c, operationOf(c), unauthorized(NO_KEY));
      c.set('caller', holder);
      await limits.takeTurn(holder);
    }
    await next();
  };
}

const NO_KEY =
  'The request contains no valid API key. Send "Authorization: Bearer …" with a key of EVERPOST_API_KEYS, or create one: everpost key create. A program on the same machine needs none only if neither EVERPOST_API_KEYS nor EVERPOST_PUBLIC_URL is set.';

function unauthorized(message: string): AppError {
  return new AppError('API_UNAUTHORIZED', message);
}

/**
 * Protects against web pages, which can send requests without reading responses. The browser's headers show the page.
 * Only pages of our own origin are allowed; another port of this machine belongs to another program.
 */
function refuseForeignPages(c: Context, origins: readonly string[]): void {
  const [host, origin, site] = ['Host', 'Origin', 'Sec-Fetch-Site'].map((name) => c.req.header(name));
  const isOwnPage =
    origin === undefined || (host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`);
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  const isAllowedPage = origin !== undefined && origins.includes(origin.toLowerCase());
  if (isAllowedPage || (isOwnPage && isOwnSite)) return;
  throw unauthorized(
    'The request is refused: without API keys the API serves only programs on this machine, and no web page of another origin. Set EVERPOST_API_KEYS to allow others.',
  );
}

/** Lets the pages of these origins send requests and read the responses (CORS). */
export function forPagesOf(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: (origin) => (origins.includes(origin.toLowerCase()) ? origin : undefined),
    allowMethods: ['POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'X-Namespace'],
  });
}

/**
 * The API and the webhook receiver have to be protected before other machines can reach them.
 * @param hasKeys  whether a caller can send a key
 * @throws AppError CONFIG_INVALID with everything that is missing to listen on this host
 */
export function assertProtected(
  host: string,
  { hasKeys, instances }: { readonly hasKeys: boolean; readonly instances: InstanceDirectory },
): void {
  if (isLoopback(host)) return;
  const problems: Problem[] = [];
  if (!hasKeys) {
    const message =
      'is not set, so every caller could send messages. Create a key: export EVERPOST_API_KEYS=$(openssl rand -hex 32)';
    problems.push({ path: 'EVERPOST_API_KEYS', message });
  }
  for (const name of instances.names().filter((one) => lacksWebhookToken(instances.get(one)))) {
    const message =
      'is missing, so every caller could forge receipts, STOP words and states. Create one: everpost doctor --fix';
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

/** Probes and Prometheus use a container's address, which cannot be listed in advance. /metrics needs a key. */
const PROBES: readonly string[] = [SERVICE_ROUTES.livez.path, SERVICE_ROUTES.readyz.path, SERVICE_ROUTES.metrics.path];

/**
 * Allows requests that address the server by one of these host names or as loopback. A web page whose own host name
 * resolves to this server (DNS rebinding) uses that name.
 * @param hosts  in lower case, without ports; empty: every name
 */
export function onlyHosts(hosts: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const host = requestedHost(c)?.toLowerCase() ?? 'localhost';
    if (hosts.length > 0 && !hosts.includes(host) && !isLoopback(host) && !PROBES.includes(c.req.path)) {
      throw new AppError(
        'REQUEST_FORBIDDEN',
        'The request is refused: its Host header names no allowed host. Add the name to EVERPOST_ALLOWED_HOSTS and restart everpost.',
      );
    }
    await next();
  };
}

/**
 * Responses may contain secrets, texts and numbers: no cache keeps them, unless they say so, and no browser takes them
 * for another type than theirs.
 */
export const protectResponses: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
};

/**
 * Headers that proxies, tunnels and content delivery networks add to the requests that they forward. No program on this
 * machine sends one for itself.
 */
const PROXY_HEADER =
  /^(?:(?:x-forwarded|x-original|x-envoy|x-azure|cf|cdn|tailscale|fly)-.+|forwarded(?:-.+)?|via|x-(?:forwarded|real-ip|client-ip|cluster-client-ip|remote-ip|remote-addr|proxyuser-ip|host)|true-client-ip|client-ip|fastly-client-ip|front-end-https)$/;

/**
 * Whether the request was sent on this machine: no proxy forwarded it, and its Host is loopback. A page whose own host
 * name resolves to this machine (DNS rebinding) sends that name. A proxy that adds no header and writes a loopback Host
 * cannot be recognized: for that case there is EVERPOST_PUBLIC_URL.
 */
export function isFromThisMachine(c: Context): boolean {
  return isOwnHost(c) && !Object.keys(c.req.header()).some((name) => PROXY_HEADER.test(name));
}
