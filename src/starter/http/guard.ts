import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import {
  AppError,
  LOOPBACK_CALLER,
  MAX_CREDENTIALS_CHARACTERS,
  parseUrl,
  splitScheme,
  type Caller,
} from '../../contract/index.js';
import type { TakeTurn } from '../keys/key-rates.js';
import type { Keyring } from '../keys/keyring.js';

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

export interface GuardOptions {
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
      refuseForeignPages((name) => c.req.header(name), origins);
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
 * A page can name us by a host of its own (DNS rebinding), or ask us blindly; a browser then says so in these headers.
 * Only a page of our own address may: one of another port of this machine is another program's.
 */
function refuseForeignPages(header: (name: string) => string | undefined, origins: readonly string[]): void {
  const [host, origin, site] = [header('Host'), header('Origin'), header('Sec-Fetch-Site')];
  const isOurs = host === undefined || isLoopback(hostnameOf(`http://${host}`));
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
