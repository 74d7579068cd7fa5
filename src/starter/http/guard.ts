import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { AppError, MAX_CREDENTIALS_CHARACTERS, parseUrl, splitScheme, type Secret } from '../../contract/index.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname) || hostname === '::1';
}

/**
 * Lets pass who may use the API: with API keys, a caller that sends one as Bearer, compared in constant time. Without
 * keys, a caller on this machine: a web page in a browser is not, though its requests come from here.
 * @param origins  whose pages are served nevertheless
 */
export function guard(apiKeys: readonly Secret[], origins: readonly string[] = []): MiddlewareHandler {
  const digests = apiKeys.map((apiKey) => digest(apiKey.reveal()));

  return async (c, next) => {
    if (digests.length === 0) refuseForeignPages((name) => c.req.header(name), origins);
    else if (!hasToken(c.req.header('Authorization'), digests)) {
      throw new AppError(
        'API_UNAUTHORIZED',
        'The request brings no valid API key. Send "Authorization: Bearer …" with one of EVERPOST_API_KEYS.',
      );
    }
    await next();
  };
}

function hasToken(header: string | undefined, digests: readonly Buffer[]): boolean {
  if (header === undefined || header.length > MAX_CREDENTIALS_CHARACTERS) return false;
  const credentials = splitScheme(header.trim());
  const given = digest(credentials?.scheme === 'bearer' ? credentials.rest : '');
  return digests.map((known) => timingSafeEqual(known, given)).some((isEqual) => isEqual);
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

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
